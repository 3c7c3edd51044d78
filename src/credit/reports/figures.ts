import { summarise } from '#core/checkout.ts';
import { addDays, type Day, dayNumber, endOfDay, saoPauloDay, weekday } from '#core/day.ts';
import { debtAt } from '#core/debt.ts';
import { findCustomerRange } from '#customers';
import { lastDayOver } from '#ledger';
import type { Clock } from '#platform/clock.ts';
import type { Db } from '#platform/database/db.ts';
import type { CronItem, Tasks } from '#platform/jobs/jobs.ts';
import { readInstallments } from '../purchases/checkout-record.ts';
import { termsOf } from '../purchases/terms-columns.ts';
import {
  type Age,
  type Cohort,
  type CreditFigures,
  findFigures,
  insertFigures,
  type KeptFigures,
  listPurchasesBefore,
  type PurchaseSums,
  sumByAge,
  sumByDay,
  sumByDueDay,
  sumByStatus,
  sumLateByDay,
} from './figures-store.ts';

/** How many weeks before and after the one of the day. */
const WEEKS = { before: 8, after: 4 } as const;
const BATCH_CUSTOMERS = 200;

export const mondayOf = (of: Day): Day => addDays(of, -((weekday(of) + 6) % 7));

export const weeksAround = (day: Day): Day[] =>
  Array.from({ length: WEEKS.before + 1 + WEEKS.after }, (_, i) =>
    addDays(mondayOf(day), (i - WEEKS.before) * 7),
  );

/**
 * One part of the figures. Today's are computed quickly from stored figures of every purchase. Those of a past day are computed
 * from the facts once, after the day or on the first request, and stored: later reports about it count in later days.
 */
export async function findCreditFigures<P extends keyof CreditFigures>(
  db: Db,
  day: Day,
  clock: Clock,
  part: P,
): Promise<{ figures: CreditFigures[P]; worked_out_at: Date }> {
  const now = clock.now();
  if (day >= saoPauloDay(now.getTime())) return { figures: await TODAY[part](db, day), worked_out_at: now };
  const { figures, worked_out_at } = await findPastFigures(db, day, now);
  return { figures: figures[part], worked_out_at };
}

async function findPastFigures(db: Db, day: Day, now: Date): Promise<KeptFigures> {
  const kept = await findFigures(db, day);
  if (kept && 'cohorts' in kept.figures) return kept;
  const recomputed = await recomputeFigures(db, day);
  const worked = { worked_out_at: now, ...kept, figures: { ...recomputed, ...kept?.figures } };
  if (day <= lastDayOver(now)) await insertFigures(db, day, worked);
  return worked;
}

const TODAY: { [P in keyof CreditFigures]: (db: Db, today: Day) => Promise<CreditFigures[P]> } = {
  async byStatus(db, today) {
    const { byStatus } = emptyFigures(today);
    for (const { status, ...sums } of await sumByStatus(db, today)) byStatus[status] = sums;
    return byStatus;
  },

  async byAge(db, today) {
    const { byAge } = emptyFigures(today);
    const [late, written] = await Promise.all([sumByAge(db, today, false), sumByAge(db, today, true)]);
    for (const { days, ...sums } of late) add(byAge[ageOf(days)], sums);
    for (const { days, outstanding_cents } of written)
      add(byAge[ageOf(days)], { written_off_cents: outstanding_cents });
    return byAge;
  },

  async expected(db, today) {
    const { expected } = emptyFigures(today);
    const weeks = weeksAround(today);
    for (const { day, expected_cents } of await sumByDueDay(db, weeks[0]!, addDays(weeks.at(-1)!, 6)))
      expected[mondayOf(day)]! += expected_cents;
    return expected;
  },

  async cohorts(db, today) {
    const cohorts: CreditFigures['cohorts'] = {};
    const [bought, late] = await Promise.all([sumByDay(db), sumLateByDay(db, today)]);
    for (const { day, ...sums } of [...bought, ...late]) add(cohortOf(cohorts, day), sums);
    return cohorts;
  },
};

function add<Name extends string>(sums: Record<Name, number>, more: Partial<Record<Name, number>>): void {
  for (const name of Object.keys(more) as Name[]) sums[name] += more[name]!;
}

const cohortOf = (cohorts: CreditFigures['cohorts'], day: Day): Cohort =>
  (cohorts[mondayOf(day)] ??= { ...NO_COHORT });

/** From the facts alone, purchase by purchase: what was owed at the end of a day, as known now. */
export async function recomputeFigures(db: Db, day: Day): Promise<CreditFigures> {
  const before = endOfDay(day);
  const figures = emptyFigures(day);
  for (let after = ''; ; ) {
    const { upTo } = await findCustomerRange(db, after, BATCH_CUSTOMERS);
    if (upTo === null) return figures;
    const purchases = await listPurchasesBefore(db, { after, upTo }, new Date(before));
    for (const { installments, receipts, ...purchase } of purchases) {
      const records = readInstallments(installments, receipts, termsOf(purchase));
      const debts = records.map(({ debt }) => debtAt(debt, before - 1));
      const { status, paid, returned, outstanding } = summarise(debts);
      const lostOf = (owed: number) => (purchase.is_written_off ? owed : 0);
      const sums: PurchaseSums = {
        purchases: 1,
        financed_cents: purchase.financed_cents,
        paid_cents: paid,
        returned_cents: returned,
        outstanding_cents: outstanding,
        written_off_cents: lostOf(outstanding),
      };
      const ofStatus = figures.byStatus[purchase.is_returned ? 'returned' : status];
      add(ofStatus, { ...sums, written_off: Number(purchase.is_written_off) });
      const cohort = cohortOf(figures.cohorts, purchase.purchased_on);
      add(cohort, sums);
      for (const debt of debts) {
        cohort.total_cents += debt.amount;
        const monday = mondayOf(debt.dueOn);
        if (monday in figures.expected) figures.expected[monday]! += debt.amount - debt.returned;
        const days = dayNumber(day) - dayNumber(debt.effectiveDueOn);
        const owed = debt.outstanding;
        if (owed === 0 || days < 1) continue;
        cohort.overdue_cents += owed;
        const late = { installments: 1, outstanding_cents: owed, written_off_cents: lostOf(owed) };
        add(figures.byAge[ageOf(days)], late);
      }
    }
    after = upTo;
  }
}

const ageOf = (days: number): Age => (days <= 7 ? '1-7' : days <= 30 ? '8-30' : days <= 90 ? '31-90' : '90+');

function emptyFigures(day: Day): CreditFigures {
  const none = () => ({ ...NO_PURCHASES, written_off: 0 });
  const nobody = () => ({ installments: 0, outstanding_cents: 0, written_off_cents: 0 });
  return {
    byStatus: { open: none(), overdue: none(), paid: none(), returned: none() },
    byAge: { '1-7': nobody(), '8-30': nobody(), '31-90': nobody(), '90+': nobody() },
    expected: Object.fromEntries(weeksAround(day).map((monday) => [monday, 0])),
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
export const NO_COHORT: Cohort = { ...NO_PURCHASES, total_cents: 0, overdue_cents: 0 };

declare module '#platform/jobs/jobs.ts' {
  interface JobPayloads {
    credit_close_day: NoPayload;
  }
}

export const figuresTasks = ({ db, clock }: { db: Db; clock: Clock }): Tasks => ({
  credit_close_day: async () => {
    const now = clock.now();
    await findPastFigures(db, lastDayOver(now), now);
  },
});

/** Every hour: a missed night is made up for. */
export const FIGURES_CRON: CronItem[] = [{ task: 'credit_close_day', match: '30 * * * *' }];
