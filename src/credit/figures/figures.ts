import { summarizeDebts } from '#core/finance/checkout.ts';
import { computeDebt } from '#core/finance/debt.ts';
import { addDays, type Day, dayNumber, endOfDay, saoPauloDay, weekday } from '#core/values/day.ts';
import { countCustomers, findCustomerRange } from '#customers';
import { findLastClosableDay } from '#ledger';
import type { Clock } from '#platform/clock.ts';
import type { Db } from '#platform/database/db.ts';
import { type CronItem, enqueue, type Tasks } from '#platform/jobs/jobs.ts';
import { defineProblem } from '#platform/problem.ts';
import { parseInstallments } from '../purchases/checkout-record.ts';
import { toTerms } from '../purchases/terms.ts';
import {
  type AgeBucket,
  type Cohort,
  type CreditFigures,
  deleteProgress,
  type FiguresProgress,
  findProgress,
  findStoredFigures,
  listPurchasesBefore,
  type PastPurchase,
  type PurchaseSums,
  type StoredFigures,
  saveFigures,
  saveProgress,
} from './figures-store.ts';
import { findIncludedPercent, updateFigureSums } from './sums.ts';
import { sumByAge, sumByDueDay, sumByStatus, sumByWeek, sumLateByWeek } from './sums-store.ts';

/** The figures of a day cover this many weeks before and after its week. */
const WEEKS_AROUND = { before: 8, after: 4 } as const;
const BATCH_SIZE = 200;
/** The progress is saved whenever this many more customers are processed. */
const CUSTOMERS_PER_SAVE = 10 * BATCH_SIZE;
/** A request computes the figures of a past day for at most this many customers, which takes less than a second. */
const MAX_CUSTOMERS_PER_REQUEST = 2_000;
const MAX_COMPUTE_ATTEMPTS = 5;

export const reportNotReady = defineProblem({
  code: 'report_pending',
  status: 409,
  title: { en: 'The report is being computed', pt: 'O relatório está sendo calculado' },
  cause: 'The figures of this day, or of the days before it, are computed for the first time, by a job.',
  remedy: 'Repeat the request until it succeeds. The figures of a day are computed once.',
  headers: { 'retry-after': '5' },
  /** `percent` is the computed share; 'open' if the day is not closed yet. */
  detail: (percent: number | 'open') =>
    percent === 'open'
      ? {
          en: 'The figures of this day are available an hour after its end.',
          pt: 'Os números deste dia ficam prontos uma hora depois de ele terminar.',
        }
      : {
          en: `The figures of this day are being computed: ${percent} %. Try again in a moment.`,
          pt: `Os números deste dia estão sendo calculados: ${percent} %. Tente de novo em instantes.`,
        },
});

export const toMonday = (day: Day): Day => addDays(day, -((weekday(day) + 6) % 7));

export const listWeeksAround = (day: Day): Day[] =>
  Array.from({ length: WEEKS_AROUND.before + 1 + WEEKS_AROUND.after }, (_, i) =>
    addDays(toMonday(day), (i - WEEKS_AROUND.before) * 7),
  );

/**
 * Finds one kind of figures of a day. Figures of today are read from the sums of all purchases. Figures of a past day are
 * recomputed from the facts once, after the day or on the first request, and stored, so a payment that is reported later belongs to a
 * later day.
 */
export async function findCreditFigures<Kind extends keyof CreditFigures>(
  db: Db,
  day: Day,
  clock: Clock,
  kind: Kind,
): Promise<{ figures: CreditFigures[Kind]; worked_out_at: Date }> {
  const now = clock.now();
  if (day >= saoPauloDay(now.getTime())) {
    await requireCompleteSums(db, day, now);
    return { figures: await READERS[kind](db, day), worked_out_at: now };
  }
  const { figures, worked_out_at } = await findOrComputePastFigures(db, day, now);
  return { figures: figures[kind], worked_out_at };
}

async function findOrComputePastFigures(db: Db, day: Day, now: Date): Promise<StoredFigures> {
  const storedFigures = await findStoredFigures(db, day);
  if (storedFigures && hasAllKinds(storedFigures)) return storedFigures;
  if (!(await hasMoreCustomersThan(db, MAX_CUSTOMERS_PER_REQUEST))) return computePastFigures(db, day, now);
  if (day > findLastClosableDay(now)) throw reportNotReady('open');
  const progress = await findProgress(db, day);
  await db.transaction((tx) =>
    enqueue(tx, 'credit_compute_day', { day }, MAX_COMPUTE_ATTEMPTS, { key: `credit_compute_day ${day}` }),
  );
  throw reportNotReady(progress ? Math.floor((progress.customers / progress.all_customers) * 100) : 0);
}

/** Earlier releases stored no cohorts. */
const hasAllKinds = ({ figures }: StoredFigures): boolean => 'cohorts' in figures;

/** Completes the sums of today. For many customers, lets a job do it, and throws a problem until they are complete. */
async function requireCompleteSums(db: Db, today: Day, now: Date): Promise<void> {
  const includedPercent = await findIncludedPercent(db, today);
  if (includedPercent === null) return;
  if (!(await hasMoreCustomersThan(db, MAX_CUSTOMERS_PER_REQUEST))) return updateFigureSums(db, now);
  await db.transaction((tx) =>
    enqueue(tx, 'credit_update_sums', {}, MAX_COMPUTE_ATTEMPTS, { key: 'credit_update_sums' }),
  );
  throw reportNotReady(includedPercent);
}

const hasMoreCustomersThan = async (db: Db, limit: number): Promise<boolean> => {
  const { lastId } = await findCustomerRange(db, '', limit); // from the first customer
  return lastId !== null && (await findCustomerRange(db, lastId, 1)).lastId !== null;
};

/** Computes the missing figures of a day, and stores them if the day is closed. Continues where an interrupted run stopped. */
async function computePastFigures(db: Db, day: Day, now: Date): Promise<StoredFigures> {
  const storedFigures = await findStoredFigures(db, day);
  if (storedFigures && hasAllKinds(storedFigures)) return storedFigures;
  const isClosed = day <= findLastClosableDay(now);
  const progress = isClosed ? await findProgress(db, day) : undefined;
  // Figures of a day that is not closed may still change, so neither they nor the progress are stored.
  const save = async (currentProgress: FiguresProgress) => {
    if (isClosed) await saveProgress(db, day, currentProgress);
  };
  const recomputedFigures = await recomputeFigures(db, day, { progress, save });
  // Kinds that are stored already do not change.
  const completedFigures = {
    worked_out_at: storedFigures?.worked_out_at ?? now,
    figures: { ...recomputedFigures, ...storedFigures?.figures },
  };
  if (isClosed) {
    await saveFigures(db, day, completedFigures);
    await deleteProgress(db, day);
  }
  return completedFigures;
}

/** A function for each kind of figures, which reads those of today from the sums. */
const READERS: { [Kind in keyof CreditFigures]: (db: Db, today: Day) => Promise<CreditFigures[Kind]> } = {
  async byStatus(db, today) {
    const { byStatus } = createEmptyFigures(today);
    for (const { status, ...sums } of await sumByStatus(db, today)) byStatus[status] = sums;
    return byStatus;
  },

  async byAge(db, today) {
    const { byAge } = createEmptyFigures(today);
    for (const { days_late, ...sums } of await sumByAge(db, today))
      addSums(byAge[toAgeBucket(days_late)], sums);
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
    const [purchaseSums, lateSums] = await Promise.all([sumByWeek(db), sumLateByWeek(db, today)]);
    for (const { week, ...sums } of [...purchaseSums, ...lateSums])
      addSums(findOrAddCohort(cohorts, week), sums);
    return cohorts;
  },
};

function addSums<Name extends string>(sums: Record<Name, number>, addends: Partial<Record<Name, number>>) {
  for (const name of Object.keys(addends) as Name[]) sums[name] += addends[name]!;
}

const findOrAddCohort = (cohorts: CreditFigures['cohorts'], day: Day): Cohort =>
  (cohorts[toMonday(day)] ??= { ...EMPTY_COHORT });

type RecomputeOptions = {
  progress?: FiguresProgress | undefined;
  save?: (progress: FiguresProgress) => Promise<void>;
};

/**
 * Computes the figures at the end of a day from the currently known facts of each purchase. Starts after the customers of `progress`,
 * and calls `save` regularly.
 */
export async function recomputeFigures(
  db: Db,
  day: Day,
  { progress, save }: RecomputeOptions = {},
): Promise<CreditFigures> {
  const dayEnd = new Date(endOfDay(day));
  const figures = progress?.figures ?? createEmptyFigures(day);
  const all_customers = progress?.all_customers ?? (save ? await countCustomers(db) : 0);
  let afterId = progress?.computed_up_to ?? '';
  let customers = progress?.customers ?? 0;
  for (;;) {
    const { lastId, customerCount } = await findCustomerRange(db, afterId, BATCH_SIZE);
    if (lastId === null) return figures;
    const purchases = await listPurchasesBefore(db, { afterId, lastId }, dayEnd);
    for (const purchase of purchases) addPurchase(figures, purchase, day);
    afterId = lastId;
    customers += customerCount;
    // All batches but the last have BATCH_SIZE customers, so the count reaches every multiple.
    if (customers % CUSTOMERS_PER_SAVE === 0)
      await save?.({ figures, computed_up_to: afterId, customers, all_customers });
  }
}

/** Adds a purchase to the figures at the end of a day. */
function addPurchase(figures: CreditFigures, purchase: PastPurchase, day: Day): void {
  const { installments, receipts, is_written_off } = purchase;
  const lastInstant = endOfDay(day) - 1;
  const records = parseInstallments(installments, receipts, toTerms(purchase));
  const debts = records.map(({ debtFacts }) => computeDebt(debtFacts, lastInstant));
  const { status, paid, returned, outstanding } = summarizeDebts(debts);
  const sums: PurchaseSums = {
    purchases: 1,
    financed_cents: purchase.financed_cents,
    paid_cents: paid,
    returned_cents: returned,
    outstanding_cents: outstanding,
    written_off_cents: is_written_off ? outstanding : 0,
  };
  const statusSums = figures.byStatus[purchase.is_returned ? 'returned' : status];
  addSums(statusSums, { ...sums, written_off: Number(is_written_off) });
  const cohort = findOrAddCohort(figures.cohorts, purchase.purchased_on);
  addSums(cohort, sums);
  for (const debt of debts) {
    cohort.total_cents += debt.amount;
    const monday = toMonday(debt.dueOn);
    if (monday in figures.expected) figures.expected[monday]! += debt.amount - debt.returned;
    const daysLate = dayNumber(day) - dayNumber(debt.effectiveDueOn);
    if (debt.outstanding === 0 || daysLate < 1) continue;
    cohort.overdue_cents += debt.outstanding;
    addSums(figures.byAge[toAgeBucket(daysLate)], {
      installments: 1,
      outstanding_cents: debt.outstanding,
      written_off_cents: is_written_off ? debt.outstanding : 0,
    });
  }
}

function toAgeBucket(daysLate: number): AgeBucket {
  if (daysLate <= 7) return '1-7';
  if (daysLate <= 30) return '8-30';
  return daysLate <= 90 ? '31-90' : '90+';
}

function createEmptyFigures(day: Day): CreditFigures {
  const newStatusSums = () => ({ ...NO_PURCHASES, written_off: 0 });
  const newAgeSums = () => ({ installments: 0, outstanding_cents: 0, written_off_cents: 0 });
  return {
    byStatus: {
      open: newStatusSums(),
      overdue: newStatusSums(),
      paid: newStatusSums(),
      returned: newStatusSums(),
    },
    byAge: { '1-7': newAgeSums(), '8-30': newAgeSums(), '31-90': newAgeSums(), '90+': newAgeSums() },
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
    credit_compute_day: { day: Day };
    credit_update_sums: NoPayload;
  }
}

export const createFiguresTasks = ({ db, clock }: { db: Db; clock: Clock }): Tasks => ({
  credit_close_day: async () => {
    const now = clock.now();
    await computePastFigures(db, findLastClosableDay(now), now);
  },
  credit_compute_day: async ({ day }) => {
    await computePastFigures(db, day, clock.now());
  },
  credit_update_sums: () => updateFigureSums(db, clock.now()),
});

/** `credit_close_day` runs every hour, so that a missed run is made up for within an hour. */
export const FIGURES_CRON: CronItem[] = [
  { task: 'credit_close_day', match: '30 * * * *' },
  { task: 'credit_update_sums', match: '* * * * *' },
];
