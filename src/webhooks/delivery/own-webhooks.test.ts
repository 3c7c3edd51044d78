import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Webhook } from 'standardwebhooks';
import { sql } from '#platform/database/db.ts';
import { type ApiResponse, eventually, openService } from '../../../test/harness.ts';
import { MERCHANT_KEY } from '../../../test/offer-desk.ts';
import { OPERATOR_KEY } from '../../../test/shop.ts';
import { assertRefused, createForeignKey } from '../../../test/support/customers.ts';
import {
  buildPurchaseEvents,
  findDemoPartnerId,
  openReceiver,
  publish,
  respondWith,
} from '../../../test/support/webhook-receiver.ts';

const service = await openService();
const { db, clock } = service;
const partner = await findDemoPartnerId(db);
const url = 'https://www.example.com.br/hook';

/** Calls the partner API; with the demo key unless another one is given. */
const call = (method: string, path: string, body?: unknown, key?: string): Promise<ApiResponse> =>
  service.call(method, `/webhooks${path}`, {
    ...(key !== undefined && { key }),
    ...(body !== undefined && { body }),
  });

async function create(body: object, key?: string) {
  const createResponse = await call('POST', '', body, key);
  assert.equal(createResponse.status, 201, createResponse.text);
  return createResponse.body;
}

test('a partner registers an endpoint, finds a failing delivery with the answer of its receiver, and resends it', async () => {
  const receiver = await openReceiver(respondWith(500, { 'x-reason': 'bug' }, 'x'.repeat(20_000)));
  const { id, secret, ...created } = await create({ url: receiver.url, events: ['pix.paid'] });
  assert.deepEqual(
    [created.partner, created.events, created.merchant, created.status],
    [partner, ['pix.paid'], null, 'enabled'],
  );
  const [event, filtered] = [
    ...buildPurchaseEvents(1, 'pix.paid', clock.now()),
    ...buildPurchaseEvents(1, 'installment.paid', clock.now()),
  ] as [ReturnType<typeof buildPurchaseEvents>[0], ReturnType<typeof buildPurchaseEvents>[0]];
  await publish(db, partner, [event, filtered]);
  const path = `/${id}/deliveries/${event.id}`;
  const failing = await eventually('the attempt is stored', async () => {
    const { body } = await call('GET', path);
    return body.attempts?.length > 0 && body;
  });
  assert.deepEqual([failing.status, failing.tries], ['pending', 1]);
  const { request, response } = failing;
  new Webhook(secret).verify(request.body, request.headers);
  assert.equal(request.url, receiver.url);
  assert.equal(request.body, receiver.received[0]!.raw);
  assert.deepEqual([response.status, response.headers['x-reason']], [500, 'bug']);
  assert.equal(response.body, 'x'.repeat(16 * 1024));

  receiver.behave = respondWith(200, {}, 'thanks');
  const resent = await call('POST', `${path}/resend`);
  assert.deepEqual([resent.status, resent.body.id, resent.body.status], [202, event.id, 'pending']);
  const delivered = await eventually('the delivery is finished', async () => {
    const { body } = await call('GET', path);
    return body.status === 'delivered' && body;
  });
  assert.equal(delivered.response.body, 'thanks');
  const listed = (await call('GET', `/${id}/deliveries`)).body;
  assert.deepEqual(
    listed.data.map((item: { id: string }) => item.id),
    [event.id],
  );
  const replayedResponse = await call('POST', `/${id}/replay`, { event: filtered.id });
  assert.deepEqual([replayedResponse.status, replayedResponse.body], [202, { replayed: 1 }]);
  assertRefused(await call('GET', `/${id}/deliveries/evt_01kfx3v9e2r4s6t8w0y2a4c6e8`), 404, 'not_found');
});

test('a partner tests, changes, rotates, disables and deletes its endpoint, and the audit trail names its key', async () => {
  const receiver = await openReceiver();
  const { id, secret } = await create({ url });
  const moveResponse = await call('PATCH', `/${id}`, { url: receiver.url, events: ['pix.paid', 'pix.paid'] });
  assert.deepEqual(
    [moveResponse.status, moveResponse.body.url, moveResponse.body.events],
    [200, receiver.url, ['pix.paid']],
  );
  const tested = (await call('POST', `/${id}/test`)).body;
  assert.equal(tested.status, 'delivered');
  const details = (await call('GET', `/${id}/deliveries/${tested.id}`)).body;
  assert.deepEqual([details.request.body, details.response.status], [receiver.received[0]!.raw, 204]);
  const rotateResponse = await call('POST', `/${id}/rotate`, { overlap_hours: 1 });
  assert.equal(rotateResponse.status, 200);
  assert.notEqual(rotateResponse.body.secret, secret);

  const disabled = (await call('PATCH', `/${id}`, { status: 'disabled' })).body;
  assert.deepEqual([disabled.status, disabled.disabled_reason], ['disabled', 'partner']);
  assertRefused(
    await call('POST', `/${id}/replay`, { since: clock.now().toISOString() }),
    409,
    'webhook_disabled',
  );
  assert.equal((await call('PATCH', `/${id}`, { status: 'enabled' })).body.disabled_reason, null);
  assertRefused(await call('PATCH', `/${id}`, {}), 400, 'validation_failed');
  assertRefused(await call('PATCH', `/${id}`, { url: 'ftp://x.example/' }), 400, 'validation_failed');

  assert.equal((await call('DELETE', `/${id}`)).status, 204);
  assertRefused(await call('GET', `/${id}`), 404, 'not_found');
  assertRefused(await call('DELETE', `/${id}`), 404, 'not_found');
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

test('nobody manages the endpoint of another partner, of another merchant, or of a key that reads more', async () => {
  const own = await create({ url });
  const ofMerchant = await create({ url }, MERCHANT_KEY);
  assert.equal(ofMerchant.merchant, 'padaria-flor-do-trigo');
  const publicKey = (await service.newKey({ scopes: ['public'] })).secret;
  const ofLeads = await create({ url, events: ['lead.received'] }, publicKey);
  const stranger = await createForeignKey(service);
  const requests: Array<[string, string, unknown?]> = [
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
  for (const [id, ...keys] of [
    [own.id, stranger, MERCHANT_KEY, publicKey],
    [ofMerchant.id, stranger, undefined, publicKey],
    [ofLeads.id, stranger, MERCHANT_KEY],
  ])
    for (const key of keys)
      for (const [method, path, body] of requests)
        assertRefused(await call(method, `/${id}${path}`, body, key), 404, 'not_found');
  const listIds = async (key?: string) =>
    (await call('GET', '?limit=100', undefined, key)).body.data.map(({ id }: { id: string }) => id);
  assert.deepEqual(await listIds(MERCHANT_KEY), [ofMerchant.id]);
  assert.deepEqual(await listIds(publicKey), [ofLeads.id]);
  assert.deepEqual(await listIds(stranger), []);
  assert.ok((await listIds()).includes(ofLeads.id));
  assertRefused(await call('POST', '', { url, events: ['pix.paid'] }, publicKey), 400, 'validation_failed');
});

test('an endpoint of a key without a merchant gets no events that only keys of a merchant read, also in a replay', async () => {
  const receiver = await openReceiver();
  const { id } = await create({ url: receiver.url });
  const publicKey = (await service.newKey({ scopes: ['public'] })).secret;
  const leads = await openReceiver();
  await create({ url: leads.url }, publicKey);
  const now = clock.now();
  const [merchantId] = (await db.rows<{ id: number }>(sql`select id from merchants order by id limit 1`)).map(
    (merchant) => merchant.id,
  );
  const [hidden] = buildPurchaseEvents(1, 'pix.paid', now);
  const [visible] = buildPurchaseEvents(1, 'pix.paid', now);
  await publish(db, partner, [hidden!], merchantId, { unbound: false });
  await publish(db, partner, [visible!]);
  await eventually('the event is received', async () => receiver.ids.has(visible!.id));
  assertRefused(await call('POST', `/${id}/replay`, { event: hidden!.id }), 404, 'not_found');
  const since = new Date(now.getTime() - 1).toISOString();
  await call('POST', `/${id}/replay`, { since });
  await eventually('the event is received again', async () => receiver.received.length > 1);
  assert.ok(!receiver.ids.has(hidden!.id));
  assert.deepEqual(leads.received, []);
});
