import { LRUCache } from 'lru-cache';
import { type Queryable, type Sql, sql } from '../database/db.ts';

/** At most this many rows are counted within a request, so that the cost of a page does not depend on the filter. */
export const MOST_COUNTED = 10_000;
const FRESH_MS = 60_000;
const KEPT_MS = 600_000;
const MOST_KEPT = 500;
/** The most lists that wait for a count. Others are counted at a later request. */
const MOST_WAITING = 20;

/** How many rows a statement finds, and their sum where there is one. `isEstimated`: they are too many to be counted for one request. */
export type Totals = { readonly total: number; readonly sumCents?: number; readonly isEstimated?: true };

type TotalsRow = { total: number; cents?: number };
/** A node's cache of the totals of long lists, by database. */
type Node = {
  readonly kept: LRUCache<string, TotalsRow & { atMs: number }>;
  readonly waiting: Set<string>;
  last: Promise<void>;
};
const nodes = new WeakMap<Queryable, Node>();

/**
 * Exact up to `MOST_COUNTED` rows. Beyond that it is the node's cached count, at most ten minutes old, which is refreshed in the
 * background after a minute. Without one it is the planner's estimate, without a sum. In a transaction and with `isCounted` it is always
 * exact. `found`: the statement without its order.
 */
export async function findTotals(
  db: Queryable,
  found: Sql,
  sum: Sql | undefined,
  isCounted = false,
): Promise<Totals> {
  const isPool = 'transaction' in db && !isCounted;
  const node = nodes.get(db) ?? newNode();
  const key = JSON.stringify([found.text, sum?.strings, found.values]);
  const known = isPool ? node.kept.get(key) : undefined;
  const isFresh = known !== undefined && performance.now() - known.atMs <= FRESH_MS;
  if (isFresh) return { ...totalsOf(known), isEstimated: true };
  const some = (await db.row<TotalsRow>(counting(sql`${found} limit ${MOST_COUNTED + 1}`, sum)))!;
  if (some.total <= MOST_COUNTED) return totalsOf(some);
  if (!isPool) return totalsOf((await db.row<TotalsRow>(counting(found, sum)))!);
  nodes.set(db, node);
  countLater(db, node, key, counting(found, sum));
  return { ...totalsOf(known ?? { total: await estimate(db, found) }), isEstimated: true };
}

const counting = (found: Sql, sum: Sql | undefined): Sql =>
  sum
    ? sql`select count(*) as total, coalesce(sum(${sum}), 0)::bigint as cents from (${found}) as counted`
    : sql`select count(*) as total from (${found}) as counted`;

const totalsOf = ({ total, cents: sumCents }: TotalsRow): Totals =>
  sumCents === undefined ? { total } : { total, sumCents };

const newNode = (): Node => ({
  kept: new LRUCache({ max: MOST_KEPT, ttl: KEPT_MS }),
  waiting: new Set(),
  last: Promise.resolve(),
});

/** One list at a time. A count that fails is left for the next request. */
function countLater(db: Queryable, node: Node, key: string, statement: Sql): void {
  if (node.waiting.has(key) || node.waiting.size >= MOST_WAITING) return;
  node.waiting.add(key);
  node.last = node.last.then(async () => {
    try {
      const counted = await db.row<TotalsRow>(statement);
      node.kept.set(key, { ...counted!, atMs: performance.now() });
    } catch {
      // The database is away, or it takes too long.
    } finally {
      node.waiting.delete(key);
    }
  });
}

type Plan = { 'QUERY PLAN': Array<{ Plan: { 'Plan Rows': number } }> };

async function estimate(db: Queryable, found: Sql): Promise<number> {
  const { text, values } = found;
  const row = await db.row<Plan>({ text: `explain (format json) ${text}`, values, name: '' });
  return Math.max(MOST_COUNTED + 1, row!['QUERY PLAN'][0]!.Plan['Plan Rows']);
}

/** Until everything that is being counted is counted: for tests and benchmarks. */
export const whenCounted = (db: Queryable): Promise<void> => nodes.get(db)?.last ?? Promise.resolve();
