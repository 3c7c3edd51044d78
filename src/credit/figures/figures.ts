import { summarizeDebts } from '#core/finance/checkout.ts';
import { computeDebt } from '#core/finance/debt.ts';
import { addDays, type Day, dayNumber, endOfDay, saoPauloDay, weekday } from '#core/values/day.ts';
import { findCustomerRange } from '#customers';
import { findLastClosableDay } from '#ledger';
import type { Clock } from '#platform/clock.ts';
import type { Db } from '#platform/database/db.ts';
import type { CronItem, Tasks } from '#platform/jobs/jobs.ts';
import { parseInstallments } from '../purchases/checkout-record.ts';
import { toTerms } from '../purchases/terms.ts';
import {
  type AgeBucket,
  type Cohort,
  type CreditFigures,
  findStoredFigures,
  insertFigures,
  listPurchasesBefore,
  type PurchaseSums,
  type StoredFigures,
  sumByAge,
  sumByDay,
  sumByDueDay,
  sumByStatus,
  sumLateByDay,
} from './figures-store.ts';

/** Number of weeks before and after the week of the day. */
const WEEKS_AROUND = { before: 8, after: 4 } as const;
/** Customers per batch. */
const BATCH_SIZE = 200;

export const toMonday = (day: Day): Day => addDays(day, -((weekday(day) + 6) % 7));

export const listWeeksAround = (day: Day): Day[] =>
  Array.from({ length: WEEKS_AROUND.before + 1 + WEEKS_AROUND.after }, (_, i) =>
    addDays(toMonday(day), (i - WEEKS_AROUND.before) * 7),
  );

/**
 * Finds one part of the figures of a day. Those of today are summed from the stored figures of all purchases. Those of a past day are
 * recomputed from the facts once, after the day or on the first request, and stored, so a payment that is reported later belongs to a
 * later day.
 */
export async function findCreditFigures<P extends keyof CreditFigures>(
  db: Db,
  day: Day,
  clock: Clock,
  part: P,
): Promise<{ figures: CreditFigures[P]; worked_out_at: Date }> {
  const now = clock.now();
  if (day >= saoPauloDay(now.getTime()))
    return { figures: await SUM_TODAY[part](db, day), worked_out_at: now };
  const { figures, worked_out_at } = await findPastFigures(db, day, now);
  return { figures: figures[part], worked_out_at };
}

async function findPastFigures(db: Db, day: Day, now: Date): Promise<StoredFigures> {
  const stored = await findStoredFigures(db, day);
  if (stored && 'cohorts' in stored.figures) return stored;
  const recomputed = await recomputeFigures(db, day);
  const completed = { worked_out_at: now, ...stored, figures: { ...recomputed, ...stored?.figures } };
  if (day <= findLastClosableDay(now)) await insertFigures(db, day, completed);
  return completed;
}

const SUM_TODAY: { [P in keyof CreditFigures]: (db: Db, today: Day) => Promise<CreditFigures[P]> } = {
  async byStatus(db, today) {
    const { byStatus } = createEmptyFigures(today);
    for (const { status, ...sums } of await sumByStatus(db, today)) byStatus[status] = sums;
    return byStatus;
  },

  async byAge(db, today) {
    const { byAge } = createEmptyFigures(today);
    const [late, writtenOff] = await Promise.all([
      sumByAge(db, today, 'all'),
      sumByAge(db, today, 'written_off'),
    ]);
    for (const { days, ...sums } of late) addSums(byAge[toAgeBucket(days)], sums);
    for (const { days, outstanding_cents } of writtenOff)
      addSums(byAge[toAgeBucket(days)], { written_off_cents: outstanding_cents });
    return byAge;
  },

  async expected(db, today) {
    const { expected } = createEmptyFigures(today);
    const weeks = listWeeksAround(today);
    for (const { day, expected_cents } of await sumByDueDay(db, weeks[0]!, addDays(weeks.at(-1)!, 6)))
      expected[toMonday(day)]! += expected_cents;
    return expected;
  },

  async cohorts(db, today) {
    const cohorts: CreditFigures['cohorts'] = {};
    const [purchases, late] = await Promise.all([sumByDay(db), sumLateByDay(db, today)]);
    for (const { day, ...sums } of [...purchases, ...late]) addSums(findOrAddCohort(cohorts, day), sums);
    return cohorts;
  },
};

function addSums<Name extends string>(
  sums: Record<Name, number>,
  addends: Partial<Record<Name, number>>,
): void {
  for (const name of Object.keys(addends) as Name[]) sums[name] += addends[name]!;
}

const findOrAddCohort = (cohorts: CreditFigures['cohorts'], day: Day): Cohort =>
  (cohorts[toMonday(day)] ??= { ...EMPTY_COHORT });

/** Computes the figures at the end of a day from the facts of each purchase, as known now. */
export async function recomputeFigures(db: Db, day: Day): Promise<CreditFigures> {
  const dayEnd = endOfDay(day);
  const figures = createEmptyFigures(day);
  for (let after = ''; ; ) {
    const { upTo } = await findCustomerRange(db, after, BATCH_SIZE);
    if (upTo === null) return figures;
    const purchases = await listPurchasesBefore(db, { after, upTo }, new Date(dayEnd));
    for (const { installments, receipts, ...purchase } of purchases) {
      const records = parseInstallments(installments, receipts, toTerms(purchase));
      const debts = records.map(({ debt }) => computeDebt(debt, dayEnd - 1));
      const { status, paid, returned, outstanding } = summarizeDebts(debts);
      const onlyIfWrittenOff = (owed: number) => (purchase.is_written_off ? owed : 0);
      const sums: PurchaseSums = {
        purchases: 1,
        financed_cents: purchase.financed_cents,
        paid_cents: paid,
        returned_cents: returned,
        outstanding_cents: outstanding,
        written_off_cents: onlyIfWrittenOff(outstanding),
      };
      const statusSums = figures.byStatus[purchase.is_returned ? 'returned' : status];
      addSums(statusSums, { ...sums, written_off: Number(purchase.is_written_off) });
      const cohort = findOrAddCohort(figures.cohorts, purchase.purchased_on);
      addSums(cohort, sums);
      for (const debt of debts) {
        cohort.total_cents += debt.amount;
        const monday = toMonday(debt.dueOn);
        if (monday in figures.expected) figures.expected[monday]! += debt.amount - debt.returned;
        const days = dayNumber(day) - dayNumber(debt.effectiveDueOn);
        const owed = debt.outstanding;
        if (owed === 0 || days < 1) continue;
        cohort.overdue_cents += owed;
        const lateSums = {
          installments: 1,
          outstanding_cents: owed,
          written_off_cents: onlyIfWrittenOff(owed),
        };
        addSums(figures.byAge[toAgeBucket(days)], lateSums);
      }
    }
    after = upTo;
  }
}

const toAgeBucket = (days: number): AgeBucket =>
  days <= 7 ? '1-7' : days <= 30 ? '8-30' : days <= 90 ? '31-90' : '90+';

function createEmptyFigures(day: Day): CreditFigures {
  const emptyStatus = () => ({ ...NO_PURCHASES, written_off: 0 });
  const emptyAge = () => ({ installments: 0, outstanding_cents: 0, written_off_cents: 0 });
  return {
    byStatus: { open: emptyStatus(), overdue: emptyStatus(), paid: emptyStatus(), returned: emptyStatus() },
    byAge: { '1-7': emptyAge(), '8-30': emptyAge(), '31-90': emptyAge(), '90+': emptyAge() },
    expected: Object.fromEntries(listWeeksAround(day).map((monday) => [monday, 0])),
    cohorts: {},
  };
}

const NO_PURCHASES: PurchaseSums = {
  purchases: 0,
  financed_cents: 0,
  paid_cents: 0,
  returned_cents: 0,
  outstanding_cents: 0,
  written_off_cents: 0,
};
export const EMPTY_COHORT: Cohort = { ...NO_PURCHASES, total_cents: 0, overdue_cents: 0 };

declare module '#platform/jobs/jobs.ts' {
  interface JobPayloads {
    credit_close_day: NoPayload;
  }
}

export const figuresTasks = ({ db, clock }: { db: Db; clock: Clock }): Tasks => ({
  credit_close_day: async () => {
    const now = clock.now();
    await findPastFigures(db, findLastClosableDay(now), now);
  },
});

/** Runs every hour, so a missed night is caught up. */
export const FIGURES_CRON: CronItem[] = [{ task: 'credit_close_day', match: '30 * * * *' }];
