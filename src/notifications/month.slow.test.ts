import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { DAY_MS } from '#core/values/duration.ts';
import { createDemoDatabase } from '../../test/processes.ts';
import { query } from '../../test/query.ts';
import { openServiceProcess } from '../../test/service-process.ts';
import { newCpf, newPhone } from '../../test/support/customers.ts';
import { ACCOUNT, openFakeTwilio } from '../../test/support/sms-gateway.ts';

// Simulates a month of a hundred customers on two nodes, one of which is killed repeatedly, with a provider that fails occasionally.
// Customers pay when the provider accepts a reminder, shortly afterwards, at the end of the day, or only when they are late.

const CUSTOMER_COUNT = 100;
const DAY_COUNT = 29;
const KILL_DAYS = [7, 15, 24];
/** A Monday. */
const START_MS = Date.UTC(2027, 4, 31, 13);
/** Maximum time from reading the debt to calling the provider, on a busy machine. */
const MAX_PREPARATION_MS = 5_000;
/** Maximum time before a kill in which the provider accepted a message without the node having saved that. */
const MAX_UNSAVED_MS = 5_000;

const databaseUrl = await createDemoDatabase();
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

type SentMessage = { phone: string; body: string; day: number; sentAtMs: number };
const messages: SentMessage[] = [];
const killTimesMs: number[] = [];
/** The time when an installment was first seen as paid, by phone and number. */
const paidSinceMs = new Map<string, number>();
const falseReminders: string[] = [];
const payments: Array<Promise<unknown>> = [];
/** The day of the month that is simulated now. */
let day = 0;

const callStaff = async (method: string, path: string, body?: unknown) => {
  const response = await steadyNode.call('staff', method, path, body === undefined ? {} : { body });
  assert.ok(response.status < 300, `${path}: ${JSON.stringify(response.body)}`);
  return response.body;
};
const phones: string[] = [];
const customerIds = new Map<string, string>();

/** Pays the customer's newest pending charge, which is the one of today's reminder. */
async function payReminder(phone: string, delayMs: number): Promise<void> {
  await sleep(delayMs);
  const [charge] = await query<{ txid: string }>(
    databaseUrl,
    "select txid from pix_charges where customer_id = $1 and status = 'pending' order by created_at desc limit 1",
    [customerIds.get(phone)],
  );
  if (charge) await steadyNode.payCharge(charge.txid);
}

/** When a customer pays. The customer with index i has the habit `i % 4`. */
const PAYMENT_HABITS = ['immediately', 'shortly afterwards', 'at the end of the day', 'when late'] as const;
const getHabit = (phone: string) => PAYMENT_HABITS[phones.indexOf(phone) % PAYMENT_HABITS.length];

const isReminder = ({ body }: { body: string }) => /vence |em atraso/.test(body);

// Observes the accepted messages at the moment when the fake provider adds them to its list.
const addSentMessages = twilio.sentMessages.push.bind(twilio.sentMessages);
twilio.sentMessages.push = (...sentMessages) => {
  for (const { to: phone, body } of sentMessages) {
    const sentAtMs = performance.now();
    messages.push({ phone, body, day, sentAtMs });
    if (!isReminder({ body })) continue;
    // A reminder names its installments like this: 'Padaria 2/4 de 14/06: R$ 10,00'.
    for (const [, number] of body.matchAll(/ (\d+)\/4 de /g)) {
      const paidAtMs = paidSinceMs.get(`${phone} ${number}`);
      if (paidAtMs !== undefined && paidAtMs < sentAtMs - MAX_PREPARATION_MS)
        falseReminders.push(
          `day ${day}: installment ${number} was paid ${Math.round(sentAtMs - paidAtMs)} ms before: ${body}`,
        );
    }
    const habit = getHabit(phone);
    if (habit === 'immediately') payments.push(payReminder(phone, 0));
    if (habit === 'shortly afterwards') payments.push(payReminder(phone, Math.random() * 1_500));
    if (habit === 'when late' && body.includes('em atraso'))
      payments.push(payReminder(phone, Math.random() * 300));
  }
  return addSentMessages(...sentMessages);
};

async function recordPaidInstallments(): Promise<void> {
  const rows = await query<{ customer_id: string; number: number }>(
    databaseUrl,
    'select customer_id, number from installments where paid_at is not null and customer_id = any($1)',
    [[...customerIds.values()]],
  );
  const phonesById = new Map([...customerIds].map(([phone, id]) => [id, phone]));
  for (const { customer_id, number } of rows) {
    const key = `${phonesById.get(customer_id)} ${number}`;
    if (!paidSinceMs.has(key)) paidSinceMs.set(key, performance.now());
  }
}

/** Whether all jobs have ended, except retries in more than 30 seconds, for which a day of the test does not wait. */
const NO_DUE_JOBS_SQL = `not exists (select from graphile_worker.jobs
  where task_identifier in ('notices_of_the_day', 'send_messages') and attempts < max_attempts
    and run_at < now() + interval '30 seconds')`;

/** Picks a behavior by a random number from 0 to 1: four of five messages are accepted. */
function pickBehavior(random: number): typeof twilio.behavior {
  if (random < 0.8) return 'accept';
  if (random < 0.9) return 'busy';
  return random < 0.95 ? 'broken' : 'hang up';
}

test('no reminder is sent for a paid installment, and none is sent twice unless a killed node could not save that it was sent', async () => {
  await callStaff('POST', '/sandbox/clock', { now: new Date(START_MS).toISOString() });
  for (let i = 0; i < CUSTOMER_COUNT; i++) {
    const person = { name: 'Davi Teste', email: 'davi@example.com', credit_limit: 500 };
    const phone = newPhone();
    const { id } = await callStaff('POST', '/admin/customers', { ...person, phone, cpf: newCpf() });
    phones.push(phone);
    customerIds.set(phone, id);
  }
  const watchTimer = setInterval(() => void recordPaidInstallments().catch(() => undefined), 250);
  const behaviorTimer = setInterval(() => {
    twilio.behavior = pickBehavior(Math.random());
  }, 700);
  after(() => [watchTimer, behaviorTimer].forEach(clearInterval));
  for (day = 0; day < DAY_COUNT; day++) {
    await callStaff('POST', '/sandbox/clock', { now: new Date(START_MS + day * DAY_MS).toISOString() });
    // On each day of the first week a seventh of the customers buys something.
    for (let i = day; i < CUSTOMER_COUNT && day < 7; i += 7)
      await callStaff('POST', '/admin/checkouts', {
        customer: phones[i],
        merchant: 'padaria-flor-do-trigo',
        amount: 40,
        installments: 4,
      });
    if (KILL_DAYS.includes(day)) {
      await sleep(Math.random() * 1_000);
      killTimesMs.push(performance.now());
      await killedNode.killProcess();
      await killedNode.start();
    }
    await steadyNode.waitUntil('no jobs are due', NO_DUE_JOBS_SQL);
    await Promise.all(payments.splice(0));
    // A quarter of the customers pays at the end of the day.
    const todaysReminders = messages.filter((message) => message.day === day && isReminder(message));
    await Promise.all(
      todaysReminders
        .filter(({ phone }) => getHabit(phone) === 'at the end of the day')
        .map(({ phone }) => payReminder(phone, 0)),
    );
  }
  clearInterval(behaviorTimer);
  assert.deepEqual(falseReminders, []);
  const reminders = messages.filter(isReminder);
  const firstReminders = new Map<string, SentMessage>();
  const duplicates = reminders.filter((message) => {
    const key = `${message.phone} ${message.day}`;
    const earlierReminder = firstReminders.get(key);
    if (!earlierReminder) firstReminders.set(key, message);
    return (
      earlierReminder &&
      !killTimesMs.some(
        (killedAtMs) =>
          killedAtMs > earlierReminder.sentAtMs && killedAtMs - earlierReminder.sentAtMs < MAX_UNSAVED_MS,
      )
    );
  });
  assert.deepEqual(duplicates, []);
  const paymentMessages = messages.filter(({ body }) => body.includes('recebemos'));
  const [{ count } = { count: 0 }] = await query<{ count: number }>(
    databaseUrl,
    'select count(*)::int as count from pix_payments where customer_id = any($1)',
    [[...customerIds.values()]],
  );
  // After each kill, the messages that the node was sending may be sent again.
  const MAX_REPEATED_PER_KILL = 4;
  assert.ok(
    paymentMessages.length > 0 &&
      paymentMessages.length <= count + MAX_REPEATED_PER_KILL * killTimesMs.length,
    `${paymentMessages.length} of ${count}`,
  );
  assert.ok(firstReminders.size > CUSTOMER_COUNT, `only ${firstReminders.size} reminders`);
});
