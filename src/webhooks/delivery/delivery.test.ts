import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Webhook } from 'standardwebhooks';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '#core/values/duration.ts';
import { type Db, openDb, sql } from '#platform/database/db.ts';
import { API_VERSION } from '#platform/http/default-headers.ts';
import {
  eventually,
  findDemoPartnerId,
  type Node,
  openService,
  waitForLockWaits,
} from '../../../test/harness.ts';
import { OPERATOR_KEY } from '../../../test/purchase-driver.ts';
import {
  type Behavior,
  buildPurchaseEvents,
  neverRespond,
  openWebhookReceiver,
  publish,
  type Receiver,
  resetConnection,
  respondWith,
  respondWithMegabytes,
  WEBHOOK_CUSTOMER,
} from '../../../test/support/webhook-receiver.ts';
import { WEBHOOKS_TOPIC } from '../publish-store.ts';
import { settleDeliveries } from './delivery-store.ts';
import { FAILURES_BEFORE_PROBING } from './retry-schedule.ts';
import { type EventPosition, findWebhook, requeueEventsAfter } from './store.ts';
import { replayEventsSince } from './webhooks.ts';

const service = await openService({ env: { WEBHOOK_TIMEOUT_MS: '2000' } });
const { db } = service;
const partner = await findDemoPartnerId(db);

const callStaffApi = (method: string, path: string, body?: unknown) =>
  service.staff(method, `/admin/webhooks${path}`, { key: OPERATOR_KEY, ...(body !== undefined && { body }) });
async function registerWebhook(receiver: Receiver, events?: string[]) {
  const { status, body, text } = await callStaffApi('POST', '', {
    partner,
    url: receiver.url,
    ...(events && { events }),
  });
  assert.equal(status, 201, text);
  return body as { id: string; secret: string };
}
const getWebhook = async (id: string) => (await callStaffApi('GET', `/${id}`)).body;
const listDeliveries = async (id: string) =>
  (await callStaffApi('GET', `/${id}/deliveries?limit=100`)).body.data;
const waitForDelivery = (id: string, matches: (delivery: { status: string; tries: number }) => boolean) =>
  eventually('the delivery exists', async () => (await listDeliveries(id)).find(matches));
/** Makes all pending deliveries due now. */
const makeRetriesDue = (id: string) =>
  db.transaction(async (tx) => {
    await tx.run(sql`update webhook_endpoints set held_until = now() where id = ${id}`);
    await tx.run(
      sql`update webhook_deliveries set due_at = now() where endpoint_id = ${id} and status = 'pending'`,
    );
    tx.notifyAfterCommit(WEBHOOKS_TOPIC, id);
  });
const disableWebhook = (id: string) => callStaffApi('POST', `/${id}/disable`);
const publishEvents = async (count: number, type?: string) => {
  const events = buildPurchaseEvents(count, type, service.clock.now());
  await publish(db, partner, events);
  return events;
};
/** Waits until the receiver has got all events. */
const waitUntilAllReceived = (receiver: Receiver, events: Array<{ id: string }>) =>
  eventually('all events are received', async () => {
    const ids = new Set(receiver.received.map(({ id }) => id));
    return events.every(({ id }) => ids.has(id));
  });

test('an event arrives with a signature that the standard library verifies, over a keep-alive connection', async () => {
  const receiver = await openWebhookReceiver();
  const { id, secret } = await registerWebhook(receiver);
  for (let i = 0; i < 3; i++) await waitUntilAllReceived(receiver, await publishEvents(1));
  const [{ headers, raw, body }] = receiver.received as [(typeof receiver.received)[number]];
  assert.deepEqual(new Webhook(secret).verify(raw, headers), body);
  assert.throws(() => new Webhook(secret).verify(raw.replace('pix.paid', 'pix.pais'), headers));
  assert.equal(headers['content-type'], 'application/json');
  const { checkout_hash } = body.data;
  const { occurred_at } = body;
  assert.deepEqual(body, {
    id: headers['webhook-id'],
    type: 'pix.paid',
    occurred_at,
    api_version: API_VERSION,
    sequence: 1,
    data: { checkout_hash, n: 0, customer_id: WEBHOOK_CUSTOMER },
  });
  assert.equal(occurred_at, service.clock.now().toISOString());
  assert.equal(receiver.countConnections(), 1);
  const delivery = await waitForDelivery(id, ({ status }) => status === 'delivered');
  assert.deepEqual([delivery.tries, delivery.next_try_at, delivery.attempts.length], [1, null, 1]);
  assert.equal(delivery.attempts[0].status, 204);
  await disableWebhook(id);
});

test('an endpoint gets only the event types of its filter', async () => {
  const receiver = await openWebhookReceiver();
  const { id } = await registerWebhook(receiver, ['checkout.paid']);
  await publishEvents(2, 'pix.paid');
  await waitUntilAllReceived(receiver, await publishEvents(1, 'checkout.paid'));
  assert.deepEqual(
    receiver.received.map(({ body }) => body.type),
    ['checkout.paid'],
  );
  await disableWebhook(id);
});

const FAILURES: Array<[behaviour: string, behave: Behavior, status: number | null, error: string | null]> = [
  ['responds with 500', respondWith(500, {}, 'ouch'), 500, null],
  ['redirects', respondWith(302, { location: 'http://127.0.0.1:1/' }), 302, null],
  ['hangs', neverRespond, null, 'timeout'],
  ['resets the connection', resetConnection, null, 'ECONNRESET'],
  ['sends megabytes with a 500', respondWithMegabytes(500), 500, null],
];
for (const [behaviour, behave, status, error] of FAILURES) {
  test(`a delivery to a receiver that ${behaviour} is retried about ten seconds later, with the same id`, async () => {
    const receiver = await openWebhookReceiver(behave);
    const { id } = await registerWebhook(receiver);
    const [event] = await publishEvents(1);
    const failedDelivery = await waitForDelivery(id, ({ tries }) => tries === 1);
    assert.deepEqual(
      [failedDelivery.status, failedDelivery.attempts[0].status, failedDelivery.attempts[0].error],
      ['pending', status, error],
    );
    assert.ok((failedDelivery.attempts[0].answer ?? '').length <= 2048);
    const waitMs = Date.parse(failedDelivery.next_try_at) - Date.parse(failedDelivery.attempts[0].at);
    // Ten seconds with jitter, minus the duration of the call, and longer on a busy machine.
    assert.ok(waitMs > 8_900 && waitMs < 14_000, String(waitMs));
    assert.ok((await getWebhook(id)).failing_since);
    receiver.behave = respondWith(200);
    await makeRetriesDue(id);
    await waitForDelivery(id, (delivery) => delivery.status === 'delivered' && delivery.tries === 2);
    assert.deepEqual([...new Set(receiver.received.map((delivery) => delivery.id))], [event!.id]);
    assert.equal((await getWebhook(id)).failing_since, null);
    await disableWebhook(id);
  });
}

test('the first 2 KB of a response are stored, without zero bytes, and the rest is not read', async () => {
  const receiver = await openWebhookReceiver(respondWithMegabytes(200));
  const { id } = await registerWebhook(receiver);
  await publishEvents(1);
  const { attempts } = await waitForDelivery(id, ({ status }) => status === 'delivered');
  assert.equal(attempts[0].answer, 'x'.repeat(2048));
  receiver.behave = respondWith(200, {}, 'a\0é');
  const [event] = await publishEvents(1);
  const delivery = await eventually('the event is delivered', async () =>
    (await listDeliveries(id)).find(
      (item: { event: string; status: string }) => item.event === event!.id && item.status === 'delivered',
    ),
  );
  assert.equal(delivery.attempts[0].answer, 'a\ufffdé');
  await disableWebhook(id);
});

test('a delivery fails after the eighth attempt; a replay starts again with all attempts', async () => {
  const receiver = await openWebhookReceiver(respondWith(503));
  const { id } = await registerWebhook(receiver);
  const [event] = await publishEvents(1);
  const MAX_ATTEMPTS = 8;
  const waitsMs: number[] = [];
  for (let tries = 1; tries <= MAX_ATTEMPTS; tries++) {
    const delivery = await waitForDelivery(id, (delivery) => delivery.tries === tries);
    if (tries < MAX_ATTEMPTS)
      waitsMs.push(Date.parse(delivery.next_try_at) - Date.parse(delivery.attempts.at(-1).at));
    assert.equal(delivery.status, tries < MAX_ATTEMPTS ? 'pending' : 'failed');
    await makeRetriesDue(id);
  }
  const hours = waitsMs.reduce((sum, ms) => sum + ms, 0) / HOUR_MS;
  assert.ok(hours > 21 && hours < 27, `${hours} hours in total`);
  receiver.behave = respondWith(200);
  const { status, body } = await callStaffApi('POST', `/${id}/replay`, { event: event!.id });
  assert.deepEqual([status, body], [202, { replayed: 1 }]);
  await makeRetriesDue(id);
  const { tries, attempts } = await waitForDelivery(id, (delivery) => delivery.status === 'delivered');
  assert.deepEqual([tries, attempts.length], [1, MAX_ATTEMPTS + 1]);
  await disableWebhook(id);
});

test('410 disables the endpoint, with a log entry, a metric and an event for the operator', async () => {
  const receiver = await openWebhookReceiver(respondWith(410));
  const { id } = await registerWebhook(receiver);
  await publishEvents(1);
  const disabledWebhook = await eventually('the endpoint is disabled', async () => {
    const endpoint = await getWebhook(id);
    return endpoint.status === 'disabled' && endpoint;
  });
  assert.equal(disabledWebhook.disabled_reason, 'gone');
  assert.match(service.readLog(), new RegExp(`"level":50.*"endpoint":"${id}".*"reason":"gone"`));
  const search = '/admin/events?type=webhook.disabled';
  const [event] = (await service.staff('GET', search, { key: OPERATOR_KEY })).body.data;
  assert.deepEqual(event.data, { id, partner_id: partner, url: receiver.url, reason: 'gone' });
  const metrics = await (await fetch(`${service.staffUrl}/metrics`)).text();
  assert.match(metrics, /webhook_endpoints_disabled_total\{reason="gone"\} 1/);
  await publishEvents(3);
  assert.equal((await listDeliveries(id)).length, 1, 'no delivery is queued for a disabled endpoint');
  receiver.behave = respondWith(200);
  assert.equal((await callStaffApi('POST', `/${id}/enable`)).body.status, 'enabled');
  await waitUntilAllReceived(receiver, await publishEvents(1));
  await disableWebhook(id);
});

test('an endpoint that only fails for five days is disabled', async () => {
  const receiver = await openWebhookReceiver(respondWith(500));
  const { id } = await registerWebhook(receiver);
  await publishEvents(2);
  await waitForDelivery(id, ({ tries }) => tries === 1);
  const setFailingDays = (days: number) =>
    db.run(sql`
      update webhook_endpoints set failing_since = now() - ${days}::float8 * interval '1 day' where id = ${id}`);
  await setFailingDays(4.9);
  await makeRetriesDue(id);
  await waitForDelivery(id, ({ tries }) => tries === 2);
  assert.equal((await getWebhook(id)).status, 'enabled');
  await setFailingDays(5.1);
  await makeRetriesDue(id);
  await eventually(
    'the endpoint is disabled',
    async () => (await getWebhook(id)).disabled_reason === 'failing',
  );
});

test('Retry-After pauses the whole endpoint, for at most six hours', async () => {
  const receiver = await openWebhookReceiver(respondWith(429, { 'retry-after': '120' }));
  const { id } = await registerWebhook(receiver);
  await publishEvents(5);
  const readPause = () =>
    db.row<{ seconds: number }>(
      sql`select extract(epoch from held_until - now())::float8 as seconds from webhook_endpoints where id = ${id}`,
    );
  const { next_try_at, attempts } = await waitForDelivery(id, ({ tries }) => tries === 1);
  assert.ok(Date.parse(next_try_at) - Date.parse(attempts[0].at) > 119_000);
  const { seconds } = (await readPause())!;
  assert.ok(seconds > 100 && seconds <= 120, String(seconds));
  assert.equal(receiver.received.length, 1, 'the other deliveries wait');
  receiver.behave = respondWith(503, { 'retry-after': new Date(Date.now() + DAY_MS).toUTCString() });
  await makeRetriesDue(id);
  await eventually('the pause is longer', async () => (await readPause())!.seconds > 3_600);
  assert.ok((await readPause())!.seconds <= 6 * 3_600);
  await disableWebhook(id);
});

test('a dead endpoint gets only occasional probes; when it recovers it gets all pending deliveries', async () => {
  const receiver = await openWebhookReceiver(respondWith(500));
  const { id } = await registerWebhook(receiver);
  const EVENT_COUNT = 300;
  const events = await publishEvents(EVENT_COUNT);
  await eventually('the endpoint is only probed', async () => {
    const row = await db.row<{ failures: number }>(
      sql`select failures from webhook_endpoints where id = ${id}`,
    );
    return row!.failures > FAILURES_BEFORE_PROBING;
  });
  const MAX_PROBES = 3;
  const callCount = receiver.received.length;
  assert.ok(callCount <= FAILURES_BEFORE_PROBING + MAX_PROBES, `${callCount} calls`);
  const pendingPage = (await callStaffApi('GET', `/${id}/deliveries?status=pending`)).body;
  assert.equal(pendingPage.pagination.total, EVENT_COUNT, 'no delivery has failed');
  receiver.behave = respondWith(200);
  await makeRetriesDue(id);
  await waitUntilAllReceived(receiver, events);
  await disableWebhook(id);
});

test('receivers that hang or are slow do not delay others', async () => {
  const respondSlowly: Behavior = (response) => void setTimeout(() => response.end(), 400);
  const hangingBehaviors = [neverRespond, neverRespond, neverRespond];
  const badBehaviors = [...hangingBehaviors, respondSlowly, respondSlowly, resetConnection];
  const badReceivers = await Promise.all(badBehaviors.map((behave) => openWebhookReceiver(behave)));
  const badIds = (await Promise.all(badReceivers.map((receiver) => registerWebhook(receiver)))).map(
    ({ id }) => id,
  );
  const EVENT_COUNT = 200;
  await publishEvents(EVENT_COUNT);
  const healthyReceiver = await openWebhookReceiver();
  const { id } = await registerWebhook(healthyReceiver);
  for (let i = 0; i < 20; i++) await waitUntilAllReceived(healthyReceiver, await publishEvents(1));
  const pendingCounts = await db.rows<{ endpoint_id: string; count: number }>(sql`
    select endpoint_id, count(*) from webhook_deliveries
    where endpoint_id = any(${badIds}) and status = 'pending' group by endpoint_id`);
  const hangingIds = badIds.slice(0, hangingBehaviors.length);
  const hangingCounts = pendingCounts.filter(({ endpoint_id }) => hangingIds.includes(endpoint_id));
  assert.equal(hangingCounts.length, hangingBehaviors.length);
  assert.ok(
    hangingCounts.every(({ count }) => count >= EVENT_COUNT),
    'no delivery to a receiver that hangs is finished',
  );
  assert.ok(badReceivers.every(({ received }) => received.length > 0));
  const metrics = await (await fetch(`${service.staffUrl}/metrics`)).text();
  assert.match(metrics, new RegExp(`webhook_oldest_waiting_seconds\\{endpoint="${badIds[0]}"\\} [\\d.]+`));
  assert.match(metrics, /webhook_attempts_total\{outcome="delivered"\} \d+/);
  for (const webhookId of [id, ...badIds]) await disableWebhook(webhookId);
});

test('during a rotation receivers verify all deliveries with the old or the new secret', async () => {
  const receiver = await openWebhookReceiver();
  const { id, secret: oldSecret } = await registerWebhook(receiver);
  const PUBLICATION_SIZE = 100;
  // These events are published while the secret is rotated.
  const publications = [publishEvents(PUBLICATION_SIZE)];
  const rotateResponse = await callStaffApi('POST', `/${id}/rotate`, {});
  assert.equal(rotateResponse.status, 200);
  const { secret, old_secret_until } = rotateResponse.body;
  assert.match(secret, /^whsec_[A-Za-z0-9+/]{43}=$/);
  assert.notEqual(secret, oldSecret);
  const hours = (Date.parse(old_secret_until) - Date.now()) / HOUR_MS;
  assert.ok(hours > 23.9 && hours <= 24, String(hours));
  publications.push(publishEvents(PUBLICATION_SIZE));
  const allEvents = (await Promise.all(publications)).flat();
  await waitUntilAllReceived(receiver, allEvents);
  for (const { raw, headers } of receiver.received) new Webhook(oldSecret).verify(raw, headers);
  const laterIds = allEvents.slice(PUBLICATION_SIZE).map((event) => event.id);
  const lateDeliveries = receiver.received.filter((delivery) => laterIds.includes(delivery.id));
  assert.equal(lateDeliveries.length, PUBLICATION_SIZE);
  for (const { raw, headers } of lateDeliveries) new Webhook(secret).verify(raw, headers);
  const secondRotation = (await callStaffApi('POST', `/${id}/rotate`, { overlap_hours: 0 })).body;
  const [lastEvent] = await publishEvents(1);
  await waitUntilAllReceived(receiver, [lastEvent!]);
  const { raw, headers } = receiver.received.find((delivery) => delivery.id === lastEvent!.id)!;
  new Webhook(secondRotation.secret).verify(raw, headers);
  assert.throws(() => new Webhook(secret).verify(raw, headers));
  await disableWebhook(id);
});

test('a replay since an instant has all matching events, also those that occurred while the endpoint was disabled', async () => {
  const receiver = await openWebhookReceiver();
  const { id } = await registerWebhook(receiver, ['pix.created']);
  const earlierEvents = await publishEvents(2, 'pix.created');
  await waitUntilAllReceived(receiver, earlierEvents);
  await disableWebhook(id);
  service.clock.advance(MINUTE_MS);
  const since = service.clock.now().toISOString();
  const missedEvents = await publishEvents(3, 'pix.created');
  await publishEvents(2, 'pix.expired');
  const refusedResponse = await callStaffApi('POST', `/${id}/replay`, { since });
  assert.deepEqual([refusedResponse.status, refusedResponse.body.code], [409, 'webhook_disabled']);
  await callStaffApi('POST', `/${id}/enable`);
  assert.deepEqual((await callStaffApi('POST', `/${id}/replay`, { since })).body, { replayed: 3 });
  await waitUntilAllReceived(receiver, missedEvents);
  const expectedIds = [...earlierEvents, ...missedEvents].map((event) => event.id);
  assert.deepEqual([...receiver.ids].toSorted(), expectedIds.toSorted(), 'no event before the instant');
  await eventually('all deliveries are finished', async () =>
    (await listDeliveries(id)).every((delivery: { status: string }) => delivery.status === 'delivered'),
  );
  // Only the first batch of the replay is committed.
  let transactionCount = 0;
  const failingDb: Db = {
    ...db,
    transaction(work) {
      if (++transactionCount === 2) throw new Error('the database is unavailable');
      return db.transaction(work);
    },
  };
  const actor = { id: 'interrupted', ipAddress: null, requestId: null };
  const auditContext = { actor, action: 'replayWebhook', now: service.clock.now() };
  await assert.rejects(replayEventsSince(failingDb, id, new Date(since), auditContext), /unavailable/);
  const trail = await service.staff('GET', '/admin/audit-trail?actor=interrupted', { key: OPERATOR_KEY });
  assert.deepEqual(trail.body.data[0].after, { since, replayed: 3 }, 'the audit trail has what was queued');
  for (const body of [{}, { since, event: missedEvents[0]!.id }, { since: 'yesterday' }, { event: 'x' }])
    assert.equal((await callStaffApi('POST', `/${id}/replay`, body)).status, 400, JSON.stringify(body));
  const unknownEvent = { event: 'evt_01kfx3v9e2r4s6t8w0y2a4c6e8' };
  assert.equal((await callStaffApi('POST', `/${id}/replay`, unknownEvent)).status, 404);
  await disableWebhook(id);
});

test('a locked endpoint does not delay others', async () => {
  const [receiver, otherReceiver] = [await openWebhookReceiver(), await openWebhookReceiver()];
  const [{ id }, { id: otherId }] = [await registerWebhook(receiver), await registerWebhook(otherReceiver)];
  await db.run(sql`
    update webhook_endpoints set failures = ${FAILURES_BEFORE_PROBING}, failing_since = now(), held_until = now() where id = ${id}`);
  const events = await db.transaction(async (tx) => {
    await tx.run(sql`select from webhook_endpoints where id = ${id} for update`);
    const lockedEvents = await publishEvents(1);
    await waitUntilAllReceived(otherReceiver, lockedEvents);
    return lockedEvents;
  });
  await waitUntilAllReceived(receiver, events);
  await disableWebhook(id);
  await disableWebhook(otherId);
});

test('a replay and concurrently finishing deliveries do not deadlock', async () => {
  const receiver = await openWebhookReceiver();
  const { id } = await registerWebhook(receiver);
  const events = buildPurchaseEvents(3).toSorted((a, b) => (a.id < b.id ? -1 : 1));
  await publish(db, partner, events);
  await eventually('all events are delivered', async () =>
    (await listDeliveries(id)).every(({ status }: { status: string }) => status === 'delivered'),
  );
  await disableWebhook(id);
  const endpoint = (await findWebhook(db, id))!;
  const [firstId, secondId, thirdId] = events.map((event) => event.id) as [string, string, string];
  // An update moves the row to the end of the table, so that a sequential scan reads it last.
  await db.run(sql`
    update webhook_deliveries set tries = tries where endpoint_id = ${id} and event_id = ${firstId}`);
  const startPosition = await db.row<EventPosition>(sql`
    select occurred_at, position - 1 as position from webhook_deliveries
    where endpoint_id = ${id} order by position limit 1`);
  const createOutcome = (eventId: string) => ({
    webhookId: id,
    eventId,
    status: 'delivered' as const,
    delayMs: 0,
    attempt: null,
    exchange: null,
  });
  const otherDb = openDb({ url: service.databaseUrl, poolSize: 2, applicationName: 'test' });
  const { completion } = await db.transaction(async (tx) => {
    await tx.run(sql`
      select from webhook_deliveries where endpoint_id = ${id} and event_id = ${secondId} for update`);
    const replayPromise = otherDb.transaction((otherTx) =>
      requeueEventsAfter(otherTx, endpoint, startPosition!, events.length),
    );
    await waitForLockWaits(service, 1);
    const outcomes = [createOutcome(thirdId), createOutcome(firstId)];
    const settlementPromise = settleDeliveries(otherDb, outcomes, [], new Date());
    await waitForLockWaits(service, 2);
    return { completion: Promise.all([replayPromise, settlementPromise]) };
  });
  await completion;
  await otherDb.close();
});

/** A service with a long timeout, for a busy machine. */
const longTimeoutService = await openService({ env: { WEBHOOK_TIMEOUT_MS: '30000' } });
async function registerWithLongTimeout(receiver: Receiver) {
  const partnerId = await findDemoPartnerId(longTimeoutService.db);
  const body = { partner: partnerId, url: receiver.url };
  const createResponse = await longTimeoutService.staff('POST', '/admin/webhooks', {
    key: OPERATOR_KEY,
    body,
  });
  const path = `/admin/webhooks/${createResponse.body.id}/deliveries?status=delivered`;
  return {
    async publishEvents(count: number) {
      const events = buildPurchaseEvents(count);
      await publish(longTimeoutService.db, partnerId, events);
      return events;
    },
    getDelivered: async (node: Node) => (await node.staff('GET', path, { key: OPERATOR_KEY })).body,
  };
}

test('two nodes share the deliveries, and each event is delivered once', async () => {
  const otherNode = await longTimeoutService.startNode();
  const receiver = await openWebhookReceiver();
  const { publishEvents: publishToService, getDelivered } = await registerWithLongTimeout(receiver);
  const EVENT_COUNT = 300;
  await waitUntilAllReceived(receiver, await publishToService(EVENT_COUNT));
  await eventually(
    'all deliveries are finished',
    async () => (await getDelivered(otherNode)).pagination.total === EVENT_COUNT,
  );
  assert.equal(receiver.received.length, EVENT_COUNT);
  await otherNode.stop();
});

test('a stopping node releases its running deliveries, and another node delivers them immediately', async () => {
  const receiver = await openWebhookReceiver(neverRespond);
  const { publishEvents: publishToService, getDelivered } = await registerWithLongTimeout(receiver);
  await waitUntilAllReceived(receiver, await publishToService(1));
  const otherNode = await longTimeoutService.startNode();
  receiver.behave = respondWith(200);
  await longTimeoutService.stop();
  await eventually('the event is delivered', async () => receiver.received.length === 2);
  // Interrupted calls do not count as attempts.
  await eventually('the attempt is stored', async () => (await getDelivered(otherNode)).data[0]?.tries === 1);
});
