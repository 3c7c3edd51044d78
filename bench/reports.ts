import { addDays, saoPauloDay } from '#core/day.ts';
import { recomputeFigures } from '#credit';
import { closeDays, lastDayOver } from '#ledger';
import { openDb } from '#platform/database/db.ts';
import { REPORT_NAMES, REPORTS } from '../src/reports/reports.ts';
import { commandLine } from '../test/commands.ts';
import { INSTALLMENTS, makePurchases, settle } from './purchases.ts';
import { createDatabase, onStage, withClient } from './stage.ts';

const CUSTOMERS = Number(process.env.CUSTOMERS ?? 20_000);
const PURCHASES_EACH = 10;
const MOST_MS = 200;
const TIMES = 5;

/** Purchases of the last 700 days, all due installments paid but for one purchase in twelve, which is late. */
const select = (first: number, last: number) => `
  select n, k, days_ago, case when (n + k) % 12 = 0 then least(due, 2) else due end
  from (select n, k, days_ago, greatest(0, least(${INSTALLMENTS}, (days_ago - 7) / 7 + 1)) as due
        from generate_series(${first}, ${last}) as n, generate_series(1, ${PURCHASES_EACH}) as k,
             lateral (select 8 + (n * 7919 + k * 104729) % 690 as days_ago) as at) as all_of_them`;

/** Every report of today, and of a past day that is stored, with a million installments: each under 0.2 seconds. */
export async function reportsBench(): Promise<boolean> {
  return onStage(async ({ url }) => {
    const databaseUrl = await createDatabase(url, 'reports');
    const migrated = await commandLine(['migrate'], { DATABASE_URL: databaseUrl });
    if (migrated.code !== 0) throw new Error(migrated.stderr);
    await withClient(databaseUrl, (client) =>
      client.query(`insert into categories (slug, name) values ('padarias', 'Padarias');
        insert into merchants (slug, name, name_key, category_slug)
        select 'loja-' || n, 'Loja ' || n, 'loja ' || n, 'padarias' from generate_series(1, 60) as n`),
    );
    await makePurchases(databaseUrl, { customers: CUSTOMERS, cashbackPpm: 0, select }, () => undefined);
    await withClient(databaseUrl, async (client) => {
      await client.query(EXTRAS);
      await settle(client);
    });
    const installments = CUSTOMERS * PURCHASES_EACH * INSTALLMENTS;
    process.stdout.write(`\nReports at ${installments.toLocaleString('en')} installments, in ms\n`);
    const db = openDb({ url: databaseUrl, poolSize: 4, label: 'bench', timeoutMs: 600_000 });
    const clock = { now: () => new Date() };
    try {
      const yesterday = lastDayOver(clock.now());
      const closing = await timed(() => closeDays(db, yesterday));
      const figures = await timed(() => recomputeFigures(db, yesterday));
      process.stdout.write(`once: ledger closed ${closing}, a past day worked out ${figures}\n`);
      let passed = true;
      for (const name of REPORT_NAMES) {
        const ask = (on: ReturnType<typeof saoPauloDay>) => REPORTS[name].make({ db, clock }, on);
        await ask(yesterday);
        const today = await fastest(() => ask(saoPauloDay(Date.now())));
        const past = await fastest(() => ask(yesterday));
        passed &&= today <= MOST_MS && past <= MOST_MS;
        process.stdout.write(
          `${name.padEnd(10)} today ${String(today).padStart(5)}   ${yesterday} ${String(past).padStart(5)}\n`,
        );
      }
      const month = addDays(yesterday, -30);
      process.stdout.write(
        `portfolio of ${month}, never asked for before: ${await timed(() => REPORTS.portfolio.make({ db, clock }, month))}\n`,
      );
      process.stdout.write(passed ? `all under ${MOST_MS}\n` : `NOT all under ${MOST_MS}\n`);
      return passed;
    } finally {
      await db.close();
    }
  });
}

/** Payout lines and charges, as many as there would be, in order of time. */
const EXTRAS = `
  set session_replication_role = replica;
  insert into merchant_lines (merchant_id, id, kind, amount_cents, due_on, merchant_slug, merchant_name, checkout_hash, occurred_at)
  select merchant_id, 'mln_' || hash, 'sale', financed_cents, purchased_at::date + 2, merchant_slug, merchant_name, hash, purchased_at
  from checkouts order by purchased_at;
  insert into pix_charges (customer_id, id, installment_id, checkout_hash, type, value_cents, priced_on, txid, pix_key,
    expiration_seconds, status, br_code, created_at, expires_at, paid_at)
  select customer_id, 'pix_' || substr(id, 5), id, checkout_hash, 'settle', amount_cents, due_on, md5(id), 'key', 3600, 'paid',
    'code', paid_at - interval '90 seconds', paid_at + interval '1 hour', paid_at
  from installments where paid_at is not null order by paid_at;`;

async function timed(work: () => Promise<unknown>): Promise<number> {
  const from = performance.now();
  await work();
  return Math.round(performance.now() - from);
}

async function fastest(work: () => Promise<unknown>): Promise<number> {
  const times: number[] = [];
  for (let i = 0; i < TIMES; i++) times.push(await timed(work));
  return Math.min(...times);
}
