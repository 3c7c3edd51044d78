import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from '#platform/db.ts';
import { openService } from '../../test/harness.ts';
import { newCustomer } from '../../test/shop.ts';
import { type Event, type EventHandler, openEvents } from './events.ts';
import { eventsHousekeeping } from './index.ts';

const service = await openService();
const { id: customerId } = await newCustomer(service);
const now = new Date('2027-03-01T12:00:00Z');

const event = (more: Partial<Event> = {}): Event => ({
  type: 'checkout.created',
  customerId,
  checkoutHash: 'A'.repeat(22),
  data: { total: 100.5 },
  ...more,
});
const written = () =>
  service.db.rows<{ type: string; sequence: number | null; data: unknown }>(sql`
    select type, sequence, data from events where occurred_at = ${now} order by position`);
const quiet = openEvents([]);

test('an event is there if and only if its transaction commits', async () => {
  await service.db.transaction((tx) => quiet.emit(tx, event(), now));
  assert.deepEqual(await written(), [{ type: 'checkout.created', sequence: 1, data: { total: 100.5 } }]);
  const failing = service.db.transaction(async (tx) => {
    await quiet.emit(tx, event(), now);
    throw new Error('something else failed');
  });
  await assert.rejects(failing, /something else/);
  assert.equal((await written()).length, 1);
});

test('each checkout counts its own events from one, without a gap', async () => {
  const other = { checkoutHash: 'B'.repeat(22) };
  for (const more of [other, {}, other, {}]) {
    await service.db.transaction((tx) => quiet.emit(tx, event({ type: 'installment.paid', ...more }), now));
  }
  const rows = await service.db.rows<{ hash: string; numbers: number[] }>(sql`
    select checkout_hash as hash, array_agg(sequence order by position) as numbers from events
    where occurred_at = ${now} group by checkout_hash order by checkout_hash`);
  assert.deepEqual(
    rows.map(({ numbers }) => numbers),
    [
      [1, 2, 3],
      [1, 2],
    ],
  );
});

test('an event that concerns no checkout has no sequence', async () => {
  const registered = event({ type: 'customer.registered', checkoutHash: null });
  await service.db.transaction((tx) => quiet.emit(tx, registered, now));
  assert.equal((await written()).at(-1)!.sequence, null);
});

test('listeners of the type act in the transaction, one after the other, and may emit events themselves', async () => {
  const told: string[] = [];
  const first: EventHandler = async (tx, { type, occurredAt }, events) => {
    told.push(`first ${type} ${occurredAt.toISOString()}`);
    await events.emit(tx, event({ type: 'cashback.changed' }), occurredAt);
  };
  const second: EventHandler = async (tx) => {
    const row = await tx.row<{ count: number }>(
      sql`select count(*) from events where type = 'cashback.changed' and occurred_at = ${now}`,
    );
    told.push(`second sees ${row!.count}`);
  };
  const events = openEvents([
    { type: 'checkout.paid', listener: first },
    { type: 'checkout.paid', listener: second },
    { type: 'installment.extended', listener: () => assert.fail('not of this type') },
  ]);
  await service.db.transaction((tx) => events.emit(tx, event({ type: 'checkout.paid' }), now));
  assert.deepEqual(told, ['first checkout.paid 2027-03-01T12:00:00.000Z', 'second sees 1']);
});

test('when a listener fails nothing has happened', async () => {
  const before = (await written()).length;
  const failing: EventHandler = () => Promise.reject(new Error('no'));
  const events = openEvents([{ type: 'checkout.paid', listener: failing }]);
  const emission = service.db.transaction((tx) => events.emit(tx, event({ type: 'checkout.paid' }), now));
  await assert.rejects(emission, /no/);
  assert.equal((await written()).length, before);
});

test('an event cannot be changed', async () => {
  await assert.rejects(service.db.run(sql`update events set type = 'x'`), { code: '23001' });
});

test('events are kept for ninety days, and the sequence of a checkout goes on after they are gone', async () => {
  const emit = (at: Date, checkoutHash: string | null, more: Partial<Event> = {}) =>
    service.db.transaction((tx) => quiet.emit(tx, event({ checkoutHash, ...more }), at));
  const daysAgo = (days: number) => new Date(now.getTime() - days * 86_400_000);
  const hash = 'E'.repeat(22);
  await emit(daysAgo(91), hash);
  await emit(daysAgo(91), null);
  await emit(daysAgo(91), null, { customerId: null });
  await emit(daysAgo(89), null, { customerId: null });
  await eventsHousekeeping(service.db, now);
  const left = await service.db.rows(sql`
    select 1 from events where occurred_at < ${daysAgo(90)}
    union all select 1 from global_events where occurred_at < ${daysAgo(90)}`);
  assert.deepEqual(left, []);
  assert.ok(await service.db.row(sql`select 1 from global_events where occurred_at = ${daysAgo(89)}`));
  await emit(now, hash);
  assert.deepEqual(await service.db.rows(sql`select sequence from events where checkout_hash = ${hash}`), [
    { sequence: 2 },
  ]);
});
