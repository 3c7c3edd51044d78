import { applyReceipt } from '#credit';
import { lockCustomerById } from '#customers';
import { systemClock } from '#platform/clock.ts';
import { ProgressBar } from '#platform/command-line/progress-bar.ts';
import { customerTransaction } from '#platform/database/customer-transaction.ts';
import { createLog } from '#platform/observability/log.ts';
import { publishAllOverdue } from '../src/credit/purchases/publish-overdue.ts';
import { createModuleEvents, readConfiguration } from '../src/modules.ts';
import { createDatabase, openBenchDb, withBenchDatabase, withClient } from './environment.ts';
import { createTables, startService } from './processes.ts';
import {
  customerIdSql,
  encryptCustomerIdentities,
  generatePurchases,
  INSTALLMENT_CENTS,
  INSTALLMENTS,
} from './purchases.ts';
import { issueAccessTokens } from './sessions.ts';
import { measureMedianMs } from './side-by-side.ts';

/** The numbers of installments in the two databases. Set GROWTH to change the larger one, e.g. GROWTH=10000000. */
const SMALL_SIZE = 20_000;
const LARGE_SIZE = Number(process.env.GROWTH ?? 400_000);
/** The number of customers for whom each read and payment is measured. */
const SAMPLES = 300;
/** The number of customers who are overdue, but whose events are not published yet, as at midnight. */
const NEWLY_OVERDUE_CUSTOMERS = 1_000;
/** Allowed growth of a latency from SMALL_SIZE to LARGE_SIZE. In the larger database, most rows are not in memory when they are read. */
const MAX_COST_RATIO = 2;

/** Median latencies, the mean latency per customer of publishing overdue events, and the bytes that one installment takes. */
type Figures = {
  listMs: number;
  detailMs: number;
  settlementMs: number;
  overdueMs: number;
  installmentBytes: number;
};

/** Compares the latency of reads, settlements and the events of overdue customers, with few and with many installments in the database. */
export async function runGrowthBench(): Promise<boolean> {
  return withBenchDatabase(async ({ url }) => {
    const [small, large] = [await measureLatencies(SMALL_SIZE, url), await measureLatencies(LARGE_SIZE, url)];
    const latencies = [
      { label: 'list purchases, ms', smallMs: small.listMs, largeMs: large.listMs },
      { label: 'read one purchase, ms', smallMs: small.detailMs, largeMs: large.detailMs },
      { label: 'apply a payment, ms', smallMs: small.settlementMs, largeMs: large.settlementMs },
      {
        label: 'publish overdue events, ms per customer',
        smallMs: small.overdueMs,
        largeMs: large.overdueMs,
      },
    ];
    const print = (text: string) => void process.stdout.write(`${text}\n`);
    const printRow = (label: string, cells: string[]) =>
      print(label.padEnd(42) + cells.map((cell) => cell.padStart(14)).join(''));
    printRow(
      'median',
      [SMALL_SIZE, LARGE_SIZE].map((size) => size.toLocaleString('en')),
    );
    for (const { label, smallMs, largeMs } of latencies)
      printRow(
        label,
        [smallMs, largeMs].map((ms) => ms.toFixed(2)),
      );
    print(`bytes per installment, including related rows and indexes: ${Math.round(large.installmentBytes)}`);
    return latencies.every(({ smallMs, largeMs }) => largeMs <= smallMs * MAX_COST_RATIO);
  });
}

async function measureLatencies(size: number, serverUrl: string): Promise<Figures> {
  const url = await createDatabase(serverUrl, `growth_${size}`);
  await createTables(url);
  const emptyBytes = await queryDatabaseSize(url);
  const bar = new ProgressBar(`${size.toLocaleString('en')} installments`);
  const customers = size / (2 * INSTALLMENTS);
  // Every customer has two purchases. The older one is paid. The second installment of the newer purchase was due three days ago (17 - 2 * 7). Every customer whose number
  // is a multiple of `overdueStep` has not paid it.
  const overdueStep = Math.floor(customers / NEWLY_OVERDUE_CUSTOMERS);
  const purchasePlan = {
    customers,
    cashbackPpm: 0,
    select: (first: number, last: number) => `
      select n as customer, 1 as purchase, 70 as days_ago, ${INSTALLMENTS} as paid_installments
      from generate_series(${first}, ${last}) as n
      union all
      select n, 2, 17, case when n % ${overdueStep} = 0 then 1 else 2 end from generate_series(${first}, ${last}) as n`,
  };
  await generatePurchases(url, purchasePlan, (share) => bar.show(share));
  bar.clear();
  const installmentBytes = ((await queryDatabaseSize(url)) - emptyBytes) / size;
  const db = openBenchDb(url);
  await encryptCustomerIdentities(db);
  const eventContext = { events: createModuleEvents(readConfiguration({})), now: new Date() };
  // The events are published before the service starts, because it would publish them itself.
  const startedAtMs = performance.now();
  const { customerCount } = await publishAllOverdue({
    db,
    clock: systemClock,
    events: eventContext.events,
    log: createLog('error'),
  });
  const overdueMs = (performance.now() - startedAtMs) / customerCount;
  const service = await startService({ DATABASE_URL: url });
  try {
    const samples = await pickInstallments(url, customers, overdueStep);
    const sessions = await issueAccessTokens(
      url,
      samples.map(({ customerId }) => customerId),
    );
    const measureSamples = (run: (sample: Sample, sampleIndex: number) => Promise<void>) =>
      measureMedianMs(SAMPLES, (i) => run(samples[i]!, i));
    const read = async (path: string, token: string) => {
      const response = await fetch(service.url + path, {
        headers: { 'x-api-key': 'sandbox-demo-key', 'x-token': token },
      });
      if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
      await response.arrayBuffer();
    };
    const listMs = await measureSamples((_, i) => read('/wallet/checkouts', sessions[i]!.token));
    const detailMs = await measureSamples(({ hash }, i) =>
      read(`/wallet/checkouts/${hash}`, sessions[i]!.token),
    );
    const settlementMs = await measureSamples(({ customerId, installmentId }, i) =>
      customerTransaction(db, customerId, async (tx) => {
        await lockCustomerById(tx, customerId);
        const receiptInput = {
          reference: `E${String(i).padStart(31, '0')}`,
          source: 'pix',
          purpose: 'pay',
          customerId,
          installmentId,
          receivedAt: eventContext.now,
          amountCents: INSTALLMENT_CENTS,
        } as const;
        await applyReceipt(tx, receiptInput, eventContext);
      }),
    );
    return { listMs, detailMs, settlementMs, overdueMs, installmentBytes };
  } finally {
    await db.close();
    await service.stop();
  }
}

/** A customer with an unpaid installment, and the hash of its purchase. */
type Sample = { customerId: string; hash: string; installmentId: string };

/**
 * Picks at least SAMPLES customers at even distances, each with the next unpaid installment. None of them is overdue, because their numbers
 * are one more than multiples of `overdueStep`.
 */
async function pickInstallments(url: string, customers: number, overdueStep: number): Promise<Sample[]> {
  const step = Math.floor(customers / SAMPLES / overdueStep) * overdueStep;
  return withClient(url, async (client) => {
    const { rows } = await client.query<Sample>(
      `select distinct on (i.customer_id) i.customer_id as "customerId", i.checkout_hash as hash, i.id as "installmentId"
       from installments i join (select ${customerIdSql('n')} as id from generate_series(1, ${customers}, ${step}) as n) as customer
         on customer.id = i.customer_id
       where i.paid_at is null order by i.customer_id, i.number`,
    );
    return rows;
  });
}

async function queryDatabaseSize(url: string): Promise<number> {
  return withClient(url, async (client) => {
    const {
      rows: [row],
    } = await client.query('select pg_database_size(current_database()) as bytes');
    return Number(row.bytes);
  });
}
