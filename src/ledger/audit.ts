import { endOfDay } from '#core/day.ts';
import { countCustomers, findCustomerRange } from '#customers';
import type { Auditor } from '#module';
import type { Db, Tx } from '#platform/database/db.ts';
import {
  type AccountSum,
  findClosedTo,
  listBalances,
  listDays,
  listMerchantAccounts,
  listMismatchedMerchantPostings,
  listMismatchedPostings,
  type MismatchedPosting,
  sumPostedByDay,
  useSnapshot,
} from './store.ts';

/** Customers that are recomputed at a time: some thousands of rows, a fraction of a second. */
const BATCH_SIZE = 500;

type AuditReport = {
  customers: number;
  disagreements: number;
  balances: Map<string, number>;
};

type Figures = Record<string, unknown>;

/** For auditors: one line per wrong figure. */
export function compare(what: string, kept: Figures, right: Figures): string[] {
  return Object.keys(right)
    .filter((name) => kept[name] !== right[name])
    .map((name) => `${what}: ${name} is ${kept[name]}, should be ${right[name]}`);
}

/** Every posting balances, and its kind belongs to an auditor. */
function postingsAuditor(others: readonly Auditor[]): Auditor {
  const kinds = others.flatMap((auditor) => auditor.kinds);
  return {
    kinds: [],
    check: async (tx, range) =>
      (await listMismatchedPostings(tx, range, kinds)).map((posting) =>
        mismatchOf(`customer ${posting.customer_id}`, posting),
      ),
    checkRest: async (tx) => [
      ...(await listMismatchedMerchantPostings(tx, kinds)).map((posting) =>
        mismatchOf(`merchant ${posting.merchant_id}`, posting),
      ),
      ...(await checkDays(tx)),
    ],
  };
}

/** The daily sums of reports equal the postings of those days: every day, every account, and nothing else. */
async function checkDays(tx: Tx): Promise<string[]> {
  const closedTo = await findClosedTo(tx);
  const kept = await listDays(tx);
  const posted = closedTo === null ? [] : await sumPostedByDay(tx, new Date(endOfDay(closedTo)));
  const [keptOf, postedOn] = [kept, posted].map((sums) => Map.groupBy(sums, ({ day }) => day));
  const days = new Set([...keptOf!.keys(), ...postedOn!.keys()]);
  return [...days]
    .sort()
    .flatMap((day) => compareSums(`the closed day ${day}`, keptOf!.get(day) ?? [], postedOn!.get(day) ?? []));
}

/** In both directions: a missing account counts as zero. */
function compareSums(what: string, kept: readonly AccountSum[], right: readonly AccountSum[]): string[] {
  const zeros = [...kept, ...right].map(({ account }) => [account, 0]);
  const toFigures = (sums: readonly AccountSum[]): Figures =>
    Object.fromEntries([...zeros, ...sums.map(({ account, amount_cents }) => [account, amount_cents])]);
  return compare(what, toFigures(kept), toFigures(right));
}

function mismatchOf(whose: string, posting: MismatchedPosting): string {
  const name = `${whose}: posting '${posting.reference}'`;
  if (posting.entries < 2) return `${name} has ${posting.entries} entries`;
  if (posting.off_by !== 0) return `${name} is out of balance by ${posting.off_by} centavos`;
  return `${name} is of the kind '${posting.kind}', which nobody makes`;
}

/** Processes all customers in ranges, each in one snapshot, while the service runs. */
export async function audit(
  db: Db,
  auditors: readonly Auditor[],
  on: { disagreement(text: string): void; progress(share: number): void },
): Promise<AuditReport> {
  const all = await countCustomers(db);
  const checks = [postingsAuditor(auditors), ...auditors];
  const report: AuditReport = { customers: 0, disagreements: 0, balances: new Map() };
  const tell = (found: string[]) => {
    report.disagreements += found.length;
    found.forEach(on.disagreement);
  };
  const add = (balances: ReadonlyArray<{ account: string; amount_cents: number }>) => {
    for (const { account, amount_cents } of balances)
      report.balances.set(account, (report.balances.get(account) ?? 0) + amount_cents);
  };
  let after = '';
  for (;;) {
    const { upTo, customers } = await findCustomerRange(db, after, BATCH_SIZE);
    if (upTo === null) break;
    const range = { after, upTo };
    await db.transaction(async (tx) => {
      await useSnapshot(tx);
      for (const { check } of checks) tell(await check(tx, range));
      add(await listBalances(tx, range));
    });
    report.customers += customers;
    on.progress(Math.min(1, report.customers / all));
    after = upTo;
  }
  await db.transaction(async (tx) => {
    await useSnapshot(tx);
    for (const { checkRest } of checks) tell((await checkRest?.(tx)) ?? []);
    add(await listMerchantAccounts(tx));
  });
  return report;
}
