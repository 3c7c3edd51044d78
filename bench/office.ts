import { addDays, saoPauloDay } from '#core/values/day.ts';
import type { Db } from '#platform/database/db.ts';
import { buildListQuery, type FilterValues } from '#platform/http/list.ts';
import { type ListQuery, queryListPage } from '#platform/http/list-query.ts';
import { waitForCounts } from '#platform/http/totals.ts';
import { checkoutList } from '../src/credit/staff/staff-store.ts';
import { runCli } from '../test/commands.ts';
import { createDatabase, openBenchDb, withBenchDatabase, withClient } from './environment.ts';
import { measureMedianMs } from './side-by-side.ts';

/** The numbers of purchases in the two databases. Set PURCHASES to change the larger one, e.g. PURCHASES=100000. */
const SMALL_SIZE = 1_000;
const LARGE_SIZE = Number(process.env.PURCHASES ?? 1_000_000);
/** How often each page is read. */
const SAMPLES = 40;
const PAGE_SIZE = 50;
/** The maximum growth of a page's cost from SMALL_SIZE to LARGE_SIZE. Most of it is the cost of the total, which counts at most 10,000 rows. */
const MAX_COST_RATIO = 12;
/** A page that takes at most this long passes with any ratio. */
const MAX_PASSING_MS = 25;

/** Compares the cost of a page of purchases and of its total in the staff API, with few and with many purchases in the database. */
export async function runOfficeBench(): Promise<boolean> {
  return withBenchDatabase(async ({ url }) => {
    const smallMediansMs = await measurePages(SMALL_SIZE, url);
    const largeMediansMs = await measurePages(LARGE_SIZE, url);
    const print = (text: string) => void process.stdout.write(`${text}\n`);
    const sizes = [SMALL_SIZE, LARGE_SIZE].map((size) => size.toLocaleString('en').padStart(12)).join('');
    print(`\n${'a page of purchases, ms (median)'.padEnd(44)}${sizes}       ratio`);
    let areAllFast = true;
    for (const [name, smallMs] of smallMediansMs) {
      const largeMs = largeMediansMs.get(name)!;
      areAllFast &&= largeMs <= smallMs * MAX_COST_RATIO || largeMs <= MAX_PASSING_MS;
      const figures = [smallMs, largeMs].map((ms) => ms.toFixed(2).padStart(12)).join('');
      print(`${name.padEnd(44)}${figures}${(largeMs / smallMs).toFixed(1).padStart(12)}`);
    }
    print(
      areAllFast
        ? `All pages cost at most ${MAX_COST_RATIO} times as much, or take at most ${MAX_PASSING_MS} ms.`
        : `NOT all pages cost at most ${MAX_COST_RATIO} times as much, or take at most ${MAX_PASSING_MS} ms.`,
    );
    return areAllFast;
  });
}

/** Returns the median duration in milliseconds of each page, by its name. */
async function measurePages(purchaseCount: number, serverUrl: string): Promise<Map<string, number>> {
  const url = await createDatabase(serverUrl, `office_${purchaseCount}`);
  const migration = await runCli(['migrate'], { DATABASE_URL: url });
  if (migration.code !== 0) throw new Error(migration.stderr);
  await withClient(url, (client) => client.query(renderInsertPurchases(purchaseCount)));
  await withClient(url, (client) => client.query('vacuum analyze checkouts'));
  const db = openBenchDb(url, { timeoutMs: 60_000 });
  try {
    return await measureFilters(db);
  } finally {
    await db.close();
  }
}

async function measureFilters(db: Db): Promise<Map<string, number>> {
  const today = saoPauloDay(Date.now());
  const day = addDays(today, -30);
  const filters: Record<string, FilterValues<typeof checkoutList.filters>> = {
    'no filter': {},
    'one of two merchants': { merchant: 1 },
    'overdue, one in twelve': { status: 'overdue' },
    paid: { status: 'paid' },
    'a day': { from: day, to: day },
    'a customer': { customer: 'cus_00000001' },
  };
  const mediansMs = new Map<string, number>();
  for (const [name, filter] of Object.entries(filters)) {
    const listQuery = buildListQuery(checkoutList, filter, new Date());
    const firstPage = await queryListPage(db, listQuery, { page: 1, limit: PAGE_SIZE });
    // Long lists are counted in the background, which would slow down the measured queries.
    await waitForCounts(db);
    mediansMs.set(
      name,
      await measureMedianMs(SAMPLES, () => queryListPage(db, listQuery, { page: 1, limit: PAGE_SIZE })),
    );
    if (firstPage.next)
      mediansMs.set(`${name}, the next page by key`, await measureNextPage(db, listQuery, firstPage.next));
  }
  return mediansMs;
}

const measureNextPage = <Row>(db: Db, listQuery: ListQuery<Row>, nextPageKey: string) =>
  measureMedianMs(SAMPLES, () =>
    queryListPage(db, listQuery, { page: 2, limit: PAGE_SIZE, after: nextPageKey }),
  );

/**
 * Renders SQL that inserts purchases of two years, twenty per customer. One in twelve is overdue if it is older than eight days;
 * the others are paid if they are older than 35 days. The values of columns that the list does not read are arbitrary.
 */
const renderInsertPurchases = (purchaseCount: number) => `
  set session_replication_role = replica;
  insert into checkouts (customer_id, hash, merchant_id, merchant_slug, merchant_name, purchased_at, created_at,
    financed_cents, total_cents, installments_total, weekly_rate_ppm, fine_ppm, late_interest_ppm, extension_fee_ppm,
    extension_days, extension_limit, cashback_ppm, cet_month_ppm, cet_year_ppm, merchant_fee_ppm, payout_days,
    paid_cents, outstanding_cents, installments_paid, next_due_on, late_after, settled_at)
  select 'cus_' || lpad((number % greatest(1, ${purchaseCount} / 20))::text, 8, '0'), substr(md5(number::text), 1, 22), 1 + number % 2, 'loja-' || 1 + number % 2,
         'Loja', purchased_at, purchased_at,
         10000, 10000, 4, 0, 20000, 10000, 50000,
         7, 2, 0, 0, 0, 0, 2,
         case when is_paid then 10000 else 2500 end, case when is_paid then 0 else 7500 end, case when is_paid then 4 else 1 end,
         case when is_paid then null else due_on end, case when is_paid then 'infinity' else due_on end,
         case when is_paid then purchased_at + interval '28 days' end
  from (select number, purchased_at, not is_overdue and purchased_at < now() - interval '35 days' as is_paid,
               (purchased_at + case when is_overdue then interval '7 days' else interval '40 days' end)::date as due_on
        from (select number, now() - days_ago * interval '1 day' as purchased_at, number % 12 = 0 and days_ago > 8 as is_overdue
              from (select number, number * 730.0 / ${purchaseCount} as days_ago
                    from generate_series(1, ${purchaseCount}) as number) as aged_purchase) as dated_purchase) as purchase`;
