import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { Agent, type IncomingMessage, request } from 'node:http';
import { text } from 'node:stream/consumers';
import pg from 'pg';
import { type Cpf, parseCpf } from '#core/cpf.ts';
import { cents } from '#core/money.ts';
import { approvePurchase, openCheckout } from '#credit';
import { findCustomerId } from '#customers';
import { customerTransaction, forNewCustomers } from '#platform/database/customer-transaction.ts';
import { type Db, sql } from '#platform/database/db.ts';
import { SANDBOX_SECRETS, Vault } from '#platform/vault.ts';
import { cashbackOwed } from '#rewards';
import { createCustomer } from '../src/customers/create-customer.ts';
import { eventsOf, readConfiguration } from '../src/modules.ts';
import type { startService } from './processes.ts';

export type Running = Awaited<ReturnType<typeof startService>>;
export type Measured = { name: string; rate: number; cpu: number; spent: Record<string, number> };

/** CPU seconds used so far, by the name of who used them. */
export type Meters = Record<string, () => number>;

export const CLIENTS = 16;
/** Concurrent callers: at 500 a second each waits for a quarter of a second. */
export const PAYERS = 128;
/** Payments that one notice of the PSP reports. */
export const IN_ONE_NOTICE = 20;
const EVENTS = eventsOf(readConfiguration({}));
const BASELINE_MS = 3_000;

/** The rate per second, and the CPU that each meter used for it. */
export async function measured(
  name: string,
  service: Running,
  count: number,
  work: () => Promise<void>,
  meters: Meters = {},
): Promise<Measured> {
  const read = () => Object.values(meters).map((meter) => meter());
  const before = read();
  const cpuBefore = await readMetric(service, /^process_cpu_seconds_total (\S+)/m);
  const startedAtMs = performance.now();
  await work();
  const seconds = (performance.now() - startedAtMs) / 1000;
  const cpu = (await readMetric(service, /^process_cpu_seconds_total (\S+)/m)) - cpuBefore;
  const each = read().map((used, i) => ((used - before[i]!) * 1000) / count);
  const spent = Object.fromEntries(Object.keys(meters).map((who, i) => [who, each[i]!]));
  return { name, rate: count / seconds, cpu: cpu / seconds, spent };
}

export async function readMetric(service: Running, form: RegExp): Promise<number> {
  const text = await (await fetch(`${service.staffUrl}/metrics`)).text();
  return Number(form.exec(text)?.[1] ?? 0);
}

/** The baseline: inserts of one text column, each a transaction. Their rate, and the CPU time of one. */
export async function measureInserts(
  url: string,
  postgres: () => number,
): Promise<{ rate: number; eachMs: number }> {
  const pool = new pg.Pool({ connectionString: url, max: CLIENTS });
  await pool.query(
    'create table if not exists bench_rows (id bigint generated always as identity primary key, text text)',
  );
  let inserted = 0;
  const used = () => postgres() + (process.cpuUsage().user + process.cpuUsage().system) / 1e6;
  const before = used();
  const untilMs = performance.now() + BASELINE_MS;
  await Promise.all(
    Array.from({ length: CLIENTS }, async () => {
      while (performance.now() < untilMs) {
        await pool.query({
          name: 'insert',
          text: 'insert into bench_rows (text) values ($1)',
          values: ['a row'],
        });
        inserted += 1;
      }
    }),
  );
  const eachMs = ((used() - before) * 1000) / inserted;
  await pool.end();
  return { rate: inserted / (BASELINE_MS / 1000), eachMs };
}

export const insertsPerSecond = async (url: string): Promise<number> =>
  (await measureInserts(url, () => 0)).rate;

export async function inParallel<T>(
  all: readonly T[],
  clients: number,
  work: (one: T) => Promise<void>,
): Promise<void> {
  const left = all.values();
  await Promise.all(
    Array.from({ length: clients }, async () => {
      for (const one of left) await work(one);
    }),
  );
}

function newCpf(): Cpf {
  for (;;) {
    const cpf = parseCpf(String(randomInt(1e10)).padStart(11, '0'));
    if (cpf) return cpf;
  }
}

export async function logIn(service: Running, phones: string[]): Promise<string[]> {
  const tokens: string[] = [];
  for (const phone of phones) {
    const response = await post(`${service.url}/wallet/auth/login`, { phone, password: 'semana-demo-1' });
    tokens.push((JSON.parse(response.text) as { token: string }).token);
  }
  return tokens;
}

/** A customer with Ana's password and a very high credit limit. Returns the id. */
export async function makeCustomer(db: Db, phone: string): Promise<string> {
  const wishes = { name: 'Bench', phone, email: 'bench@example.com', cpf: newCpf(), passwordHash: null };
  const rich = { ...wishes, creditLimit: cents(10_000_000) };
  const given = {
    vault: new Vault(SANDBOX_SECRETS),
    clock: { now: () => new Date() },
    events: EVENTS,
  };
  const made = await forNewCustomers(db).transaction((tx) => createCustomer(tx, rich, given));
  if (!('id' in made)) throw new Error('the customer could not be made');
  await db.run(sql`
    update customers set password_hash = (select password_hash from customers where id = ${await findCustomerId(db, '+5511987650001')})
    where id = ${made.id}`);
  return made.id;
}

const agent = new Agent({ keepAlive: true });

/** By node:http, which takes half the CPU of fetch: callers share the cores with what is measured. */
export async function post(
  url: string,
  body: unknown,
  headers: Record<string, string> = {},
): Promise<{ status: number; text: string }> {
  const sent = request(url, {
    method: 'POST',
    agent,
    headers: { 'x-api-key': 'sandbox-demo-key', 'content-type': 'application/json', ...headers },
  });
  sent.end(JSON.stringify(body));
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  return { status: response.statusCode!, text: await text(response) };
}

export async function sellTo(db: Db, phone: string, terms: { amount: number; installments: number }) {
  const order = { customer: phone, merchant: 'padaria-flor-do-trigo', ...terms };
  const now = new Date();
  return customerTransaction(db, phone, async (tx) =>
    openCheckout(tx, await approvePurchase(tx, order, { now, lateEntryMs: 0, cashbackDebt: cashbackOwed }), {
      events: EVENTS,
      now,
    }),
  );
}

export async function countPayments(db: Db): Promise<number> {
  return (await db.row<{ count: number }>(sql`select count(*) from pix_payments`))!.count;
}
