import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { DAY_MS } from '#core/values/duration.ts';
import { copyDemoDatabase, query } from '../../test/processes.ts';
import { openServiceProcess } from '../../test/service-process.ts';
import { newCpf, newPhone } from '../../test/support/customers.ts';
import { ACCOUNT, openFakeTwilio } from '../../test/support/sms-gateway.ts';

// A month of a hundred customers on two nodes, one of which is killed repeatedly, with a provider that fails occasionally. Customers pay
// when the provider accepts a reminder, shortly after it, or at the end of the day.

const CUSTOMERS = 100;
const DAYS = 29;
const KILL_DAYS = [7, 15, 24];
/** A Monday. */
const START = Date.UTC(2027, 4, 31, 13);
/** How long a node may take from reading the debt to calling the provider on a busy machine. */
const MAX_PREPARATION_MS = 5_000;
/** A killed node may not have saved the messages that were accepted this shortly before. */
const MAX_UNSAVED_MS = 5_000;

const databaseUrl = await copyDemoDatabase();
const twilio = await openFakeTwilio();
after(() => twilio.close());
const settings = {
  SMS_SENDER: 'twilio',
  TWILIO_URL: twilio.url,
  TWILIO_ACCOUNT_SID: ACCOUNT.accountSid,
  TWILIO_AUTH_TOKEN: ACCOUNT.authToken,
  TWILIO_FROM: ACCOUNT.from,
};
const [steadyNode, killedNode] = [
  openServiceProcess(databaseUrl, settings),
  openServiceProcess(databaseUrl, settings),
];
await steadyNode.start();
await killedNode.start();

type Message = { phone: string; body: string; day: number; atMs: number };
const messages: Message[] = [];
const kills: number[] = [];
/** When an installment was first seen as paid, by phone and number. */
const paidSince = new Map<string, number>();
const falseReminders: string[] = [];
const payments: Array<Promise<unknown>> = [];
let day = 0;

const staff = async (method: string, path: string, body?: unknown) => {
  const response = await steadyNode.call('staff', method, path, body === undefined ? {} : { body });
  assert.ok(response.status < 300, `${path}: ${JSON.stringify(response.body)}`);
  return response.body;
};
const phones: string[] = [];
const ids = new Map<string, string>();

/** Pays the Pix code of today's reminder. */
async function pay(phone: string, delayMs: number): Promise<void> {
  await sleep(delayMs);
  const [charge] = await query<{ txid: string }>(
    databaseUrl,
    "select txid from pix_charges where customer_id = $1 and status = 'pending' order by created_at desc limit 1",
    [ids.get(phone)],
  );
  if (charge) await steadyNode.payCharge(charge.txid);
}

const push = twilio.sentMessages.push.bind(twilio.sentMessages);
twilio.sentMessages.push = (...taken) => {
  for (const { to: phone, body } of taken) {
    const atMs = performance.now();
    messages.push({ phone, body, day, atMs });
    if (!/vence |em atraso/.test(body)) continue;
    for (const [, number] of body.matchAll(/ (\d+)\/4 de /g)) {
      const since = paidSince.get(`${phone} ${number}`);
      if (since !== undefined && since < atMs - MAX_PREPARATION_MS)
        falseReminders.push(
          `day ${day}: installment ${number} was paid ${Math.round(atMs - since)} ms before: ${body}`,
        );
    }
    const kind = phones.indexOf(phone) % 4;
    if (kind === 0) payments.push(pay(phone, 0));
    if (kind === 1) payments.push(pay(phone, Math.random() * 1_500));
    if (kind === 3 && body.includes('em atraso')) payments.push(pay(phone, Math.random() * 300));
  }
  return push(...taken);
};

async function watchPaid(): Promise<void> {
  const rows = await query<{ customer_id: string; number: number }>(
    databaseUrl,
    'select customer_id, number from installments where paid_at is not null and customer_id = any($1)',
    [[...ids.values()]],
  );
  const phoneOf = new Map([...ids].map(([phone, id]) => [id, phone]));
  for (const { customer_id, number } of rows) {
    const name = `${phoneOf.get(customer_id)} ${number}`;
    if (!paidSince.has(name)) paidSince.set(name, performance.now());
  }
}

/** Messages that failed repeatedly are retried later than in 30 seconds, some of them on another day. */
const hasNoDueJobs = `not exists (select from graphile_worker.jobs
  where task_identifier in ('notices_of_the_day', 'send_messages') and attempts < max_attempts
    and run_at < now() + interval '30 seconds')`;

test('no reminder is false when it is sent, and none is sent twice unless a killed node could not save it', async () => {
  await staff('POST', '/sandbox/clock', { now: new Date(START).toISOString() });
  for (let i = 0; i < CUSTOMERS; i++) {
    const person = { name: 'Davi Teste', email: 'davi@example.com', credit_limit: 500 };
    const phone = newPhone();
    const { id } = await staff('POST', '/admin/customers', { ...person, phone, cpf: newCpf() });
    phones.push(phone);
    ids.set(phone, id);
  }
  const watching = setInterval(() => void watchPaid().catch(() => undefined), 250);
  const moodChanges = setInterval(() => {
    const chance = Math.random();
    twilio.behavior = chance < 0.8 ? 'accept' : chance < 0.9 ? 'busy' : chance < 0.95 ? 'broken' : 'hang up';
  }, 700);
  after(() => [watching, moodChanges].forEach(clearInterval));
  for (day = 0; day < DAYS; day++) {
    await staff('POST', '/sandbox/clock', { now: new Date(START + day * DAY_MS).toISOString() });
    // On each day of the first week a seventh of the customers buys something.
    for (let i = day; i < CUSTOMERS && day < 7; i += 7)
      await staff('POST', '/admin/checkouts', {
        customer: phones[i],
        merchant: 'padaria-flor-do-trigo',
        amount: 40,
        installments: 4,
      });
    if (KILL_DAYS.includes(day)) {
      await sleep(Math.random() * 1_000);
      kills.push(performance.now());
      await killedNode.killProcess();
      await killedNode.start();
    }
    await steadyNode.waitUntil('no jobs are due', hasNoDueJobs);
    await Promise.all(payments.splice(0));
    // A quarter of the customers pays at the end of the day.
    const today = messages.filter((message) => message.day === day && /vence |em atraso/.test(message.body));
    await Promise.all(
      today.filter(({ phone }) => phones.indexOf(phone) % 4 === 2).map(({ phone }) => pay(phone, 0)),
    );
  }
  clearInterval(moodChanges);
  assert.deepEqual(falseReminders, []);
  const reminders = messages.filter(({ body }) => /vence |em atraso/.test(body));
  const first = new Map<string, Message>();
  const duplicates = reminders.filter((message) => {
    const name = `${message.phone} ${message.day}`;
    const earlier = first.get(name);
    if (!earlier) first.set(name, message);
    return (
      earlier &&
      !kills.some((killedAt) => killedAt > earlier.atMs && killedAt - earlier.atMs < MAX_UNSAVED_MS)
    );
  });
  assert.deepEqual(duplicates, []);
  const receipts = messages.filter(({ body }) => body.includes('recebemos'));
  const [{ count } = { count: 0 }] = await query<{ count: number }>(
    databaseUrl,
    'select count(*)::int as count from pix_payments where customer_id = any($1)',
    [[...ids.values()]],
  );
  assert.ok(
    receipts.length > 0 && receipts.length <= count + 4 * kills.length,
    `${receipts.length} of ${count}`,
  );
  assert.ok(first.size > CUSTOMERS, `only ${first.size} reminders`);
});
