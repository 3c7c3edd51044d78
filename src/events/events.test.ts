import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DAY_MS } from '#core/values/duration.ts';
import { forCustomer } from '#platform/database/customer-transaction.ts';
import { sql } from '#platform/database/db.ts';
import { openService } from '../../test/harness.ts';
import { newCustomer } from '../../test/purchase-driver.ts';
import type { Event } from './event.ts';
import { createEvents, type EventHandler } from './events.ts';
import { purgeEvents } from './store.ts';

const service = await openService();
const { id: customerId } = await newCustomer(service);
const now = new Date('2027-03-01T12:00:00Z');
const runInTransaction = forCustomer(service.db, customerId).transaction;

/** Creates an event of the purchase whose hash repeats the letter. */
const createPaidEvent = (letter = 'A'): Event<'checkout.paid'> => ({
  type: 'checkout.paid',
  customerId,
  data: { checkout_hash: letter.repeat(22) },
});
const createRegisteredEvent = (): Event<'customer.registered'> => ({
  type: 'customer.registered',
  customerId,
  data: { customer_id: customerId, registered_at: now.toISOString(), invited_with: null },
});
const leadEvent: Event<'lead.received'> = {
  type: 'lead.received',
  customerId: null,
  data: { id: 'lead_1', kind: 'partner', received_at: now.toISOString() },
};
const listWrittenEvents = () =>
  service.db.rows<{ type: string; sequence: number | null; data: unknown }>(sql`
    select type, sequence, data from events where occurred_at = ${now} order by position`);
const RESTRICT_VIOLATION = '23001';
const eventsWithoutHandlers = createEvents([]);

test('an event exists if and only if its transaction commits', async () => {
  await runInTransaction((tx) => eventsWithoutHandlers.emit(tx, createPaidEvent(), now));
  const { type, data } = createPaidEvent();
  assert.deepEqual(await listWrittenEvents(), [{ type, sequence: 1, data }]);
  const failingTransaction = runInTransaction(async (tx) => {
    await eventsWithoutHandlers.emit(tx, createPaidEvent(), now);
    throw new Error('something else failed');
  });
  await assert.rejects(failingTransaction, /something else/);
  assert.equal((await listWrittenEvents()).length, 1);
});

test('the events of each checkout are numbered from one without gaps', async () => {
  for (const letter of ['B', 'A', 'B', 'A']) {
    await runInTransaction((tx) => eventsWithoutHandlers.emit(tx, createPaidEvent(letter), now));
  }
  const rows = await service.db.rows<{ hash: string; numbers: number[] }>(sql`
    select checkout_hash as hash, array_agg(sequence order by position) as numbers from events
    where occurred_at = ${now} group by checkout_hash order by checkout_hash`);
  assert.deepEqual(
    rows.map(({ numbers }) => numbers),
    [
      [1, 2, 3], // A, with the event of the first test
      [1, 2], // B
    ],
  );
});

test('an event that concerns no checkout has no sequence', async () => {
  const registeredEvent = createRegisteredEvent();
  await runInTransaction((tx) => eventsWithoutHandlers.emit(tx, registeredEvent, now));
  assert.equal((await listWrittenEvents()).at(-1)!.sequence, null);
});

test('handlers run one after the other in the emitting transaction, and may emit further events', async () => {
  const handlerCalls: string[] = [];
  const firstHandler: EventHandler<'checkout.paid'> = async (tx, { type, occurredAt }, events) => {
    handlerCalls.push(`first ${type} ${occurredAt.toISOString()}`);
    const data = { role: 'invited', reward: 10 } as const;
    await events.emit(tx, { type: 'referral.rewarded', customerId, data }, occurredAt);
    await tx.run(sql`select set_config('test.seen', 'set by the first handler', true)`);
  };
  const secondHandler: EventHandler<'checkout.paid'> = async (tx) => {
    const row = await tx.row<{ setting: string }>(sql`select current_setting('test.seen') as setting`);
    handlerCalls.push(`second reads: ${row!.setting}`);
  };
  const events = createEvents([
    { 'checkout.paid': [firstHandler] },
    { 'checkout.paid': [secondHandler], 'installment.extended': [() => assert.fail('not of this type')] },
  ]);
  await runInTransaction((tx) => events.emit(tx, createPaidEvent(), now));
  assert.deepEqual(handlerCalls, [
    'first checkout.paid 2027-03-01T12:00:00.000Z',
    'second reads: set by the first handler',
  ]);
  const types = (await listWrittenEvents()).slice(-2).map(({ type }) => type);
  assert.deepEqual(types, ['checkout.paid', 'referral.rewarded'], 'in the order in which they happened');
});

test('if a handler fails, the transaction is rolled back', async () => {
  const writtenCountBefore = (await listWrittenEvents()).length;
  const failingHandler: EventHandler<'checkout.paid'> = () => Promise.reject(new Error('no'));
  const events = createEvents([{ 'checkout.paid': [failingHandler] }]);
  const emitPromise = runInTransaction((tx) => events.emit(tx, createPaidEvent(), now));
  await assert.rejects(emitPromise, /no/);
  assert.equal((await listWrittenEvents()).length, writtenCountBefore);
});

test('an event cannot be changed', async () => {
  await assert.rejects(service.db.run(sql`update events set type = 'x'`), { code: RESTRICT_VIOLATION });
});

test('events are retained for ninety days, and the sequence of a checkout continues after they are purged', async () => {
  const emit = (instant: Date, event: Event) =>
    runInTransaction((tx) => eventsWithoutHandlers.emit(tx, event, instant));
  const daysAgo = (days: number) => new Date(now.getTime() - days * DAY_MS);
  const hash = 'E'.repeat(22);
  await emit(daysAgo(91), createPaidEvent('E'));
  await emit(daysAgo(91), createRegisteredEvent());
  await emit(daysAgo(91), leadEvent);
  await emit(daysAgo(89), leadEvent);
  await purgeEvents(service.db, daysAgo(90));
  const remainingRows = await service.db.rows(sql`
    select 1 from events where occurred_at < ${daysAgo(90)}
    union all select 1 from global_events where occurred_at < ${daysAgo(90)}`);
  assert.deepEqual(remainingRows, []);
  assert.ok(await service.db.row(sql`select 1 from global_events where occurred_at = ${daysAgo(89)}`));
  await emit(now, createPaidEvent('E'));
  assert.deepEqual(await service.db.rows(sql`select sequence from events where checkout_hash = ${hash}`), [
    { sequence: 2 },
  ]);
});
