import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DAY_MS, HOUR_MS } from '#core/values/duration.ts';
import { sql } from '#platform/database/db.ts';
import { newId } from '#platform/ids.ts';
import { runUrgent } from '#platform/jobs/concurrency.ts';
import { enqueue } from '#platform/jobs/jobs.ts';
import { eventually, shareService } from '../../test/harness.ts';
import { MERCHANT_KEY } from '../../test/offer-driver.ts';
import {
  assertRefused,
  BRUNO,
  newCode,
  newCustomer,
  newPhone,
  OPERATOR_KEY,
  openSessionFor,
  waitForMessages,
} from '../../test/support/customers.ts';
import { newStaffUser } from '../../test/support/staff.ts';
import { queueNewPhoneMessage } from './store.ts';
import { getTemplate, TEMPLATES } from './templates.ts';

const service = await shareService();

const readInbox = async (phone: string) => {
  const path = `/sandbox/messages?phone=${encodeURIComponent(phone)}`;
  return (await service.staff('GET', path, { key: OPERATOR_KEY })).body.data as Array<
    Record<string, unknown>
  >;
};
const createOffer = (phone: string) =>
  service.post('/merchant/offers', { phone, amount: 90, installments: 3 }, { key: MERCHANT_KEY });
/** Enqueues the job that sends messages whose own jobs were lost or have used up their attempts. */
const enqueueSweep = () =>
  service.db.transaction((tx) => {
    const maxAttempts = 1;
    return enqueue(tx, 'messages_sweep', {}, maxAttempts, { key: 'messages_sweep' });
  });

test('sent codes and offers are in the sandbox inbox with their template and channel', async () => {
  const { code } = await newCode(service, BRUNO.phone);
  const [codeMessage] = await readInbox(BRUNO.phone);
  assert.deepEqual(
    [codeMessage!.template, codeMessage!.channel, codeMessage!.code, codeMessage!.step, codeMessage!.link],
    ['login_code', 'sms', code, null, null],
  );
  const phone = newPhone();
  const { body: offer } = await createOffer(phone);
  const [offerMessage] = await readInbox(phone);
  assert.deepEqual(
    [offerMessage!.template, offerMessage!.channel, offerMessage!.code],
    ['offer', 'sms', null],
  );
  assert.equal(offerMessage!.link, offer.link);
  assert.ok((offerMessage!.text as string).endsWith(offer.link));
  const row = await service.db.row<{ status: string; data: Buffer | null }>(
    sql`select status, parts as data from phone_messages where template = 'offer' order by created_at desc limit 1`,
  );
  assert.deepEqual(row, { status: 'sent', data: null }, 'the template data of the sent message is deleted');
});

/** Inserts a message without the job that sends it. */
async function insertWithoutJob(phone: string, offerId: string, writtenAt: Date): Promise<string> {
  const id = newId('msg', writtenAt);
  const templateData = {
    offerId,
    merchant: 'Loja',
    amountCents: 9_000,
    installments: 3,
    link: 'https://x.example',
  };
  await service.db.transaction(async (tx) =>
    queueNewPhoneMessage(tx, { id, phone, template: 'offer', parts: templateData, now: writtenAt }),
  );
  return id;
}
const readStatus = async (id: string) =>
  (await service.db.row<{ status: string }>(sql`select status from phone_messages where id = ${id}`))!.status;
const oneHourAgo = () => new Date(service.clock.now().getTime() - HOUR_MS);

test('login codes and other messages do not wait for urgent work such as settlements', async () => {
  const { body: offer } = await createOffer(newPhone());
  const id = await insertWithoutJob(newPhone(), offer.id, oneHourAgo());
  // Background jobs wait while urgent work, such as a settlement, runs. Messages must not.
  const settlementEnd = Promise.withResolvers<void>();
  const settlement = runUrgent(() => settlementEnd.promise);
  await newCode(service, newPhone());
  await enqueueSweep();
  await eventually('the message is sent', async () => (await readStatus(id)) === 'sent');
  settlementEnd.resolve();
  await settlement;
});

test('the sweep sends a message whose job was lost, once', async () => {
  const { body: offer } = await createOffer(newPhone());
  const phone = newPhone();
  const id = await insertWithoutJob(phone, offer.id, oneHourAgo());
  for (let i = 0; i < 2; i++) {
    await enqueueSweep();
    await eventually('the message is sent', async () => (await readStatus(id)) === 'sent');
  }
  assert.equal((await readInbox(phone)).length, 1);
});

test('a message about a cancelled offer and an expired message are not sent', async () => {
  const { body: offer } = await createOffer(newPhone());
  const phone = newPhone();
  const longAgo = new Date(oneHourAgo().getTime() - 2 * DAY_MS);
  const expiredId = await insertWithoutJob(phone, offer.id, longAgo);
  await service.post(`/merchant/offers/${offer.id}/cancel`, undefined, { key: MERCHANT_KEY });
  const cancelledId = await insertWithoutJob(phone, offer.id, oneHourAgo());
  await enqueueSweep();
  await eventually('the message is withdrawn', async () => (await readStatus(cancelledId)) === 'withdrawn');
  await eventually('the message is withdrawn', async () => (await readStatus(expiredId)) === 'withdrawn');
  assert.deepEqual(await readInbox(phone), []);
});

test('every template renders its example for every channel without missing values', () => {
  const creditor = { name: 'Credora', cnpj: '11.222.333/0001-81', address: 'Rua', email: 'a@b.example' };
  const toWalletUrl = (page: string) => `https://semana.example/carteira/${page}`;
  for (const name of Object.keys(TEMPLATES) as Array<keyof typeof TEMPLATES>) {
    const template = getTemplate(name);
    for (const channel of ['whatsapp', 'sms', 'email', 'push'] as const) {
      const text = template.text(template.example, { channel, creditor, toWalletUrl });
      assert.match(text, /^Semana: /, name);
      assert.ok(!/undefined|null|NaN/.test(text), `${name}: ${text}`);
    }
  }
});

test('preferences have defaults; omitted fields stay unchanged; invalid values are refused', async () => {
  const { token } = await openSessionFor(service, await newCustomer(service));
  const path = '/wallet/preferences';
  const defaults = {
    channels: ['whatsapp', 'sms', 'email', 'push'],
    reminders_before_due: true,
    news: false,
  };
  assert.deepEqual((await service.get(path, { token })).body, defaults);
  const put = (body: unknown) => service.call('PUT', path, { token, body });
  const updatedPreferences = { ...defaults, channels: ['email', 'sms'] };
  assert.deepEqual((await put({ channels: ['email', 'sms'] })).body, updatedPreferences);
  assert.deepEqual((await put({ news: true })).body, { ...updatedPreferences, news: true });
  assert.deepEqual((await service.get(path, { token })).body, { ...updatedPreferences, news: true });
  await Promise.all([put({ news: false }), put({ channels: ['sms'] }), put({ reminders_before_due: false })]);
  const finalPreferences = { channels: ['sms'], reminders_before_due: false, news: false };
  assert.deepEqual(
    (await service.get(path, { token })).body,
    finalPreferences,
    'no concurrent change is lost',
  );
  for (const body of [{ channels: [] }, { channels: ['sms', 'sms'] }, { channels: ['fax'] }, { news: 'sim' }])
    assertRefused(await put(body), 400, 'validation_failed');
});

test('customers list their own messages only, in pages, newest first, without codes', async () => {
  const customer = await newCustomer(service);
  const { token } = await openSessionFor(service, customer);
  for (let i = 0; i < 3; i++) await createOffer(customer.phone);
  await newCode(service, customer.phone);
  await waitForMessages(service, customer.phone, 4);
  const { body, headers } = await eventually('all messages are listed', async () => {
    const response = await service.get('/wallet/messages?limit=2', { token });
    return response.body.pagination.total === 3 && response;
  });
  assert.equal(body.data.length, 2);
  assert.match(headers.get('link') ?? '', /rel="next"/);
  const [newestMessage] = body.data;
  assert.deepEqual(Object.keys(newestMessage), [
    'id',
    'template',
    'step',
    'channel',
    'text',
    'status',
    'sent_at',
  ]);
  assert.deepEqual(
    [newestMessage.template, newestMessage.channel, newestMessage.status],
    ['offer', 'sms', 'sent'],
  );
  const otherSession = await openSessionFor(service, await newCustomer(service));
  const otherList = await service.get('/wallet/messages', { token: otherSession.token });
  assert.equal(otherList.body.pagination.total, 0);
});

const callStaffAs = (key: string) => (method: string, path: string, body?: unknown) =>
  service.staff(method, path, { key, ...(body !== undefined && { body }) });
const callStaff = callStaffAs(OPERATOR_KEY);

test('staff list messages with filters; the role viewer sees masked texts and cannot resend', async () => {
  const customer = await newCustomer(service);
  await createOffer(customer.phone);
  service.clock.advance(1_000);
  await newCode(service, customer.phone);
  await waitForMessages(service, customer.phone, 2);
  const path = `/admin/messages?customer=${encodeURIComponent(customer.phone)}`;
  const { body } = await eventually('both messages are listed', async () => {
    const response = await callStaff('GET', path);
    return response.body.pagination.total === 2 && response;
  });
  const hasTemplate = (template: string) => (row: { template: string }) => row.template === template;
  const [codeMessage, offerMessage] = ['login_code', 'offer'].map((template) =>
    body.data.find(hasTemplate(template)),
  );
  assert.deepEqual(
    [
      codeMessage.template,
      codeMessage.text,
      offerMessage.template,
      offerMessage.status,
      offerMessage.channel,
      offerMessage.title,
    ],
    ['login_code', 'Código de acesso.', 'offer', 'sent', 'sms', 'oferta de compra'],
  );
  assert.match(offerMessage.text, /^Semana: .*oferece/);
  assert.equal((await callStaff('GET', `${path}&template=offer`)).body.pagination.total, 1);
  for (const filter of ['status=failed', 'channel=email', 'to=2020-01-01'])
    assert.equal((await callStaff('GET', `${path}&${filter}`)).body.pagination.total, 0, filter);
  assertRefused(await callStaff('GET', '/admin/messages?template=nonsense'), 400, 'validation_failed');
  const viewer = await newStaffUser(service, 'Vera', 'viewer');
  const maskedMessage = (await callStaffAs(viewer.key)('GET', path)).body.data.find(hasTemplate('offer'));
  assert.deepEqual(
    [maskedMessage.text, maskedMessage.customer_name === offerMessage.customer_name],
    ['***', false],
  );
  assertRefused(
    await callStaff('POST', `/admin/messages/${offerMessage.id}/resend`),
    409,
    'message_not_kept',
  );
  assertRefused(await callStaff('POST', `/admin/messages/${codeMessage.id}/resend`), 409, 'message_not_kept');
  assertRefused(
    await callStaff('POST', `/admin/messages/${newId('msg', new Date())}/resend`),
    404,
    'not_found',
  );
  assertRefused(
    await callStaffAs(viewer.key)('POST', `/admin/messages/${offerMessage.id}/resend`),
    403,
    'role_missing',
  );
});

test('the templates are listed with an example text for each channel, and a test message can be sent', async () => {
  const { body } = await callStaff('GET', '/admin/message-templates?limit=100');
  assert.deepEqual(
    body.data.map(({ name }: { name: string }) => name),
    Object.keys(TEMPLATES).toSorted(),
  );
  const reminder = body.data.find(({ name }: { name: string }) => name === 'reminder');
  assert.match(reminder.whatsapp, /Pix copia e cola/);
  assert.ok(!reminder.sms.includes('Pix copia e cola'), 'an SMS cannot hold the code');
  assert.equal(body.data.find(({ name }: { name: string }) => name === 'offer').email, null);
  const phone = newPhone();
  const sendResponse = await callStaff('POST', '/admin/messages/test', {
    channel: 'sms',
    to: phone,
    template: 'reminder',
  });
  assert.equal(sendResponse.status, 200, sendResponse.text);
  assert.deepEqual(
    (await readInbox(phone)).map(({ text }) => text),
    [reminder.sms],
  );
  for (const invalidInput of [
    { channel: 'email', to: phone },
    { channel: 'sms', to: 'eu@semana.example' },
    { channel: 'push', to: phone },
  ])
    assertRefused(await callStaff('POST', '/admin/messages/test', invalidInput), 400, 'validation_failed');
});

test('agreements are cached by their ETag; a published one is in force immediately, and its version is then taken', async () => {
  const readAgreement = async (kind: string) => (await service.get(`/public/agreements/${kind}`)).body;
  const { headers } = await service.get('/public/agreements/terms');
  const cachedResponse = await service.get('/public/agreements/terms', {
    headers: { 'if-none-match': headers.get('etag')! },
  });
  assert.deepEqual(
    [cachedResponse.status, cachedResponse.text, cachedResponse.headers.get('etag')],
    [304, '', headers.get('etag')],
  );
  assert.equal((await readAgreement('terms')).version, '2026-11');
  assert.ok((await readAgreement('privacy')).sections.length > 3);
  const newTerms = { kind: 'terms', version: '2027-01', sections: [{ title: 'Um', text: 'Dois.' }] };
  const publishResponse = await callStaff('POST', '/admin/agreements', newTerms);
  assert.equal(publishResponse.status, 201, publishResponse.text);
  assert.deepEqual(await readAgreement('terms'), newTerms);
  assert.equal((await readAgreement('privacy')).version, '2026-11');
  assertRefused(await callStaff('POST', '/admin/agreements', newTerms), 409, 'version_taken');
  assertRefused(
    await callStaff('POST', '/admin/agreements', { ...newTerms, version: '2026-11' }),
    409,
    'version_taken',
  );
  assertRefused(
    await callStaff('POST', '/admin/agreements', { ...newTerms, sections: [] }),
    400,
    'validation_failed',
  );
  // The version that the product contains is not in the list of published ones.
  const { body } = await callStaff('GET', '/admin/agreements?kind=terms');
  assert.deepEqual(
    body.data.map(({ version }: { version: string }) => version),
    ['2027-01'],
  );
});

test('only subscriptions at the push services of browser vendors are accepted; at most ten are stored', async () => {
  const customer = await newCustomer(service);
  const { token } = await openSessionFor(service, customer);
  const readPush = async () => (await service.get('/wallet/push', { token })).body;
  assert.deepEqual(await readPush(), { public_key: null, browsers: 0 });
  const keys = { p256dh: 'B'.repeat(87), auth: 'a'.repeat(22) };
  const subscribe = (endpoint: string) => service.post('/wallet/push', { endpoint, keys }, { token });
  for (const endpoint of [
    'http://fcm.googleapis.com/x',
    'https://127.0.0.1/x',
    'https://fcm.googleapis.com.evil.example/x',
    'https://fcm.googleapis.com:8443/x',
    'https://u@fcm.googleapis.com/x',
    'https://127.0.0.1;.fcm.googleapis.com/x',
    'https://127.0.0.1,.fcm.googleapis.com/x',
    'https://127.0.0.1{.fcm.googleapis.com/x',
    'https://a_b.fcm.googleapis.com/x',
  ])
    assertRefused(await subscribe(endpoint), 400, 'validation_failed');
  const subscribeBrowser = async (number: number) =>
    assert.equal((await subscribe(`https://fcm.googleapis.com/fcm/send/${number}`)).status, 204);
  await subscribeBrowser(0);
  await subscribeBrowser(0);
  assert.equal((await readPush()).browsers, 1, 'a repeated subscription counts once');
  for (let i = 1; i < 12; i++) await subscribeBrowser(i);
  assert.equal((await readPush()).browsers, 10, 'beyond ten, the oldest subscription is deleted');
  assert.equal((await service.call('DELETE', '/wallet/push', { token })).status, 204);
  assert.equal((await readPush()).browsers, 0);
});
