import { endOfDay } from '#core/values/day.ts';
import { countCustomers, findCustomerRange } from '#customers';
import type { Auditor } from '#module';
import type { Db, Tx } from '#platform/database/db.ts';
import {
  type AccountSum,
  findLastClosedDay,
  listBalances,
  listDaySums,
  listMerchantAccountBalances,
  listMismatchedMerchantPostings,
  listMismatchedPostings,
  type MismatchedPosting,
  sumPostingsByDay,
  useSnapshot,
} from './store.ts';

/** The number of customers that one transaction recomputes: some thousands of rows, a fraction of a second. */
const BATCH_SIZE = 500;

type AuditReport = {
  customerCount: number;
  mismatchCount: number;
  balances: Map<string, number>;
};

type Figures = Record<string, unknown>;

/** Compares the expected figures with the stored ones, for auditors. Returns one line for each mismatch. */
export function compareFigures(label: string, storedFigures: Figures, expectedFigures: Figures): string[] {
  return Object.keys(expectedFigures)
    .filter((name) => storedFigures[name] !== expectedFigures[name])
    .map((name) => `${label}: ${name} is ${storedFigures[name]}, should be ${expectedFigures[name]}`);
}

/** Checks that every posting balances and that its kind belongs to an auditor. */
function createPostingsAuditor(otherAuditors: readonly Auditor[]): Auditor {
  const knownKinds = otherAuditors.flatMap((auditor) => auditor.postingKinds);
  return {
    postingKinds: [],
    check: async (tx, range) =>
      (await listMismatchedPostings(tx, range, knownKinds)).map((posting) =>
        describeMismatch(`customer ${posting.customer_id}`, posting),
      ),
    checkGlobal: async (tx) => [
      ...(await listMismatchedMerchantPostings(tx, knownKinds)).map((posting) =>
        describeMismatch(`merchant ${posting.merchant_id}`, posting),
      ),
      ...(await checkDailySums(tx)),
    ],
  };
}

/** Checks that the stored daily sums equal the postings of those days, for every day and account. */
async function checkDailySums(tx: Tx): Promise<string[]> {
  const lastClosedDay = await findLastClosedDay(tx);
  const storedSums = await listDaySums(tx);
  const postedSums =
    lastClosedDay === null ? [] : await sumPostingsByDay(tx, new Date(endOfDay(lastClosedDay)));
  const storedSumsByDay = Map.groupBy(storedSums, ({ day }) => day);
  const postedSumsByDay = Map.groupBy(postedSums, ({ day }) => day);
  const days = new Set([...storedSumsByDay.keys(), ...postedSumsByDay.keys()]);
  return [...days]
    .sort()
    .flatMap((day) =>
      compareSums(`the closed day ${day}`, storedSumsByDay.get(day) ?? [], postedSumsByDay.get(day) ?? []),
    );
}

/** Compares the sums of all accounts in either list. A missing account counts as zero. */
function compareSums(label: string, storedSums: readonly AccountSum[], expectedSums: readonly AccountSum[]) {
  const zeroEntries = [...storedSums, ...expectedSums].map(({ account }) => [account, 0]);
  const toFigures = (sums: readonly AccountSum[]): Figures =>
    Object.fromEntries([...zeroEntries, ...sums.map(({ account, amount_cents }) => [account, amount_cents])]);
  return compareFigures(label, toFigures(storedSums), toFigures(expectedSums));
}

function describeMismatch(owner: string, posting: MismatchedPosting): string {
  const postingName = `${owner}: posting '${posting.reference}'`;
  if (posting.entry_count < 2) return `${postingName} has ${posting.entry_count} entries`;
  if (posting.imbalance_cents !== 0)
    return `${postingName} is out of balance by ${posting.imbalance_cents} centavos`;
  return `${postingName} is of the kind '${posting.kind}', which no auditor declares`;
}

/** Audits all customers in ranges, each in one snapshot, while the service runs. */
export async function runAudit(
  db: Db,
  auditors: readonly Auditor[],
  listeners: { onMismatch(text: string): void; onProgress(share: number): void },
): Promise<AuditReport> {
  const customerCount = await countCustomers(db);
  const allAuditors = [createPostingsAuditor(auditors), ...auditors];
  const report: AuditReport = { customerCount: 0, mismatchCount: 0, balances: new Map() };
  const reportMismatches = (descriptions: string[]) => {
    report.mismatchCount += descriptions.length;
    descriptions.forEach(listeners.onMismatch);
  };
  const addBalances = (balances: ReadonlyArray<{ account: string; amount_cents: number }>) => {
    for (const { account, amount_cents } of balances)
      report.balances.set(account, (report.balances.get(account) ?? 0) + amount_cents);
  };
  let afterId = ''; // Every id is greater.
  for (;;) {
    const { lastId, customerCount: batchCount } = await findCustomerRange(db, afterId, BATCH_SIZE);
    if (lastId === null) break;
    const range = { afterId, lastId };
    await db.transaction(async (tx) => {
      await useSnapshot(tx);
      for (const { check } of allAuditors) reportMismatches(await check(tx, range));
      addBalances(await listBalances(tx, range));
    });
    report.customerCount += batchCount;
    listeners.onProgress(Math.min(1, report.customerCount / customerCount));
    afterId = lastId;
  }
  await db.transaction(async (tx) => {
    await useSnapshot(tx);
    for (const { checkGlobal } of allAuditors) reportMismatches((await checkGlobal?.(tx)) ?? []);
    addBalances(await listMerchantAccountBalances(tx));
  });
  return report;
}
