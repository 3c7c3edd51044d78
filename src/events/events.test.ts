import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from '#platform/db.ts';
import { eventually, openService } from '../../test/harness.ts';
import { newCustomer } from '../../test/shop.ts';
import { type Event, type EventHandler, openEvents } from './events.ts';

const service = await openService();
const { id: customerId } = await newCustomer(service);
const now = new Date('2027-03-01T12:00:00Z');

const paid = (letter = 'A'): Event<'checkout.paid'> => ({
  type: 'checkout.paid',
  customerId,
  data: { checkout_hash: letter.repeat(22) },
});
const written = () =>
  service.db.rows<{ type: string; sequence: number | null; data: unknown }>(sql`
    select type, sequence, data from events where occurred_at = ${now} order by position`);
const quiet = openEvents([]);

test('an event is there if and only if its transaction commits', async () => {
  await service.db.transaction((tx) => quiet.emit(tx, paid(), now));
  assert.deepEqual(await written(), [{ type: 'checkout.paid', sequence: 1, data: paid().data }]);
  const failing = service.db.transaction(async (tx) => {
    await quiet.emit(tx, paid(), now);
    throw new Error('something else failed');
  });
  await assert.rejects(failing, /something else/);
  assert.equal((await written()).length, 1);
});

test('each checkout counts its own events from one, without a gap', async () => {
  for (const letter of ['B', 'A', 'B', 'A']) {
    await service.db.transaction((tx) => quiet.emit(tx, paid(letter), now));
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
  const data = { id: 'lead_1', kind: 'partner', received_at: now.toISOString() };
  const lead = { type: 'lead.received', customerId: null, data } as const;
  await service.db.transaction((tx) => quiet.emit(tx, lead, now));
  assert.equal((await written()).at(-1)!.sequence, null);
});

test('handlers of the type act in the transaction, one after the other, and may emit events themselves', async () => {
  const told: string[] = [];
  const first: EventHandler<'checkout.paid'> = async (tx, { type, occurredAt }, events) => {
    told.push(`first ${type} ${occurredAt.toISOString()}`);
    const data = { role: 'invited', reward: 10 } as const;
    await events.emit(tx, { type: 'referral.rewarded', customerId, data }, occurredAt);
  };
  const second: EventHandler<'checkout.paid'> = async (tx) => {
    const row = await tx.row<{ count: number }>(
      sql`select count(*) from events where type = 'referral.rewarded' and occurred_at = ${now}`,
    );
    told.push(`second sees ${row!.count}`);
  };
  const events = openEvents([
    { 'checkout.paid': [first] },
    { 'checkout.paid': [second], 'installment.extended': [() => assert.fail('not of this type')] },
  ]);
  await service.db.transaction((tx) => events.emit(tx, paid(), now));
  assert.deepEqual(told, ['first checkout.paid 2027-03-01T12:00:00.000Z', 'second sees 1']);
});

test('when a handler fails nothing has happened', async () => {
  const before = (await written()).length;
  const failing: EventHandler<'checkout.paid'> = () => Promise.reject(new Error('no'));
  const events = openEvents([{ 'checkout.paid': [failing] }]);
  const emission = service.db.transaction((tx) => events.emit(tx, paid(), now));
  await assert.rejects(emission, /no/);
  assert.equal((await written()).length, before);
});

test('an event cannot be changed', async () => {
  await assert.rejects(service.db.run(sql`update events set type = 'x'`), { code: '23001' });
});

test('a reader who goes by written_in and waits for the oldest open transaction misses nothing', async () => {
  const read = async (after: { tx: string; position: number }) =>
    service.db.rows<{ tx: string; position: number }>(sql`
      select written_in::text as tx, position from events
      where (written_in, position) > (${after.tx}::xid8, ${after.position}::bigint)
        and written_in < pg_snapshot_xmin(pg_current_snapshot())
      order by written_in, position`);
  const { promise: mayEnd, resolve: end } = Promise.withResolvers<void>();
  const { promise: hasWritten, resolve: wrote } = Promise.withResolvers<void>();
  const start = (await service.db.row<{ tx: string; position: number }>(sql`
    select written_in::text as tx, position from events order by written_in desc, position desc limit 1`))!;
  const slow = service.db.transaction(async (tx) => {
    await quiet.emit(tx, paid('C'), now);
    wrote();
    await mayEnd;
  });
  await hasWritten;
  await service.db.transaction((tx) => quiet.emit(tx, paid('D'), now));
  assert.deepEqual(await read(start), [], 'the later one committed first, and waits for the earlier');
  end();
  await slow;
  // Transactions of the whole server count, also those of other databases: it may take a moment.
  await eventually('both are there', async () => (await read(start)).length === 2);
});
