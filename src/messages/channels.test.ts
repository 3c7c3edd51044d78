import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { after, test } from 'node:test';
import { sql } from '#platform/database/db.ts';
import { eventually, openService } from '../../test/harness.ts';
import { newCustomer, OPERATOR_KEY } from '../../test/support/customers.ts';
import { openFakeMailServer } from '../../test/support/mail-server.ts';
import { ACCOUNT, openFakeTwilio } from '../../test/support/sms-gateway.ts';
import { queueCustomerMessage } from './outbox.ts';
import { savePreferences } from './preferences.ts';

const twilio = await openFakeTwilio();
const mail = await openFakeMailServer();
const WHATSAPP_NUMBER = '+15005550007';
after(async () => {
  await twilio.close();
  await mail.close();
});
const service = await openService({
  env: {
    SMS_SENDER: 'twilio',
    TWILIO_URL: twilio.url,
    TWILIO_ACCOUNT_SID: ACCOUNT.accountSid,
    TWILIO_AUTH_TOKEN: ACCOUNT.authToken,
    TWILIO_FROM: ACCOUNT.from,
    TWILIO_WHATSAPP_FROM: WHATSAPP_NUMBER,
    TWILIO_CONTENTS: 'password_changed=HX1, new_session=HX2',
    SMTP_URL: mail.url,
    SMTP_FROM: 'Semana <avisos@semana.example>',
  },
});

const EMAIL_ONLY_PREFERENCES = { channels: ['email'], reminders_before_due: true, news: false } as const;
let messageCount = 0;
/** Queues a message to a customer, about another subject in each call. */
async function queueMessage(
  customerId: string,
  template: 'password_changed' | 'extended' = 'password_changed',
) {
  const now = service.clock.now();
  const subjectKey = String(++messageCount);
  await service.db.transaction(async (tx) => {
    if (template === 'extended') {
      const data = { number: 1, dueOn: '2026-12-01', page: 'compras' };
      queueCustomerMessage(tx, customerId, { template, data, subjectKey, now });
    } else queueCustomerMessage(tx, customerId, { template, data: {}, subjectKey, now });
  });
}
type MessageRow = {
  status: string;
  channel: string | null;
  reason: string | null;
  provider_id: string | null;
};
const waitForStatus = (customerId: string, status: string): Promise<MessageRow> =>
  eventually(`the message is ${status}`, async () => {
    const row = await service.db.row<MessageRow>(sql`
      select status, channel, reason, provider_id from messages where customer_id = ${customerId}
      order by created_at desc, id desc limit 1`);
    return row?.status === status && row;
  });

test('a WhatsApp message uses the approved template with its variables', async () => {
  const { id, phone } = await newCustomer(service);
  await queueMessage(id);
  assert.equal((await waitForStatus(id, 'sent')).channel, 'whatsapp');
  const form = twilio.forms.at(-1)!;
  assert.deepEqual(
    [form.get('To'), form.get('From'), form.get('ContentSid')],
    [`whatsapp:${phone}`, `whatsapp:${WHATSAPP_NUMBER}`, 'HX1'],
  );
  const { 1: text } = JSON.parse(form.get('ContentVariables')!);
  assert.match(text, /^Semana: a senha/);
  assert.match(form.get('StatusCallback')!, /\/messages\/twilio\/status$/);
});

test('after WhatsApp has refused a phone permanently, this and later messages to it are sent by SMS only', async () => {
  twilio.behavior = 'refuse whatsapp';
  const { id } = await newCustomer(service);
  await queueMessage(id);
  assert.equal((await waitForStatus(id, 'sent')).channel, 'sms');
  const requestCountBefore = twilio.requestCount;
  await queueMessage(id);
  await eventually('the second message is sent', async () => {
    const row = await service.db.row<{ sent: number }>(
      sql`select count(*) as sent from messages where customer_id = ${id} and status = 'sent'`,
    );
    return row!.sent === 2;
  });
  assert.equal(twilio.requestCount, requestCountBefore + 1, 'one request, for the SMS');
  twilio.behavior = 'accept';
});

test('messages of one transaction share a job, and a retry of one neither delays nor repeats the others', async () => {
  const [delayedCustomer, otherCustomer] = [await newCustomer(service), await newCustomer(service)];
  const now = service.clock.now();
  await service.db.transaction((tx) => savePreferences(tx, delayedCustomer.id, EMAIL_ONLY_PREFERENCES, now));
  mail.behavior = 'busy';
  const data = { number: 1, dueOn: '2026-12-01', page: 'compras' };
  await service.db.transaction(async (tx) => {
    for (const { id } of [delayedCustomer, otherCustomer])
      queueCustomerMessage(tx, id, { template: 'extended', data, subjectKey: 'together', now });
  });
  await waitForStatus(otherCustomer.id, 'sent');
  await waitForStatus(delayedCustomer.id, 'retrying');
  await eventually('one job for both messages is left', async () => {
    const row = await service.db.row<{ jobs: number }>(sql`
      select count(*) as jobs from graphile_worker.jobs where task_identifier = 'send_messages'`);
    return row!.jobs === 1;
  });
  mail.behavior = 'accept';
  const waitUntilSent = () => waitForStatus(delayedCustomer.id, 'sent');
  // The retry may take longer than one wait.
  assert.equal((await waitUntilSent().catch(waitUntilSent)).channel, 'email');
  assert.equal(twilio.forms.filter((form) => form.get('To')!.endsWith(otherCustomer.phone)).length, 1);
});

test('channels are tried in the customer’s order; only a legal notice uses the other channels too', async () => {
  const { id } = await newCustomer(service);
  const now = service.clock.now();
  await service.db.transaction((tx) => savePreferences(tx, id, EMAIL_ONLY_PREFERENCES, now));
  await queueMessage(id);
  assert.equal((await waitForStatus(id, 'sent')).channel, 'email');
  mail.behavior = 'refuse receiver';
  service.clock.advance(1_000);
  await queueMessage(id);
  assert.equal((await waitForStatus(id, 'sent')).channel, 'whatsapp');
  service.clock.advance(1_000);
  await queueMessage(id, 'extended');
  assert.equal(
    (await waitForStatus(id, 'failed')).reason,
    'no_channel',
    'e-mail is refused, and the customer wants no other channel',
  );
  mail.behavior = 'accept';
});

test('signed status callbacks update a message in any order, and each is stored once; forged ones get a 404', async () => {
  const { id } = await newCustomer(service);
  await queueMessage(id);
  const { provider_id: messageSid } = await waitForStatus(id, 'sent');
  const path = '/messages/twilio/status';
  const sendCallback = async (status: string, authToken = ACCOUNT.authToken) => {
    const form = new URLSearchParams({ MessageSid: messageSid!, MessageStatus: status });
    const url = twilio.forms.at(-1)!.get('StatusCallback')!;
    // Twilio signs the URL, followed by names and values of the parameters, sorted by name.
    const signedText = `${url}MessageSid${messageSid}MessageStatus${status}`;
    const response = await fetch(`${service.partnerUrl}${path}`, {
      method: 'POST',
      headers: { 'x-twilio-signature': createHmac('sha1', authToken).update(signedText).digest('base64') },
      body: form,
    });
    return response.status;
  };
  assert.equal(await sendCallback('delivered', 'forged'), 404);
  assert.equal((await waitForStatus(id, 'sent')).status, 'sent');
  const unknownStatus = 'constructor'; // a property that every object has
  for (const status of ['read', 'delivered', 'sent', 'delivered', 'failed', unknownStatus])
    assert.equal(await sendCallback(status), 200);
  assert.equal((await waitForStatus(id, 'read')).status, 'read', 'a read message stays read');
  const rows = await service.db.rows(sql`select 1 from delivery_reports where provider_id = ${messageSid}`);
  assert.equal(rows.length, 5, 'each of the five statuses is stored once, as evidence');
  const nextCustomer = await newCustomer(service);
  await queueMessage(nextCustomer.id);
  const otherMessage = await waitForStatus(nextCustomer.id, 'sent');
  const form = new URLSearchParams({ MessageSid: otherMessage.provider_id! });
  const unsignedResponse = await fetch(`${service.partnerUrl}${path}`, { method: 'POST', body: form });
  assert.equal(unsignedResponse.status, 404);
});

test('a test message is sent through the provider; refusals are reported and counted by channel and reason', async () => {
  twilio.behavior = 'accept';
  const send = (body: object) => service.staff('POST', '/admin/messages/test', { key: OPERATOR_KEY, body });
  const smsResponse = await send({ channel: 'sms', to: '+5511987650001' });
  assert.equal(smsResponse.status, 200, smsResponse.text);
  assert.equal(twilio.sentMessages.at(-1)!.body, smsResponse.body.text);
  const emailResponse = await send({ channel: 'email', to: 'eu@semana.example', template: 'reminder' });
  assert.equal(emailResponse.status, 200, emailResponse.text);
  assert.equal(mail.sentMessages.at(-1)!.to, 'eu@semana.example');
  const refusedResponse = await send({ channel: 'whatsapp', to: '+5511987650001', template: 'reminder' });
  assert.deepEqual([refusedResponse.status, refusedResponse.body.code], [503, 'message_not_sent']);
  assert.match(refusedResponse.body.detail, /no_content/);
  const { id } = await newCustomer(service);
  twilio.behavior = 'refuse';
  await queueMessage(id);
  await waitForStatus(id, 'failed');
  const { text } = await service.staff('GET', '/metrics');
  assert.match(text, /message_failures_total\{channel="sms",reason="twilio_21211"\} [1-9]/);
  twilio.behavior = 'accept';
});
