import { setTimeout as sleep } from 'node:timers/promises';
import { type Cpf, parseCpf } from '#core/cpf.ts';
import { cents } from '#core/money.ts';
import { findCustomerId } from '#customers';
import { systemClock } from '#platform/clock.ts';
import { table } from '#platform/command-line/command.ts';
import { ProgressBar } from '#platform/command-line/progress-bar.ts';
import { forNewCustomers } from '#platform/database/customer-transaction.ts';
import { openDb, sql } from '#platform/database/db.ts';
import { SANDBOX_SECRETS, Vault } from '#platform/vault.ts';
import { createCustomer } from '../src/customers/create-customer.ts';
import { eventsOf, readConfiguration } from '../src/modules.ts';
import { startLoginFlood } from './login-flood.ts';
import { startBareProgram, startService } from './processes.ts';
import { median } from './side-by-side.ts';
import { onStage } from './stage.ts';
import { needWrk, requestsPerSecond } from './wrk.ts';

const ROUNDS = 9;
const SECONDS = 2;
const CUSTOMERS = 32;
const KEY = { 'x-api-key': 'sandbox-demo-key' };
const PASSWORD = 'semana-demo-1';

type Measurement = { name: string; rate: number; baseline: number; ratio: number; least: number };

/** How logins slow down other requests, and the cost of a token for a request, each against its own baseline in the same run. */
export async function loginBench(): Promise<boolean> {
  needWrk();
  return onStage(({ url }) => measureLogins(url));
}

async function measureLogins(databaseUrl: string): Promise<boolean> {
  const service = await startService({ DATABASE_URL: databaseUrl, TRUST_PROXY: '127.0.0.1' });
  const bar = new ProgressBar('Login');
  try {
    bar.show(undefined, 'registering customers ...');
    const customers = await registerCustomers(databaseUrl);
    const me = await measureMe(service.url, databaseUrl, (round) => bar.show(round / ROUNDS, '/wallet/me'));
    const reads = await measureReads(service.url, customers, (round) =>
      bar.show(round / ROUNDS, 'catalog reads during logins'),
    );
    bar.clear();
    return report([me, reads.measurement], reads.logins);
  } finally {
    bar.clear();
    await service.stop();
  }
}

async function measureMe(
  url: string,
  databaseUrl: string,
  onRound: (round: number) => void,
): Promise<Measurement> {
  const login = await fetch(`${url}/wallet/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...KEY },
    body: JSON.stringify({ phone: '+5511987650001', password: PASSWORD }),
  });
  const { token, customer } = (await login.json()) as { token: string; customer: { id: string } };
  const bare = await startBareProgram('bare-wallet-server.ts', databaseUrl, customer.id);
  try {
    const rounds = await inRounds(onRound, async () => {
      const headers = { ...KEY, 'x-token': token };
      const baseline = await requestsPerSecond({ url: `${bare.url}/wallet/me`, seconds: SECONDS });
      const rate = await requestsPerSecond({ url: `${url}/wallet/me`, seconds: SECONDS, headers });
      return { rate, baseline };
    });
    return { name: '/wallet/me, to a bare Fastify route with the same SELECT', ...rounds, least: 0.8 };
  } finally {
    await bare.stop();
  }
}

async function measureReads(
  url: string,
  customers: Array<{ phone: string; password: string }>,
  onRound: (round: number) => void,
): Promise<{ measurement: Measurement; logins: number[] }> {
  const target = { url: `${url}/public/merchants?limit=20`, seconds: SECONDS, headers: KEY };
  const logins: number[] = [];
  const rounds = await inRounds(onRound, async () => {
    const baseline = await requestsPerSecond(target);
    const flood = startLoginFlood(url, KEY, customers);
    await sleep(500); // until the queue is full
    const rate = await requestsPerSecond(target);
    const { answered, perSecond } = await flood.stop();
    // On a slow machine the last in the queue get 503.
    const wrong = Object.keys(answered).filter((status) => !['200', '401', '503'].includes(status));
    if (wrong.length > 0) throw new Error(`logins were answered ${JSON.stringify(answered)}`);
    logins.push(perSecond);
    return { rate, baseline };
  });
  const name = 'catalog reads during logins at full tilt, to without';
  return { measurement: { name, ...rounds, least: 2 / 3 }, logins };
}

/** The median of the rounds' ratios, so that other load affects both sides. */
async function inRounds(
  onRound: (round: number) => void,
  measure: () => Promise<{ rate: number; baseline: number }>,
) {
  const rounds: Array<{ rate: number; baseline: number }> = [];
  for (let round = 0; round < ROUNDS; round++) {
    onRound(round);
    rounds.push(await measure());
  }
  return {
    rate: median(rounds.map(({ rate }) => rate)),
    baseline: median(rounds.map(({ baseline }) => baseline)),
    ratio: median(rounds.map(({ rate, baseline }) => rate / baseline)),
  };
}

/** All have Ana's password hash, so that none has to be computed. */
async function registerCustomers(databaseUrl: string) {
  const vault = new Vault(SANDBOX_SECRETS);
  const db = openDb({ url: databaseUrl, poolSize: 2, label: 'bench', vault });
  const given = {
    vault,
    clock: systemClock,
    events: eventsOf(readConfiguration({})),
  };
  const customers = Array.from({ length: CUSTOMERS }, (_, i) => ({
    phone: `+551196${String(i).padStart(7, '0')}`,
    password: PASSWORD,
  }));
  for (const [i, { phone }] of customers.entries()) {
    const wishes = { name: `Cliente ${i}`, email: `cliente-${i}@example.com`, creditLimit: cents(100_000) };
    const customer = { ...wishes, phone, cpf: cpfNumber(i), passwordHash: null };
    await forNewCustomers(db).transaction((tx) => createCustomer(tx, customer, given));
  }
  await db.run(sql`
    update customers set password_hash = (select password_hash from customers where id = ${await findCustomerId(db, '+5511987650001')})
    where password_hash is null`);
  await db.close();
  return customers;
}

function cpfNumber(i: number): Cpf {
  const nine = String(200_000_000 + i);
  const endings = Array.from({ length: 100 }, (_, ending) => nine + String(ending).padStart(2, '0'));
  return endings.map(parseCpf).find((cpf) => cpf !== null)!;
}

function report(measurements: Measurement[], logins: number[]): boolean {
  const rows = measurements.map(({ name, rate, baseline, ratio, least }) => [
    name,
    Math.round(rate).toLocaleString('en'),
    Math.round(baseline).toLocaleString('en'),
    ratio.toFixed(3),
    least.toFixed(2),
    ratio >= least ? 'yes' : 'NO',
  ]);
  process.stdout.write(
    `${table(['WHAT', 'A SECOND', 'BASELINE', 'RATIO', 'AT LEAST', 'REACHED'], rows)}\n\n` +
      `logins answered meanwhile: ${median(logins).toFixed(1)} a second\n`,
  );
  return measurements.every(({ ratio, least }) => ratio >= least);
}
