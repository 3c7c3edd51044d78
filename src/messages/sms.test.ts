import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { MINUTE_MS } from '#core/values/duration.ts';
import { sql } from '#platform/database/db.ts';
import { eventually, openService } from '../../test/harness.ts';
import {
  assertRefused,
  BEHIND_PROXY,
  newCustomer,
  newIpAddressOptions,
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

const requestCode = (phone: string) => service.post('/wallet/auth/otp', { phone }, newIpAddressOptions());
const findSms = (phone: string) => twilio.sentMessages.find(({ to }) => to === phone);
const findMessage = async (customerId: string) =>
  service.db.row<{ status: string; reason: string | null; attempts: number }>(
    sql`select status, reason, attempts from messages where customer_id = ${customerId}`,
  );
/** Lists the log lines of pino's level 50: errors. */
const listErrors = () =>
  service
    .readLog()
    .split('\n')
    .filter((line) => line.includes('"level":50'));
/** Sums the attempts with this outcome over all channels. */
const countAttempts = async (outcome: string) => {
  const { text } = await service.staff('GET', '/metrics');
  const counts = text.matchAll(
    new RegExp(`messages_total\\{channel="\\w+",outcome="${outcome}"\\} (\\d+)`, 'g'),
  );
  return [...counts].reduce((sum, [, count]) => sum + Number(count), 0);
};
const listFailedMessages = () =>
  service.db.rows<{ customer_id: string; reason: string }>(
    sql`select customer_id, reason from messages where status = 'failed'`,
  );
/** Waits twice as long as `eventually`, because a retry may take longer. */
const eventuallyAfterRetry = <T>(outcome: string, check: () => Promise<T>) =>
  eventually(outcome, check).catch(() => eventually(outcome, check));
const resetChannelHealth = () => service.db.run(sql`update channel_health set failures = 0`);

test('a code arrives by SMS and logs in; its content is deleted', async () => {
  const { id, phone } = await newCustomer(service);
  const { challenge_id } = (await requestCode(phone)).body;
  const message = await eventually('the message arrives', async () => findSms(phone));
  const [code] = /\d{6}/.exec(message.body)!;
  assert.equal((await service.post('/wallet/auth/otp/login', { phone, challenge_id, code })).status, 200);
  await eventually('the message is sent', async () => (await findMessage(id))?.status === 'sent');
  const row = await service.db.row<{ parts: Buffer | null }>(sql`select parts from phone_messages`);
  assert.equal(row?.parts, null);
  assert.equal(await countAttempts('sent'), 1);
});

test('a refused number is reported to the operator without personal data', async () => {
  twilio.behavior = 'refuse';
  const { id, phone } = await newCustomer(service);
  assert.equal(
    (await requestCode(phone)).status,
    202,
    'the response does not reveal whether the phone is known',
  );
  await eventually('the message has failed', async () => (await findMessage(id))?.status === 'failed');
  const [failedMessage] = await listFailedMessages();
  assert.equal(failedMessage?.customer_id, id);
  assert.equal(failedMessage?.reason, 'twilio_21211');
  assert.equal(listErrors().length, 1);
  assert.match(listErrors()[0]!, /a message could not be sent/);
  assert.ok(!service.readLog().includes(phone.slice('+55'.length)));
  assert.equal(await countAttempts('failed'), 1);
  const rows = await service.db.rows(sql`select 1 from phone_messages where parts is not null`);
  assert.equal(rows.length, 0, 'the content of failed messages is deleted');
  twilio.behavior = 'accept';
  const otherPhone = newPhone();
  assert.equal((await requestCode(otherPhone)).status, 202, 'one refused number does not pause the channel');
  await eventually('the message is sent', async () => findSms(otherPhone));
});

test('a message to an unknown phone is sent; a failure is recorded only in the log and the metric', async () => {
  const [errorCount, failureCount] = [listErrors().length, await countAttempts('failed')];
  twilio.behavior = 'refuse';
  await requestCode(newPhone());
  await eventually(
    'the message has failed',
    async () => (await countAttempts('failed')) === failureCount + 1,
  );
  await eventually('the failure is logged', async () => listErrors().length > errorCount);
  assert.equal(listErrors().length, errorCount + 1);
  assert.equal((await listFailedMessages()).length, 1, 'only the earlier message of the customer');
  twilio.behavior = 'accept';
  const phone = newPhone();
  await requestCode(phone);
  await eventually('the message arrives', async () => findSms(phone));
});

test('during a short outage the message is retried until it is sent', async () => {
  twilio.behavior = 'broken';
  const { id, phone } = await newCustomer(service);
  await requestCode(phone);
  await eventually('sending is retried', async () => (await findMessage(id))?.status === 'retrying');
  twilio.behavior = 'accept';
  await eventuallyAfterRetry('the message arrives', async () => findSms(phone));
  await eventually('the message is sent', async () => (await findMessage(id))?.status === 'sent');
  assert.equal((await findMessage(id))?.attempts, 2);
  assert.ok(await countAttempts('retrying'));
});

test('during an outage longer than the TTL of the code the message fails and is reported', async () => {
  twilio.behavior = 'broken';
  const { id, phone } = await newCustomer(service);
  await requestCode(phone);
  await eventually('sending is retried', async () => (await findMessage(id))?.status === 'retrying');
  service.clock.advance(5 * MINUTE_MS); // the TTL of a code
  const hasFailed = async () => (await findMessage(id))?.status === 'failed';
  await eventuallyAfterRetry('the message has failed', hasFailed);
  assert.equal((await findMessage(id))?.reason, 'http_503', 'the reason of the last attempt stays');
  await resetChannelHealth(); // the failures must not pause the channel in the next test
});

test('while the channel is failing, every phone gets a 503; after a minute the next request is a probe', async () => {
  twilio.behavior = 'unauthorized';
  const FAILURES_BEFORE_PAUSE = 3;
  for (let i = 0; i < FAILURES_BEFORE_PAUSE; i++) {
    const { id, phone } = await newCustomer(service);
    assert.equal((await requestCode(phone)).status, 202, `failure ${i + 1} does not pause the channel yet`);
    await eventually('the message has failed', async () => (await findMessage(id))?.status === 'failed');
  }
  const customer = await newCustomer(service);
  for (const phone of [customer.phone, newPhone(), newPhone()]) {
    const response = await requestCode(phone);
    assertRefused(response, 503, 'unavailable');
    assert.equal(response.headers.get('retry-after'), '60');
  }
  const otherNode = await service.startNode();
  assertRefused(await otherNode.post('/wallet/auth/otp', { phone: newPhone() }), 503, 'unavailable');
  await otherNode.stop();

  twilio.behavior = 'accept';
  service.clock.advance(MINUTE_MS);
  assert.equal(
    (await requestCode(customer.phone)).status,
    202,
    'the refused request did not count towards a limit',
  );
  await eventually('the message arrives', async () => findSms(customer.phone));
  await eventually('the channel is healthy', async () => {
    const row = await service.db.row<{ failures: number }>(sql`select failures from channel_health`);
    return row!.failures === 0;
  });
  assert.equal((await requestCode(newPhone())).status, 202);
});

test('the response does not wait for a slow gateway, and sending is retried after a timeout', async () => {
  twilio.behavior = 'slow';
  const { id, phone } = await newCustomer(service);
  assert.equal((await requestCode(phone)).status, 202);
  assert.notEqual((await findMessage(id))?.reason, 'timeout', 'the gateway has not timed out yet');
  const hasTimedOut = async () => (await findMessage(id))?.reason === 'timeout';
  await eventuallyAfterRetry('the gateway has timed out', hasTimedOut);
  twilio.behavior = 'accept';
});
