import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { sql } from '#platform/database/db.ts';
import { eventually, openService } from '../../test/harness.ts';
import {
  assertRefused,
  BEHIND_PROXY,
  elsewhere,
  newCustomer,
  newPhone,
} from '../../test/support/customers.ts';
import { ACCOUNT, openFakeTwilio } from '../../test/support/sms-gateway.ts';

const twilio = await openFakeTwilio();
after(() => twilio.close());
const settings = {
  SMS_SENDER: 'twilio',
  TWILIO_ACCOUNT_SID: ACCOUNT.accountSid,
  TWILIO_AUTH_TOKEN: ACCOUNT.authToken,
  TWILIO_FROM: ACCOUNT.from,
};
const service = await openService({ env: { ...BEHIND_PROXY.env, ...settings, TWILIO_URL: twilio.url } });

const askCode = (phone: string) => service.post('/wallet/auth/otp', { phone }, elsewhere());
const messageTo = (phone: string) => twilio.taken.find(({ to }) => to === phone);
const status = async (customerId: string) =>
  service.db.row<{ status: string; reason: string | null; attempts: number }>(
    sql`select status, reason, attempts from messages where customer_id = ${customerId}`,
  );
const errors = () =>
  service
    .logged()
    .split('\n')
    .filter((line) => line.includes('"level":50'));
const metric = async (outcome: string) => {
  const { text } = await service.staff('GET', '/metrics');
  const counts = text.matchAll(
    new RegExp(`messages_total\\{channel="\\w+",outcome="${outcome}"\\} (\\d+)`, 'g'),
  );
  return [...counts].reduce((sum, [, count]) => sum + Number(count), 0);
};
const listFailed = () =>
  service.db.rows<{ customer_id: string; reason: string }>(
    sql`select customer_id, reason from messages where status = 'failed'`,
  );
const wellAgain = () => service.db.run(sql`update channel_health set failures = 0`);

test('accepts: the code arrives by SMS and logs in; nothing of it stays', async () => {
  const { id, phone } = await newCustomer(service);
  const { challenge_id } = (await askCode(phone)).body;
  const message = await eventually('the message arrives', async () => messageTo(phone));
  const [code] = /\d{6}/.exec(message.body)!;
  assert.equal((await service.post('/wallet/auth/otp/login', { phone, challenge_id, code })).status, 200);
  await eventually('it counts as sent', async () => (await status(id))?.status === 'sent');
  const row = await service.db.row<{ parts: Buffer | null }>(sql`select parts from phone_messages`);
  assert.equal(row?.parts, null);
  assert.equal(await metric('sent'), 1);
});

test('refuses the number: reported to the operator, without a word about whose it is', async () => {
  twilio.mood = 'refuse';
  const { id, phone } = await newCustomer(service);
  assert.equal((await askCode(phone)).status, 202, 'nobody learns from it whether the phone is known');
  await eventually('it counts as failed', async () => (await status(id))?.status === 'failed');
  const [failed] = await listFailed();
  assert.equal(failed?.customer_id, id);
  assert.equal(failed?.reason, 'twilio_21211');
  assert.equal(errors().length, 1);
  assert.match(errors()[0]!, /a message could not be sent/);
  assert.ok(!service.logged().includes(phone.slice(3)));
  assert.equal(await metric('failed'), 1);
  const sealed = await service.db.rows(sql`select 1 from phone_messages where parts is not null`);
  assert.equal(sealed.length, 0, 'what is given up is not kept');
  twilio.mood = 'accept';
  const next = newPhone();
  assert.equal((await askCode(next)).status, 202, 'one bad number is no reason to stop');
  await eventually('it is sent', async () => messageTo(next));
});

test('a stranger gets a message too; of one that fails nothing is kept but the log and the count', async () => {
  const [before, failures] = [errors().length, await metric('failed')];
  twilio.mood = 'refuse';
  await askCode(newPhone());
  await eventually('it failed', async () => (await metric('failed')) === failures + 1);
  assert.equal(errors().length, before + 1);
  assert.equal((await listFailed()).length, 1, 'the customer’s of before');
  twilio.mood = 'accept';
  const phone = newPhone();
  await askCode(phone);
  await eventually('the message arrives', async () => messageTo(phone));
});

test('down for a moment: tried again until it works', async () => {
  twilio.mood = 'broken';
  const { id, phone } = await newCustomer(service);
  await askCode(phone);
  await eventually('it is being tried again', async () => (await status(id))?.status === 'retrying');
  twilio.mood = 'accept';
  await eventually('the message arrives', async () => messageTo(phone)).catch(() =>
    eventually('it arrives after all', async () => messageTo(phone)),
  );
  await eventually('it counts as sent', async () => (await status(id))?.status === 'sent');
  assert.equal((await status(id))?.attempts, 2);
  assert.ok(await metric('retrying'));
});

test('down for longer than the code lives: given up and reported', async () => {
  twilio.mood = 'broken';
  const { id, phone } = await newCustomer(service);
  await askCode(phone);
  await eventually('it is being tried again', async () => (await status(id))?.status === 'retrying');
  service.clock.advance(5 * 60_000);
  const given = async () => (await status(id))?.status === 'failed';
  await eventually('given up', given).catch(() => eventually('given up after all', given));
  assert.equal((await status(id))?.reason, 'http_503', 'the reason is why it could not be sent in time');
  await wellAgain();
});

test('while the sender is known to fail: 503 for every phone alike; after a minute the next is let through', async () => {
  twilio.mood = 'unauthorized';
  for (let i = 0; i < 3; i++) {
    const { id, phone } = await newCustomer(service);
    assert.equal((await askCode(phone)).status, 202, `failure ${i + 1} is not known yet`);
    await eventually('it counts as failed', async () => (await status(id))?.status === 'failed');
  }
  const known = await newCustomer(service);
  for (const phone of [known.phone, newPhone(), newPhone()]) {
    const answer = await askCode(phone);
    assertRefused(answer, 503, 'unavailable');
    assert.equal(answer.headers.get('retry-after'), '60');
  }
  const neighbour = await service.join();
  assertRefused(await neighbour.post('/wallet/auth/otp', { phone: newPhone() }), 503, 'unavailable');
  await neighbour.stop();

  twilio.mood = 'accept';
  service.clock.advance(60_000);
  assert.equal((await askCode(known.phone)).status, 202, 'the refused one used up nothing');
  await eventually('the message arrives', async () => messageTo(known.phone));
  await eventually('the sender counts as well', async () => {
    const row = await service.db.row<{ failures: number }>(sql`select failures from channel_health`);
    return row!.failures === 0;
  });
  assert.equal((await askCode(newPhone())).status, 202);
});

test('slow: the answer does not wait for the gateway, and after five seconds it is tried again', async () => {
  twilio.mood = 'slow';
  const { id, phone } = await newCustomer(service);
  assert.equal((await askCode(phone)).status, 202);
  assert.notEqual((await status(id))?.reason, 'timeout', 'the gateway is still being waited for');
  const retrying = async () => (await status(id))?.reason === 'timeout';
  await eventually('given up waiting', retrying).catch(() => eventually('given up after all', retrying));
  twilio.mood = 'accept';
});
