import { LRUCache } from 'lru-cache';
import { type Queryable, type Sql, sql } from '../database/db.ts';

/** A request counts at most this many rows, so that the cost of a page does not depend on the filter. */
export const MAX_COUNTED = 10_000;
/** A request for an older count queues a new one. Until that is ready, the old count is returned, for as long as it is cached. */
const MAX_AGE_MS = 60_000;
const CACHE_TTL_MS = 600_000;
const MAX_CACHED_LISTS = 500;
/** The maximum number of lists in the queue for counting. Further lists are queued by a later request. */
const MAX_QUEUED_COUNTS = 20;

/** The row count of a statement, and the requested sum of a column. With `isEstimated` there are too many rows to count in a request. */
export type Totals = { readonly total: number; readonly sumCents?: number; readonly isEstimated?: true };

type TotalsRow = { total: number; cents?: number };
/** The totals of long lists that this process has counted, for one database. */
type TotalsCache = {
  readonly counts: LRUCache<string, TotalsRow & { countedAtMs: number }>;
  readonly queuedKeys: Set<string>;
  /** Resolves when the last count in the queue is complete. */
  lastCount: Promise<void>;
};
const caches = new WeakMap<Queryable, TotalsCache>();

/**
 * Computes totals. They are exact up to `MAX_COUNTED` rows, in a transaction, and with `isExact`. Otherwise returns a count of the last ten minutes,
 * or the planner's estimate without a sum. `statement` has no `order by`.
 */
export async function computeTotals(
  db: Queryable,
  statement: Sql,
  sumColumn: Sql | undefined,
  isExact = false,
): Promise<Totals> {
  const isTransaction = !('transaction' in db);
  const isCacheable = !isTransaction && !isExact;
  const cache = caches.get(db) ?? createCache();
  const cacheKey = JSON.stringify([statement.text, sumColumn?.strings, statement.values]);
  const cachedCount = isCacheable ? cache.counts.get(cacheKey) : undefined;
  const isFresh = cachedCount !== undefined && performance.now() - cachedCount.countedAtMs <= MAX_AGE_MS;
  if (isFresh) return { ...toTotals(cachedCount), isEstimated: true };
  const limitedCount = (await db.row<TotalsRow>(
    buildCountQuery(sql`${statement} limit ${MAX_COUNTED + 1}`, sumColumn),
  ))!;
  if (limitedCount.total <= MAX_COUNTED) return toTotals(limitedCount);
  if (!isCacheable) return toTotals((await db.row<TotalsRow>(buildCountQuery(statement, sumColumn)))!);
  caches.set(db, cache);
  queueCount(db, cache, cacheKey, buildCountQuery(statement, sumColumn));
  return { ...toTotals(cachedCount ?? { total: await estimateCount(db, statement) }), isEstimated: true };
}

const buildCountQuery = (statement: Sql, sumColumn: Sql | undefined): Sql =>
  sumColumn
    ? sql`select count(*) as total, coalesce(sum(${sumColumn}), 0)::bigint as cents from (${statement}) as counted`
    : sql`select count(*) as total from (${statement}) as counted`;

const toTotals = ({ total, cents: sumCents }: TotalsRow): Totals =>
  sumCents === undefined ? { total } : { total, sumCents };

const createCache = (): TotalsCache => ({
  counts: new LRUCache({ max: MAX_CACHED_LISTS, ttl: CACHE_TTL_MS }),
  queuedKeys: new Set(),
  lastCount: Promise.resolve(),
});

/** Counts one list at a time in the background. If a count fails, the next request queues it again. */
function queueCount(db: Queryable, cache: TotalsCache, key: string, countQuery: Sql): void {
  if (cache.queuedKeys.has(key) || cache.queuedKeys.size >= MAX_QUEUED_COUNTS) return;
  cache.queuedKeys.add(key);
  cache.lastCount = cache.lastCount.then(async () => {
    try {
      const totals = await db.row<TotalsRow>(countQuery);
      cache.counts.set(key, { ...totals!, countedAtMs: performance.now() });
    } catch {
      // The database is unavailable, or counting takes too long.
    } finally {
      cache.queuedKeys.delete(key);
    }
  });
}

type Plan = { 'QUERY PLAN': Array<{ Plan: { 'Plan Rows': number } }> };

async function estimateCount(db: Queryable, statement: Sql): Promise<number> {
  const { text, values } = statement;
  const explainRow = await db.row<Plan>({ text: `explain (format json) ${text}`, values, name: '' });
  return Math.max(MAX_COUNTED + 1, explainRow!['QUERY PLAN'][0]!.Plan['Plan Rows']);
}

/** Waits for all counts in progress. For tests and benchmarks. */
export const waitForCounts = (db: Queryable): Promise<void> => caches.get(db)?.lastCount ?? Promise.resolve();
