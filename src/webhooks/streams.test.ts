import assert from 'node:assert/strict';
import { mock, test } from 'node:test';
import { sql } from '#platform/database/db.ts';
import { ChangeFeed } from '#platform/nodes/change-feed.ts';
import { createLog } from '#platform/observability/log.ts';
import { DEMO_KEY, eventually, type Node, openService } from '../../test/harness.ts';
import { createPixDriver } from '../../test/pix-driver.ts';
import { assertRefused, logOut } from '../../test/support/customers.ts';
import { openEventStream } from '../../test/support/event-stream.ts';
import { buildPartnerExample } from '../events/partner-payload.ts';
import { findNewestPosition, findPosition, listEventsAfter } from '../events/store.ts';
import { Streams } from './streams.ts';

const service = await openService();
const pixDriver = createPixDriver(service);

const HEARTBEAT_INTERVAL_MS = 15_000;

const openWalletStream = (node: Node, token: string, headers: Record<string, string> = {}) =>
  openEventStream(`${node.partnerUrl}/wallet/events`, {
    'x-api-key': DEMO_KEY,
    'x-token': token,
    ...headers,
  });

test('a stream on any node receives the events of its customer', async () => {
  const otherNode = await service.startNode();
  const customer = await pixDriver.createCustomer();
  const stranger = await pixDriver.createCustomer();
  const checkout = await pixDriver.sell(customer);
  const stream = await openWalletStream(otherNode, await pixDriver.createToken(customer));
  const strangerStream = await openWalletStream(service, await pixDriver.createToken(stranger));
  assert.equal(stream.response.status, 200);
  assert.match(stream.response.headers.get('content-type')!, /^text\/event-stream/);
  assert.equal(stream.response.headers.get('cache-control'), 'no-store');
  const charge = await pixDriver.createCharge(customer, checkout.installments[0].id, 'settle');
  await pixDriver.payCharge(charge.txid);
  const { data } = await stream.waitForEvent('pix.paid');
  assert.equal(data.pix_id, charge.id);
  assert.ok(stream.events.every((event) => event.data.customer_id === customer.id));
  assert.deepEqual(
    stream.events.map(({ type }) => type),
    ['pix.created', 'installment.paid', 'checkout.paid', 'pix.paid'],
    'only new events, in order',
  );
  assert.deepEqual(strangerStream.events, []);
  stream.close();
  strangerStream.close();
});

test('with Last-Event-ID no event is missed or duplicated', async () => {
  const customer = await pixDriver.createCustomer();
  const checkout = await pixDriver.sell(customer, { installments: 2 });
  const stream = await openWalletStream(service, await pixDriver.createToken(customer));
  const firstCharge = await pixDriver.createCharge(customer, checkout.installments[0].id, 'settle');
  const { id } = await stream.waitForEvent('pix.created');
  stream.close();
  await pixDriver.payCharge(firstCharge.txid);
  await pixDriver.waitForStatus(customer, firstCharge.id, 'paid');
  const resumedStream = await openWalletStream(service, await pixDriver.createToken(customer), {
    'last-event-id': id,
  });
  await resumedStream.waitForEvent('pix.paid');
  assert.deepEqual(
    resumedStream.events.map(({ type }) => type),
    ['installment.paid', 'pix.paid'],
  );
  resumedStream.close();
});

test('with an unknown Last-Event-ID the first event is reset', async () => {
  const customer = await pixDriver.createCustomer();
  const checkout = await pixDriver.sell(customer);
  const otherCustomer = await pixDriver.createCustomer();
  await pixDriver.createCharge(
    otherCustomer,
    (await pixDriver.sell(otherCustomer)).installments[0].id,
    'settle',
  );
  const foreignEvent = await service.db.row<{ id: string }>(
    sql`select id from events where customer_id = ${otherCustomer.id} limit 1`,
  );
  for (const unknownId of ['evt_01kfx3v9e2r4s6t8w0y2a4c6e8', 'nonsense', foreignEvent!.id]) {
    const stream = await openWalletStream(service, await pixDriver.createToken(customer), {
      'last-event-id': unknownId,
    });
    await stream.waitForText('reset');
    const resetEvent = 'event: reset\ndata: {"type":"reset","reason":"last_event_id_unknown"}\n\n';
    assert.equal(stream.readText(), `retry: 2000\n\n${resetEvent}`);
    stream.close();
  }
  const stream = await openWalletStream(service, await pixDriver.createToken(customer), {
    'last-event-id': 'nonsense',
  });
  await pixDriver.createCharge(customer, checkout.installments[0].id, 'settle');
  await stream.waitForEvent('pix.created');
  stream.close();
});

test('the stream ends with the session, on every node', async () => {
  const otherNode = await service.startNode();
  const customer = await pixDriver.createCustomer();
  const session = await pixDriver.logIn(customer);
  const stream = await openWalletStream(otherNode, session.token);
  await logOut(service, session.refresh_token);
  assert.equal(await stream.ended, 'ended');
  assertRefused(await service.get('/wallet/events', { token: session.token }), 401, 'token_invalid');
});

test('the stream ends on every node when its key is revoked or expires', async () => {
  const otherNode = await service.startNode();
  const token = await pixDriver.createToken(await pixDriver.createCustomer());
  const unaffectedStream = await openWalletStream(otherNode, token);
  for (const endColumn of [sql`revoked_at`, sql`expires_at`]) {
    const { id, secret } = await service.newKey({ scopes: ['wallet'] });
    const stream = await openWalletStream(otherNode, token, { 'x-api-key': secret });
    assert.equal(stream.response.status, 200);
    await service.db.run(sql`update api_keys set ${endColumn} = ${service.clock.now()} where id = ${id}`);
    assert.equal(await stream.ended, 'ended');
  }
  // A stream that has ended would win the race.
  assert.equal(await Promise.race([unaffectedStream.ended, Promise.resolve('open')]), 'open');
  unaffectedStream.close();
});

test('a stream ends immediately if its session ends while the stream is opened', async () => {
  const { token } = await pixDriver.logIn(await pixDriver.createCustomer());
  const otherStream = await openWalletStream(
    service,
    await pixDriver.createToken(await pixDriver.createCustomer()),
  );
  // In an object, because a promise that a transaction returns would be awaited.
  const { streamPromise } = await service.db.transaction(async (tx) => {
    await tx.run(sql`lock table events in access exclusive mode`);
    const streamPromise = openWalletStream(service, token);
    // The relay and open streams wait for the lock too.
    await eventually('the stream waits for the newest position', () =>
      service.db.row(sql`
        select from pg_stat_activity join pg_locks using (pid)
        where relation = 'events'::regclass and not granted and query like '%max(position)%'`),
    );
    await service.db.run(sql`select pg_notify('semana_changes', 'sessions all')`);
    assert.equal(await otherStream.ended, 'ended');
    return { streamPromise };
  });
  const stream = await streamPromise;
  assert.equal(stream.response.status, 200);
  assert.equal(await stream.ended, 'ended');
});

test('a stream that is opened while the node stops ends immediately, because the API servers wait for it', async () => {
  const log = createLog('silent');
  const changeFeed = new ChangeFeed(service.databaseUrl, log);
  const streams = new Streams(
    { db: service.db, changeFeed, log },
    {
      topic: 'events',
      listAfter: listEventsAfter,
      findPosition,
      findNewestPosition,
      endChecks: {},
    },
  );
  streams.stop();
  const stream = await streams.open({ ownerId: 'cus_1', credentials: { keyId: 'key_1' } });
  assert.deepEqual(await stream.toArray({ signal: AbortSignal.timeout(5_000) }), []);
});

test('429 too_many_streams: a customer has at most five open streams', async () => {
  const customer = await pixDriver.createCustomer();
  const token = await pixDriver.createToken(customer);
  const streams = await Promise.all(Array.from({ length: 5 }, () => openWalletStream(service, token)));
  assertRefused(await service.get('/wallet/events', { token }), 429, 'too_many_streams');
  for (const stream of streams) stream.close();
  // The node counts a closed stream until it notices the disconnection.
  for (let i = 0; ; i++) {
    const laterStream = await openWalletStream(service, token);
    laterStream.close();
    if (laterStream.response.status === 200) break;
    assert.ok(i < 100);
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
});

test('a comment every fifteen seconds keeps proxies from closing the stream', async () => {
  const customer = await pixDriver.createCustomer();
  const token = await pixDriver.createToken(customer);
  mock.timers.enable({ apis: ['setInterval'] });
  const stream = await openWalletStream(service, token);
  await stream.waitForText('retry:');
  mock.timers.tick(HEARTBEAT_INTERVAL_MS - 1);
  assert.doesNotMatch(stream.readText(), /still here/);
  mock.timers.tick(1);
  await stream.waitForText('\n: still here\n');
  mock.timers.reset();
  assert.deepEqual(stream.events, [], 'the comment is not an event');
  stream.close();
});

test('the next heartbeat finds a committed event that was never published to the change feed', async () => {
  const customer = await pixDriver.createCustomer();
  const token = await pixDriver.createToken(customer);
  mock.timers.enable({ apis: ['setInterval'] });
  const stream = await openWalletStream(service, token);
  await stream.waitForText('retry:');
  await service.db.run(sql`
    insert into events (customer_id, id, type, data, occurred_at)
    values (${customer.id}, 'evt_00000000000000000000000001', 'pix.paid', ${JSON.stringify(buildPartnerExample('pix.paid'))}, now())`);
  mock.timers.tick(HEARTBEAT_INTERVAL_MS);
  await stream.waitForEvent('pix.paid');
  mock.timers.reset();
  stream.close();
});

test('HEAD returns the headers of a stream and ends', async () => {
  const token = await pixDriver.createToken(await pixDriver.createCustomer());
  const { status, headers } = await service.call('HEAD', '/wallet/events', { token });
  assert.equal(status, 200);
  assert.match(headers.get('content-type')!, /^text\/event-stream/);
});
