import { addDays, type Day, saoPauloDay } from '#core/values/day.ts';
import { countCustomers, findCustomerRange } from '#customers';
import { compareFigures } from '#ledger';
import { lockAdvisory } from '#platform/database/advisory-locks.ts';
import type { Db, Queryable, Tx } from '#platform/database/db.ts';
import { omit } from '#platform/omit.ts';
import { credit_sums } from '../generated/tables.ts';
import {
  addToSums,
  deleteAndSumChanges,
  deleteChangesAndSumPurchases,
  deleteSums,
  findSumsProgress,
  listCurrentSums,
  listExpectedSums,
  mergeOldSums,
  type Sums,
  type SumsProgress,
  saveSumsProgress,
} from './sums-store.ts';

/** The number of customers whose purchases a transaction sums: some ten thousand rows, a fraction of a second. */
const BATCH_SIZE = 500;

/** Sums of days before the floor are stored without their day. The floor is yesterday, because the clock of another node can be behind. */
const computeFloor = (today: Day): Day => addDays(today, -1);

/** Returns the percentage of customers that the sums for reports of today include, or null if they include all. */
export async function findIncludedPercent(db: Queryable, today: Day): Promise<number | null> {
  const progress = await findUsableProgress(db, today);
  if (progress === undefined) return 0;
  if (progress.computed_up_to === null) return null;
  return Math.floor((progress.customers / Math.max(1, progress.all_customers)) * 100);
}

/** Returns undefined if all sums must be computed: at first, and after the clock of the sandbox was set back before the floor. */
async function findUsableProgress(db: Queryable, today: Day): Promise<SumsProgress | undefined> {
  const progress = await findSumsProgress(db);
  return progress && progress.floor_day <= today ? progress : undefined;
}

/**
 * Adds the queued changes to the sums. Computes the sums from all purchases for the first time, and after the clock of the sandbox was
 * set back. Continues where an interrupted run stopped.
 */
export async function updateFigureSums(db: Db, now: Date): Promise<void> {
  const today = saoPauloDay(now.getTime());
  for (;;) {
    const isDone = await db.transaction(async (tx) => {
      await lockAdvisory(tx, 'creditSums');
      const progress = await findUsableProgress(tx, today);
      // Once all customers are included, only queued changes are added.
      if (progress?.computed_up_to === null) return addQueuedChanges(tx, progress, today);
      if (progress === undefined) await startSums(tx, today);
      else await continueSums(tx, progress, progress.computed_up_to);
      return false;
    });
    if (isDone) return;
  }
}

async function startSums(tx: Tx, today: Day): Promise<void> {
  await deleteSums(tx);
  const all_customers = await countCustomers(tx);
  await saveSumsProgress(tx, {
    floor_day: computeFloor(today),
    computed_up_to: '', // Every id is greater.
    customers: 0,
    all_customers,
  });
}

/** Sums the purchases of the next customers. Changes of customers that are already included stay in the queue. */
async function continueSums(tx: Tx, progress: SumsProgress, afterId: string): Promise<void> {
  const { lastId, customerCount } = await findCustomerRange(tx, afterId, BATCH_SIZE);
  if (lastId !== null)
    await addToSums(tx, await deleteChangesAndSumPurchases(tx, { afterId, lastId }, progress.floor_day));
  const customers = progress.customers + customerCount;
  // After the last customer, `lastId` is null, which completes the sums.
  await saveSumsProgress(tx, { ...progress, computed_up_to: lastId, customers });
}

/** Returns whether the queue was empty. Raises the floor when a new day has begun. */
async function addQueuedChanges(tx: Tx, progress: SumsProgress, today: Day): Promise<boolean> {
  const sums = await deleteAndSumChanges(tx, progress.floor_day);
  await addToSums(tx, sums);
  const floor_day = computeFloor(today);
  if (floor_day > progress.floor_day) {
    await mergeOldSums(tx, floor_day);
    await saveSumsProgress(tx, { ...progress, floor_day });
  }
  return sums.length === 0;
}

/** Compares the sums with all purchases. Returns a message for each amount that differs. */
export async function checkSums(tx: Tx): Promise<string[]> {
  const progress = await findSumsProgress(tx);
  if (progress?.computed_up_to !== null) return []; // not started, or not complete
  const storedSums = indexByLabel(await listCurrentSums(tx, progress.floor_day));
  const expectedSums = indexByLabel(await listExpectedSums(tx, progress.floor_day));
  const labels = new Set([...storedSums.keys(), ...expectedSums.keys()]);
  return [...labels]
    .sort()
    .flatMap((label) =>
      compareFigures(label, toAmounts(storedSums.get(label)), toAmounts(expectedSums.get(label))),
    );
}

/** The labels are also the beginnings of the auditor's messages. */
const indexByLabel = (rows: readonly Sums[]) =>
  new Map(rows.map((sums) => [`the sums of purchases, ${sums.kind} ${sums.day} ${sums.week}`, sums]));

const AMOUNT_NAMES = Object.keys(omit(credit_sums, 'kind', 'day', 'week')) as ReadonlyArray<keyof Sums>;
/** Missing sums count as zeros. */
const toAmounts = (sums: Sums | undefined) =>
  Object.fromEntries(AMOUNT_NAMES.map((name) => [name, sums?.[name] ?? 0]));
