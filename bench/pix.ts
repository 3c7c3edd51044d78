import { setTimeout as sleep } from 'node:timers/promises';
import { table } from '#platform/command-line/command.ts';
import { ProgressBar } from '#platform/command-line/progress-bar.ts';
import { type Db, openDb, sql } from '#platform/database/db.ts';
import { SANDBOX_SECRETS, Vault } from '#platform/vault.ts';
import { SANDBOX_PIX } from '../src/pix/settings.ts';
import { postgresMeter, processMeter } from './cpu.ts';
import { DEBITS_ENV, measureDebits } from './debits.ts';
import { startService, startSimulator } from './processes.ts';
import {
  countPayments,
  IN_ONE_NOTICE,
  inParallel,
  logIn,
  type Measured,
  type Meters,
  makeCustomer,
  measured,
  measureInserts,
  PAYERS,
  post,
  type Running,
  readMetric,
  sellTo,
} from './rates.ts';
import { onStage } from './stage.ts';
import { makeStatements } from './statements.ts';

const CUSTOMERS = 560;
const INSTALLMENTS = 8;
/** Charges made and paid as a warm-up of code, tables, plans and connections. */
const FIRST = 1_280;
/** The time to settle is measured at this share of the highest rate: at the highest itself, queues only grow. */
const STEADY = 0.5;

type Code = { customer: number; installmentId: string; txid: string; endToEndId: string; paidAt: string };

/**
 * Charges and settlements a second, compared with plain inserts of one row on the same database in the same run. The PSP is
 * the simulator, in a process of its own, with its tables in the same database. Other load on the machine slows everything,
 * so the CPU time of one charge or settlement in all processes is also given in plain inserts.
 */
export async function pixBench(): Promise<boolean> {
  return onStage(({ url }) => measurePix(url));
}

async function measurePix(databaseUrl: string): Promise<boolean> {
  const vault = new Vault(SANDBOX_SECRETS);
  const db = openDb({ url: databaseUrl, poolSize: 4, label: 'bench', vault, timeoutMs: 60_000 });
  await (await startService({ DATABASE_URL: databaseUrl })).stop(); // makes the tables
  const bar = new ProgressBar('PIX');
  const show = (text: string) => bar.show(undefined, text);
  // Tables and plans like those of a service that has been running for a while.
  await makeStatements(databaseUrl, (share, what) => bar.show(share, what));
  const simulator = await startSimulator(databaseUrl);
  const service = await startService({ DATABASE_URL: databaseUrl, ...simulator.env, ...DEBITS_ENV });
  const meters = {
    service: processMeter(service.pid),
    PostgreSQL: await postgresMeter(db),
    simulator: processMeter(simulator.pid),
    caller: ownCpu,
  };
  try {
    show('selling ...');
    const codes = await sell(db);
    const tokens = await logIn(service, codes.phones);
    show('plain inserts ...');
    const before = await measureInserts(databaseUrl, meters.PostgreSQL);
    show('charges ...');
    const [first, others] = [codes.list.slice(0, FIRST), codes.list.slice(FIRST)];
    await measureCharges(service, tokens, first);
    await analyze(db);
    const charges = await measureCharges(service, tokens, others, meters);
    show('paying, unheard of ...');
    // A quarter at a time: the sweep, which runs every minute, would find the rest before its notice.
    const quarter = others.length / 4;
    const many = others.slice(0, 2 * quarter);
    const single = others.slice(2 * quarter, 3 * quarter);
    await analyze(db);
    await payAll(db, first);
    await measureSettlements(service, db, first);
    await analyze(db);
    await payAll(db, many);
    show('settlements, as fast as they go ...');
    const settlements = await measureSettlements(service, db, many, meters);
    await analyze(db);
    await payAll(db, single);
    show('settlements, a notice for each ...');
    const alone = await measureSettlements(service, db, single, meters, 1);
    show('autopay ...');
    const debits = await measureDebits(service, db, { phones: codes.phones, tokens }, meters);
    show('plain inserts ...');
    const after = await measureInserts(databaseUrl, meters.PostgreSQL);
    show('settlements, steadily ...');
    const steady = await measureSteady(service, db, others.slice(3 * quarter), alone.rate * STEADY);
    bar.clear();
    const inserts = {
      rate: (before.rate + after.rate) / 2,
      eachMs: (before.eachMs + after.eachMs) / 2,
    };
    return report(inserts, [charges, settlements, alone, ...debits], steady);
  } finally {
    bar.clear();
    await service.stop();
    await simulator.stop();
    await db.close();
  }
}

function report(
  inserts: { rate: number; eachMs: number },
  measured: Measured[],
  steady: { rate: number; withinASecond: number; count: number },
): boolean {
  const rows = measured.map(({ name, rate, cpu, spent }) => [
    name,
    rate.toFixed(0),
    inserts.rate.toFixed(0),
    (rate / inserts.rate).toFixed(3),
    `${(cpu * 100).toFixed(0)} %`,
    (sumOf(Object.values(spent)) / inserts.eachMs).toFixed(1),
    ...Object.values(spent).map((ms) => `${ms.toFixed(2)} ms`),
  ]);
  const shares = Object.keys(measured[0]!.spent).map((who) => `EACH, ${who}`);
  process.stdout.write(
    `${table(['PIX', 'A SECOND', 'PLAIN INSERTS', 'RATIO', "SERVICE'S CPU", 'EACH, IN INSERTS', ...shares], rows)}\n\n`,
  );
  const share = (steady.withinASecond * 100).toFixed(1);
  process.stdout.write(
    `At a steady ${steady.rate.toFixed(0)} notices a second, ${share} % of ${steady.count} settlements were applied within one second of the callback (at least 99 %).\n`,
  );
  return steady.withinASecond >= 0.99;
}

/** As autovacuum does within a minute. */
const analyze = (db: Db) => db.run(sql`analyze`);
const ownCpu = () => (process.cpuUsage().user + process.cpuUsage().system) / 1e6;
const sumOf = (values: number[]) => values.reduce((sum, value) => sum + value, 0);

export async function sell(db: Db): Promise<{ phones: string[]; list: Code[] }> {
  const phones: string[] = [];
  const list: Code[] = [];
  for (let customer = 0; customer < CUSTOMERS; customer++) {
    const phone = `+551197${String(1_000_000 + customer)}`;
    phones.push(phone);
    await makeCustomer(db, phone);
    const file = await sellTo(db, phone, { amount: 800, installments: INSTALLMENTS });
    for (const { id } of file.installments)
      list.push({ customer, installmentId: id!, txid: '', endToEndId: '', paidAt: '' });
  }
  // Codes of different customers alternate: consecutive codes of one customer would wait for the same lock.
  return {
    phones,
    list: list.toSorted((a, b) => a.installmentId.slice(-8).localeCompare(b.installmentId.slice(-8))),
  };
}

export async function measureCharges(
  service: Running,
  tokens: string[],
  codes: Code[],
  meters?: Meters,
): Promise<Measured> {
  const work = () =>
    inParallel(codes, PAYERS, async (code) => {
      const url = `${service.url}/wallet/installments/${code.installmentId}/pix`;
      const response = await post(url, { type: 'settle' }, { 'x-token': tokens[code.customer]! });
      if (response.status !== 201) throw new Error(`${response.status}: ${response.text}`);
      code.txid = (JSON.parse(response.text) as { txid: string }).txid;
    });
  return measured('charges', service, codes.length, work, meters);
}

/** Writes payments into the simulator's tables, one every millisecond: paying itself is not measured. */
export async function payAll(db: Db, codes: Code[]): Promise<void> {
  const now = Date.now();
  for (const [i, code] of codes.entries()) {
    code.endToEndId = `E99900001${code.txid.slice(0, 23)}`;
    code.paidAt = new Date(now + i - codes.length).toISOString();
  }
  await db.run(sql`
    with paid as (
      update psp_sim_charges c set status = 'CONCLUIDA'
      from unnest(${codes.map(({ txid }) => txid)}::text[], ${codes.map(({ paidAt }) => paidAt)}::timestamptz[])
           as p (txid, paid_at)
      where c.txid = p.txid returning c.txid, c.terms, p.paid_at)
    insert into psp_sim_pix (end_to_end_id, txid, key, amount_cents, paid_at)
    select 'E99900001' || left(txid, 23), txid, terms ->> 'chave', (replace(terms -> 'valor' ->> 'original', '.', ''))::bigint,
           paid_at
    from paid`);
}

const notify = async (service: Running, codes: Code[]) => {
  const url = `${service.url}/psp/callback/${SANDBOX_PIX.callbackSecret}/pix`;
  const response = await post(url, {
    pix: codes.map(({ txid, endToEndId, paidAt }) => ({ txid, endToEndId, horario: paidAt })),
  });
  if (response.status !== 200) throw new Error(`the callback answered ${response.status}`);
};

export async function measureSettlements(
  service: Running,
  db: Db,
  codes: Code[],
  meters?: Meters,
  inOneNotice = IN_ONE_NOTICE,
): Promise<Measured> {
  const notices = Array.from({ length: Math.ceil(codes.length / inOneNotice) }, (_, i) =>
    codes.slice(i * inOneNotice, (i + 1) * inOneNotice),
  );
  const work = async () => {
    const settled = (await countPayments(db)) + codes.length;
    await inParallel(notices, inOneNotice === 1 ? PAYERS : 2, (notice) => notify(service, notice));
    while ((await countPayments(db)) < settled) await sleep(50);
  };
  return measured(`settlements, ${inOneNotice} a notice`, service, codes.length, work, meters);
}

/** Notices of one payment each, evenly spaced. */
async function measureSteady(service: Running, db: Db, codes: Code[], rate: number) {
  const before = await readLags(service);
  const settled = (await countPayments(db)) + codes.length;
  const startedAtMs = performance.now();
  const sent: Array<Promise<void>> = [];
  for (const [i, code] of codes.entries()) {
    const waitMs = startedAtMs + (i / rate) * 1000 - performance.now();
    if (waitMs > 1) await sleep(waitMs);
    sent.push(payAll(db, [code]).then(() => notify(service, [code])));
  }
  await Promise.all(sent);
  const seconds = (performance.now() - startedAtMs) / 1000;
  while ((await countPayments(db)) < settled) await sleep(100);
  await sleep(500);
  const after = await readLags(service);
  const count = after.all - before.all;
  return {
    rate: codes.length / seconds,
    count,
    withinASecond: (after.withinASecond - before.withinASecond) / count,
  };
}

async function readLags(service: Running): Promise<{ withinASecond: number; all: number }> {
  return {
    withinASecond: await readMetric(service, /^pix_settlement_seconds_bucket\{le="1"\} (\S+)/m),
    all: await readMetric(service, /^pix_settlement_seconds_count (\S+)/m),
  };
}
