import { addDays, saoPauloDay } from '#core/day.ts';
import { type Db, openDb } from '#platform/database/db.ts';
import { type Listing, listPage } from '#platform/http/listing.ts';
import { whenCounted } from '#platform/http/totals.ts';
import { listedCheckouts } from '../src/credit/reports/staff-store.ts';
import { commandLine } from '../test/commands.ts';
import { median } from './side-by-side.ts';
import { createDatabase, onStage, withClient } from './stage.ts';

const SMALL = 1_000;
/** PURCHASES=100000 npm run bench office: fewer. */
const LARGE = Number(process.env.PURCHASES ?? 1_000_000);
const SAMPLES = 40;
const LIMIT = 50;
/** Allowed growth of the cost of a page with a thousand times the purchases. Up to 10,000 rows are counted for it, a thousand in the small one. */
const MOST_COST = 12;
/** Below that a page is quick whatever the ratio. */
const QUICK_MS = 25;

/** A page of purchases at the staff door, with its totals, among a thousand purchases and among a million. */
export async function officeBench(): Promise<boolean> {
  return onStage(async ({ url }) => {
    const [small, large] = [await measure(SMALL, url), await measure(LARGE, url)];
    const print = (text: string) => void process.stdout.write(`${text}\n`);
    const sizes = [SMALL, LARGE].map((size) => size.toLocaleString('en').padStart(12)).join('');
    print(`\n${'a page of purchases, ms (median)'.padEnd(44)}${sizes}       ratio`);
    let passed = true;
    for (const [name, before] of small) {
      const now = large.get(name)!;
      passed &&= now <= before * MOST_COST || now <= QUICK_MS;
      const figures = [before, now].map((ms) => ms.toFixed(2).padStart(12)).join('');
      print(`${name.padEnd(44)}${figures}${(now / before).toFixed(1).padStart(12)}`);
    }
    print(
      passed
        ? `all at most ${MOST_COST} times, or under ${QUICK_MS} ms`
        : `NOT all at most ${MOST_COST} times, or under ${QUICK_MS} ms`,
    );
    return passed;
  });
}

async function measure(purchases: number, serverUrl: string): Promise<Map<string, number>> {
  const url = await createDatabase(serverUrl, `office_${purchases}`);
  const migrated = await commandLine(['migrate'], { DATABASE_URL: url });
  if (migrated.code !== 0) throw new Error(migrated.stderr);
  await withClient(url, (client) => client.query(making(purchases)));
  await withClient(url, (client) => client.query('vacuum analyze checkouts'));
  const db = openDb({ url, poolSize: 4, label: 'bench', timeoutMs: 60_000 });
  try {
    return await timesOf(db);
  } finally {
    await db.close();
  }
}

async function timesOf(db: Db): Promise<Map<string, number>> {
  const today = saoPauloDay(Date.now());
  const day = addDays(today, -30);
  const filters: Record<string, Parameters<typeof listedCheckouts>[0]> = {
    'no filter': {},
    'a merchant who sells half': { merchantId: 1 },
    'overdue, one in twelve': { status: 'overdue' },
    paid: { status: 'paid' },
    'a day': { from: day, to: day },
    'a customer': { customerId: 'cus_00000001' },
  };
  const times = new Map<string, number>();
  for (const [name, filter] of Object.entries(filters)) {
    const listing = listedCheckouts(filter, today);
    const first = await listPage(db, listing, { page: 1, limit: LIMIT });
    await whenCounted(db);
    times.set(name, await timed(() => listPage(db, listing, { page: 1, limit: LIMIT })));
    if (first.next) times.set(`${name}, the next page by key`, await byKey(db, listing, first.next));
  }
  return times;
}

const byKey = <Row>(db: Db, listing: Listing<Row>, after: string) =>
  timed(() => listPage(db, listing, { page: 2, limit: LIMIT, after }));

async function timed(work: () => Promise<unknown>): Promise<number> {
  const times: number[] = [];
  for (let i = 0; i < SAMPLES; i++) {
    const from = performance.now();
    await work();
    times.push(performance.now() - from);
  }
  return median(times);
}

/** Purchases of two years, twenty a customer; one in twelve is late, the older ones are paid. Only what a list reads. */
const making = (purchases: number) => `
  set session_replication_role = replica;
  insert into checkouts (customer_id, hash, merchant_id, merchant_slug, merchant_name, purchased_at, created_at,
    financed_cents, total_cents, installments_total, weekly_rate_ppm, fine_ppm, late_interest_ppm, extension_fee_ppm,
    extension_days, extension_limit, cashback_ppm, cet_month_ppm, cet_year_ppm, merchant_fee_ppm, payout_days,
    paid_cents, outstanding_cents, installments_paid, next_due_on, late_after, settled_at)
  select 'cus_' || lpad((n % greatest(1, ${purchases} / 20))::text, 8, '0'), substr(md5(n::text), 1, 22), 1 + n % 2, 'loja-' || 1 + n % 2,
         'Loja', at, at, 10000, 10000, 4, 0, 20000, 10000, 50000, 7, 2, 0, 0, 0, 0, 2,
         case when is_paid then 10000 else 2500 end, case when is_paid then 0 else 7500 end, case when is_paid then 4 else 1 end,
         case when is_paid then null else late end, case when is_paid then 'infinity' else late end,
         case when is_paid then at + interval '28 days' end
  from (select n, at, not is_late and at < now() - interval '35 days' as is_paid,
               (case when is_late then at + interval '14 days' else at + interval '40 days' end)::date as late
        from (select n, now() - (n * interval '730 days' / ${purchases}) as at, n % 12 = 0 and n * 730.0 / ${purchases} > 20 as is_late
              from generate_series(1, ${purchases}) as n) as dated) as made`;
