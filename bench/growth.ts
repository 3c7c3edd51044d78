import { applyReceipt } from '#credit';
import { lockCustomerById } from '#customers';
import { systemClock } from '#platform/clock.ts';
import { ProgressBar } from '#platform/command-line/progress-bar.ts';
import { customerTransaction } from '#platform/database/customer-transaction.ts';
import { openDb } from '#platform/database/db.ts';
import { openLog } from '#platform/observability/log.ts';
import { SANDBOX_SECRETS, Vault } from '#platform/vault.ts';
import { tellAllOverdue } from '../src/credit/purchases/tell-overdue.ts';
import { eventsOf, readConfiguration } from '../src/modules.ts';
import { startService } from './processes.ts';
import { customerIdSql, INSTALLMENT_CENTS, INSTALLMENTS, makePurchases, namePeople } from './purchases.ts';
import { median } from './side-by-side.ts';
import { createDatabase, onStage, withClient } from './stage.ts';
import { letIn } from './visitors.ts';

const SMALL = 20_000;
/** GROWTH=10000000 npm run bench -- growth: ten million. */
const LARGE = Number(process.env.GROWTH ?? 400_000);
const SAMPLES = 300;
/** Customers who become overdue as the day turns. */
const TURNED = 1_000;
/** Allowed growth of the cost with 500 times the data: rows read for the first time are no longer in memory. */
const MOST_COST = 2;

type Figures = { list: number; detail: number; settlement: number; turn: number; bytes: number };

/** Latency of reads, settlement and the turn of the day with few and with many installments in the database, for one caller. */
export async function growthBench(): Promise<boolean> {
  return onStage(async ({ url }) => {
    const [small, large] = [await figuresWith(SMALL, url), await figuresWith(LARGE, url)];
    const lines = [
      ['list of purchases, ms', small.list, large.list],
      ['one purchase, ms', small.detail, large.detail],
      ['a payment applied, ms', small.settlement, large.settlement],
      ['told that it is overdue, ms a customer', small.turn, large.turn],
    ] as const;
    const print = (text: string) => void process.stdout.write(`${text}\n`);
    print(
      `${'median'.padEnd(42)}${[SMALL, LARGE].map((size) => size.toLocaleString('en').padStart(14)).join('')}`,
    );
    for (const [what, ...values] of lines)
      print(what.padEnd(42) + values.map((value) => value.toFixed(2).padStart(14)).join(''));
    print(`bytes an installment, with all that belongs to it ${Math.round(large.bytes)}`);
    return lines.every(([, before, now]) => now <= before * MOST_COST);
  });
}

async function figuresWith(size: number, serverUrl: string): Promise<Figures> {
  const url = await createDatabase(serverUrl, `growth_${size}`);
  await (await startService({ DATABASE_URL: url })).stop(); // makes the tables
  const emptyBytes = await bytesOf(url);
  const bar = new ProgressBar(`${size.toLocaleString('en')} installments`);
  const customers = size / (2 * INSTALLMENTS);
  // The older purchase is paid. Of the newer one the second installment was due three days ago, and some have not paid it.
  const step = Math.floor(customers / TURNED);
  const bought = {
    customers,
    cashbackPpm: 0,
    select: (first: number, last: number) => `
      select n, 1, 70, ${INSTALLMENTS} from generate_series(${first}, ${last}) as n
      union all
      select n, 2, 17, case when n % ${step} = 0 then 1 else 2 end from generate_series(${first}, ${last}) as n`,
  };
  await makePurchases(url, bought, (share) => bar.show(share, ''));
  bar.clear();
  const bytes = ((await bytesOf(url)) - emptyBytes) / size;
  const db = openDb({ url, poolSize: 2, label: 'bench', vault: new Vault(SANDBOX_SECRETS) });
  await namePeople(db);
  const given = { events: eventsOf(readConfiguration({})), now: new Date() };
  // Measured before a service runs, which would do it by itself.
  const startedAtMs = performance.now();
  const { customers: told } = await tellAllOverdue({
    db,
    clock: systemClock,
    events: given.events,
    log: openLog('error'),
  });
  const turn = (performance.now() - startedAtMs) / told;
  const service = await startService({ DATABASE_URL: url });
  try {
    const picked = await pick(url, customers);
    const visitors = await letIn(
      url,
      picked.map(({ customer_id }) => customer_id),
    );
    const get = (i: number, path: string) =>
      fetch(service.url + path, {
        headers: { 'x-api-key': 'sandbox-demo-key', 'x-token': visitors[i]!.token },
      }).then(async (answer) => {
        if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
        await answer.arrayBuffer();
      });
    const list = await timed((i) => get(i, '/wallet/checkouts'));
    const detail = await timed((i) => get(i, `/wallet/checkouts/${picked[i]!.hash}`));
    const settlement = await timed((i) =>
      customerTransaction(db, picked[i]!.customer_id, async (tx) => {
        const { customer_id: customerId, id: installmentId } = picked[i]!;
        await lockCustomerById(tx, customerId);
        const received = {
          reference: `E${String(i).padStart(31, '0')}`,
          source: 'pix',
          purpose: 'pay',
        } as const;
        await applyReceipt(
          tx,
          { ...received, customerId, installmentId, receivedAt: given.now, amountCents: INSTALLMENT_CENTS },
          given,
        );
      }),
    );
    return { list, detail, settlement, turn, bytes };
  } finally {
    await db.close();
    await service.stop();
  }
}

async function timed(work: (i: number) => Promise<void>): Promise<number> {
  const times: number[] = [];
  for (let i = 0; i < SAMPLES; i++) {
    const startedAtMs = performance.now();
    await work(i);
    times.push(performance.now() - startedAtMs);
  }
  return median(times);
}

type Picked = { customer_id: string; hash: string; id: string };

/** Customers spread evenly over all who are not overdue, with the next installment of the newer purchase. */
async function pick(url: string, customers: number): Promise<Picked[]> {
  const step = Math.floor(customers / SAMPLES);
  return withClient(url, async (client) => {
    const { rows } = await client.query<Picked>(
      `select distinct on (i.customer_id) i.customer_id, i.checkout_hash as hash, i.id
       from installments i join (select ${customerIdSql('n')} as id from generate_series(1, $1::int, $2::int) as n) c
         on c.id = i.customer_id
       where i.paid_at is null order by i.customer_id, i.number`,
      [customers, step],
    );
    return rows;
  });
}

async function bytesOf(url: string): Promise<number> {
  return withClient(url, async (client) => {
    const { rows } = await client.query('select pg_database_size(current_database()) as bytes');
    return Number(rows[0].bytes);
  });
}
