import { addDays, type Day, saoPauloDay } from '#core/values/day.ts';
import { recomputeFigures, updateFigureSums } from '#credit';
import { closeDays, findLastClosableDay } from '#ledger';
import { systemClock } from '#platform/clock.ts';
import { REPORT_NAMES, REPORTS } from '../src/back-office/reports/reports.ts';
import { runCli } from '../test/commands.ts';
import { createDatabase, openBenchDb, withBenchDatabase, withClient } from './environment.ts';
import { generatePurchases, INSTALLMENTS, vacuumAndCheckpoint } from './purchases.ts';

const CUSTOMERS = Number(process.env.CUSTOMERS ?? 20_000);
const PURCHASES_PER_CUSTOMER = 10;
const MAX_MS = 200;
/** How often each report is computed. The fastest computation counts. */
const SAMPLES = 5;

/**
 * Selects purchases of the last 700 days. One purchase of twelve is overdue, with at most two paid installments. Of the others, all due
 * installments are paid. The multipliers are primes, which distribute the purchases evenly over the days.
 */
const selectPurchases = (first: number, last: number) => `
  select customer, purchase, days_ago, case when (customer + purchase) % 12 = 0 then least(due_installments, 2) else due_installments end as paid_installments
  from (select customer, purchase, days_ago, least(${INSTALLMENTS}, days_ago / 7) as due_installments
        from generate_series(${first}, ${last}) as customer, generate_series(1, ${PURCHASES_PER_CUSTOMER}) as purchase,
             lateral (select 8 + (customer * 7919 + purchase * 104729) % 690 as days_ago) as dates) as purchases`;

/** Measures every report of today and of a past day whose figures are stored, with a million installments. Each must take at most MAX_MS. */
export async function runReportsBench(): Promise<boolean> {
  return withBenchDatabase(async ({ url }) => {
    const databaseUrl = await createDatabase(url, 'reports');
    const migration = await runCli(['migrate'], { DATABASE_URL: databaseUrl });
    if (migration.code !== 0) throw new Error(migration.stderr);
    await withClient(databaseUrl, (client) =>
      client.query(`insert into categories (slug, name) values ('padarias', 'Padarias');
        insert into merchants (slug, name, name_key, category_slug)
        select 'loja-' || n, 'Loja ' || n, 'loja ' || n, 'padarias' from generate_series(1, 60) as n`),
    );
    await generatePurchases(databaseUrl, { customers: CUSTOMERS, cashbackPpm: 0, select: selectPurchases });
    await withClient(databaseUrl, async (client) => {
      await client.query(INSERT_PAYOUTS_AND_CHARGES);
      await vacuumAndCheckpoint(client);
    });
    const installments = CUSTOMERS * PURCHASES_PER_CUSTOMER * INSTALLMENTS;
    process.stdout.write(`\nReports at ${installments.toLocaleString('en')} installments, in ms\n`);
    const db = openBenchDb(databaseUrl, { timeoutMs: 600_000 });
    try {
      const yesterday = findLastClosableDay(systemClock.now());
      const closingMs = await measureMs(() => closeDays(db, yesterday));
      const creditFiguresMs = await measureMs(() => recomputeFigures(db, yesterday));
      const creditSumsMs = await measureMs(() => updateFigureSums(db, systemClock.now()));
      process.stdout.write(
        `once: close the ledger ${closingMs}, compute the credit figures of a past day ${creditFiguresMs}, the credit sums for today ${creditSumsMs}\n`,
      );
      let areAllFast = true;
      for (const name of REPORT_NAMES) {
        const computeReport = (day: Day) => REPORTS[name].compute({ db, clock: systemClock }, day);
        await computeReport(yesterday); // warms up the caches of the database
        const todayMs = await measureFastestMs(() => computeReport(saoPauloDay(Date.now())));
        const pastMs = await measureFastestMs(() => computeReport(yesterday));
        areAllFast &&= todayMs <= MAX_MS && pastMs <= MAX_MS;
        process.stdout.write(
          `${name.padEnd(10)} today ${String(todayMs).padStart(5)}   ${yesterday} ${String(pastMs).padStart(5)}\n`,
        );
      }
      const monthAgo = addDays(yesterday, -30);
      const firstPortfolioMs = await measureMs(() =>
        REPORTS.portfolio.compute({ db, clock: systemClock }, monthAgo),
      );
      process.stdout.write(`portfolio of ${monthAgo}, computed for the first time: ${firstPortfolioMs}\n`);
      process.stdout.write(
        areAllFast ? `All take at most ${MAX_MS} ms.\n` : `NOT all take at most ${MAX_MS} ms.\n`,
      );
      return areAllFast;
    } finally {
      await db.close();
    }
  });
}

/** Inserts a payout line for each purchase and a charge for each paid installment, in chronological order. */
const INSERT_PAYOUTS_AND_CHARGES = `
  set session_replication_role = replica;
  insert into merchant_lines (merchant_id, id, kind, amount_cents, due_on, merchant_slug, merchant_name, checkout_hash, occurred_at)
  select merchant_id, 'mln_' || hash, 'sale', financed_cents, purchased_at::date + 2, merchant_slug, merchant_name, hash, purchased_at
  from checkouts order by purchased_at;
  insert into pix_charges (customer_id, id, installment_id, checkout_hash, type, value_cents, priced_on, txid, pix_key,
    expiration_seconds, status, br_code, created_at, expires_at, paid_at)
  select customer_id, 'pix_' || substr(id, 5), id, checkout_hash, 'settle', amount_cents, due_on, md5(id), 'key', 3600, 'paid',
    'code', paid_at - interval '90 seconds', paid_at + interval '1 hour', paid_at
  from installments where paid_at is not null order by paid_at;`;

async function measureMs(run: () => Promise<unknown>): Promise<number> {
  const startedAtMs = performance.now();
  await run();
  return Math.round(performance.now() - startedAtMs);
}

async function measureFastestMs(run: () => Promise<unknown>): Promise<number> {
  const durationsMs: number[] = [];
  for (let i = 0; i < SAMPLES; i++) durationsMs.push(await measureMs(run));
  return Math.min(...durationsMs);
}
