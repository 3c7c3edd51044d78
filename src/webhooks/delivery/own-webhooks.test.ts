import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Webhook } from 'standardwebhooks';
import { sql } from '#platform/database/db.ts';
import {
  type ApiResponse,
  DEMO_KEY,
  eventually,
  findDemoPartnerId,
  openService,
} from '../../../test/harness.ts';
import { MERCHANT_KEY } from '../../../test/offer-driver.ts';
import { OPERATOR_KEY } from '../../../test/purchase-driver.ts';
import { assertRefused, createOtherPartnerKey } from '../../../test/support/customers.ts';
import {
  buildPurchaseEvents,
  openWebhookReceiver,
  publish,
  respondWith,
} from '../../../test/support/webhook-receiver.ts';

const service = await openService();
const { db, clock } = service;
const partner = await findDemoPartnerId(db);
const url = 'https://www.example.com.br/hook';

/** Calls the partner API; with the demo key unless another one is given. */
const callPartnerApi = (method: string, path: string, body?: unknown, key?: string): Promise<ApiResponse> =>
  service.call(method, `/webhooks${path}`, {
    ...(key !== undefined && { key }),
    ...(body !== undefined && { body }),
  });

async function createWebhook(body: object, key?: string) {
  const createResponse = await callPartnerApi('POST', '', body, key);
  assert.equal(createResponse.status, 201, createResponse.text);
  return createResponse.body;
}

test('a partner registers an endpoint, finds a failing delivery with the response of its receiver, and resends it', async () => {
  const receiver = await openWebhookReceiver(respondWith(500, { 'x-reason': 'bug' }, 'x'.repeat(20_000)));
  const { id, secret, ...otherFields } = await createWebhook({ url: receiver.url, events: ['pix.paid'] });
  assert.deepEqual(
    [otherFields.partner, otherFields.events, otherFields.merchant, otherFields.status],
    [partner, ['pix.paid'], null, 'enabled'],
  );
  const event = buildPurchaseEvents(1, 'pix.paid', clock.now())[0]!;
  const filteredEvent = buildPurchaseEvents(1, 'installment.paid', clock.now())[0]!;
  await publish(db, partner, [event, filteredEvent]);
  const path = `/${id}/deliveries/${event.id}`;
  const failingDelivery = await eventually('the attempt is stored', async () => {
    const { body } = await callPartnerApi('GET', path);
    return body.attempts?.length > 0 && body;
  });
  assert.deepEqual([failingDelivery.status, failingDelivery.tries], ['pending', 1]);
  const { request, response } = failingDelivery;
  new Webhook(secret).verify(request.body, request.headers);
  assert.equal(request.url, receiver.url);
  assert.equal(request.body, receiver.received[0]!.raw);
  assert.deepEqual([response.status, response.headers['x-reason']], [500, 'bug']);
  assert.equal(response.body, 'x'.repeat(16 * 1024));

  receiver.behave = respondWith(200, {}, 'thanks');
  const { status, body } = await callPartnerApi('POST', `${path}/resend`);
  assert.deepEqual([status, body.id, body.status], [202, event.id, 'pending']);
  const finishedDelivery = await eventually('the delivery is finished', async () => {
    const { body } = await callPartnerApi('GET', path);
    return body.status === 'delivered' && body;
  });
  assert.equal(finishedDelivery.response.body, 'thanks');
  const deliveryList = (await callPartnerApi('GET', `/${id}/deliveries`)).body;
  assert.deepEqual(
    deliveryList.data.map((item: { id: string }) => item.id),
    [event.id],
  );
  const replayedResponse = await callPartnerApi('POST', `/${id}/replay`, { event: filteredEvent.id });
  assert.deepEqual([replayedResponse.status, replayedResponse.body], [202, { replayed: 1 }]);
  assertRefused(
    await callPartnerApi('GET', `/${id}/deliveries/evt_01kfx3v9e2r4s6t8w0y2a4c6e8`),
    404,
    'not_found',
  );
});

test('a partner tests, changes, rotates, disables and deletes its endpoint, and the audit trail names its key', async () => {
  const receiver = await openWebhookReceiver();
  const { id, secret } = await createWebhook({ url });
  const patchResponse = await callPartnerApi('PATCH', `/${id}`, {
    url: receiver.url,
    events: ['pix.paid', 'pix.paid'],
  });
  assert.deepEqual(
    [patchResponse.status, patchResponse.body.url, patchResponse.body.events],
    [200, receiver.url, ['pix.paid']],
  );
  const testDelivery = (await callPartnerApi('POST', `/${id}/test`)).body;
  assert.equal(testDelivery.status, 'delivered');
  const deliveryDetails = (await callPartnerApi('GET', `/${id}/deliveries/${testDelivery.id}`)).body;
  assert.deepEqual(
    [deliveryDetails.request.body, deliveryDetails.response.status],
    [receiver.received[0]!.raw, 204],
  );
  const rotateResponse = await callPartnerApi('POST', `/${id}/rotate`, { overlap_hours: 1 });
  assert.equal(rotateResponse.status, 200);
  assert.notEqual(rotateResponse.body.secret, secret);

  const disabledWebhook = (await callPartnerApi('PATCH', `/${id}`, { status: 'disabled' })).body;
  assert.deepEqual([disabledWebhook.status, disabledWebhook.disabled_reason], ['disabled', 'partner']);
  assertRefused(
    await callPartnerApi('POST', `/${id}/replay`, { since: clock.now().toISOString() }),
    409,
    'webhook_disabled',
  );
  assert.equal((await callPartnerApi('PATCH', `/${id}`, { status: 'enabled' })).body.disabled_reason, null);
  assertRefused(await callPartnerApi('PATCH', `/${id}`, {}), 400, 'validation_failed');
  assertRefused(
    await callPartnerApi('PATCH', `/${id}`, { url: 'ftp://x.example/' }),
    400,
    'validation_failed',
  );

  assert.equal((await callPartnerApi('DELETE', `/${id}`)).status, 204);
  assertRefused(await callPartnerApi('GET', `/${id}`), 404, 'not_found');
  assertRefused(await callPartnerApi('DELETE', `/${id}`), 404, 'not_found');
  assert.deepEqual(await db.rows(sql`select from webhook_deliveries where endpoint_id = ${id}`), []);

  const trail = await service.staff('GET', `/admin/audit-trail?subject=${id}&limit=100`, {
    key: OPERATOR_KEY,
  });
  const entries: Array<{ action: string; actor: string }> = trail.body.data;
  assert.deepEqual(
    new Set(entries.map(({ action }) => action)),
    new Set(['createWebhook', 'updateWebhook', 'testWebhook', 'rotateWebhookSecret', 'deleteWebhook']),
  );
  for (const { actor } of entries) assert.match(actor, /^key_/);
  assert.doesNotMatch(trail.text, /whsec_/);
});

test('a key manages no endpoint of another partner, of another merchant, or of a key that reads more event types', async () => {
  const ownWebhook = await createWebhook({ url });
  const merchantWebhook = await createWebhook({ url }, MERCHANT_KEY);
  assert.equal(merchantWebhook.merchant, 'padaria-flor-do-trigo');
  const publicKey = (await service.newKey({ scopes: ['public'] })).secret;
  const leadWebhook = await createWebhook({ url, events: ['lead.received'] }, publicKey);
  const foreignKey = await createOtherPartnerKey(service);
  const requests: Array<[method: string, path: string, body?: unknown]> = [
    ['GET', ''],
    ['PATCH', '', { status: 'disabled' }],
    ['DELETE', ''],
    ['POST', '/rotate'],
    ['POST', '/test'],
    ['POST', '/replay', { since: clock.now().toISOString() }],
    ['GET', '/deliveries'],
    ['GET', '/deliveries/evt_01kfx3v9e2r4s6t8w0y2a4c6e8'],
    ['POST', '/deliveries/evt_01kfx3v9e2r4s6t8w0y2a4c6e8/resend'],
  ];
  for (const { id, refusedKeys } of [
    { id: ownWebhook.id, refusedKeys: [foreignKey, MERCHANT_KEY, publicKey] },
    { id: merchantWebhook.id, refusedKeys: [foreignKey, DEMO_KEY, publicKey] },
    { id: leadWebhook.id, refusedKeys: [foreignKey, MERCHANT_KEY] },
  ])
    for (const key of refusedKeys)
      for (const [method, path, body] of requests)
        assertRefused(await callPartnerApi(method, `/${id}${path}`, body, key), 404, 'not_found');
  const listIds = async (key?: string) =>
    (await callPartnerApi('GET', '?limit=100', undefined, key)).body.data.map(({ id }: { id: string }) => id);
  assert.deepEqual(await listIds(MERCHANT_KEY), [merchantWebhook.id]);
  assert.deepEqual(await listIds(publicKey), [leadWebhook.id]);
  assert.deepEqual(await listIds(foreignKey), []);
  assert.ok((await listIds()).includes(leadWebhook.id), 'the demo key reads all event types');
  assertRefused(
    await callPartnerApi('POST', '', { url, events: ['pix.paid'] }, publicKey),
    400,
    'validation_failed',
  );
});

test('an endpoint of a key without a merchant gets no events that only keys of a merchant read, not even in a replay', async () => {
  const receiver = await openWebhookReceiver();
  const { id } = await createWebhook({ url: receiver.url });
  const publicKey = (await service.newKey({ scopes: ['public'] })).secret;
  const leadReceiver = await openWebhookReceiver();
  await createWebhook({ url: leadReceiver.url }, publicKey);
  const now = clock.now();
  const merchantId = await db.value<number>(sql`select min(id) from merchants`);
  const [merchantEvent] = buildPurchaseEvents(1, 'pix.paid', now);
  const [eventForAllKeys] = buildPurchaseEvents(1, 'pix.paid', now);
  await publish(db, partner, [merchantEvent!], merchantId, { reachesKeysWithoutMerchant: false });
  await publish(db, partner, [eventForAllKeys!]);
  await eventually('the event is received', async () => receiver.ids.has(eventForAllKeys!.id));
  assertRefused(
    await callPartnerApi('POST', `/${id}/replay`, { event: merchantEvent!.id }),
    404,
    'not_found',
  );
  const since = new Date(now.getTime() - 1).toISOString();
  await callPartnerApi('POST', `/${id}/replay`, { since });
  await eventually('the event is received again', async () => receiver.received.length > 1);
  assert.ok(!receiver.ids.has(merchantEvent!.id));
  assert.deepEqual(leadReceiver.received, []);
});
