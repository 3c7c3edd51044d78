import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from '#platform/database/db.ts';
import { openService } from '../../test/harness.ts';
import { type Publication, publishToPartners } from './publish-store.ts';

const { db } = await openService();
const now = new Date('2027-03-01T12:00:00Z');

const publication = (id: string, ...partnerIds: string[]): Publication => ({
  event: {
    id,
    type: 'checkout.paid',
    occurredAt: now,
    checkoutHash: 'A'.repeat(22),
    sequence: 1,
    data: { checkout_hash: 'A'.repeat(22) },
  },
  audience: partnerIds.map((partnerId) => ({ partnerId, unbound: true, merchantId: null, customerId: null })),
});
const publish = (...batch: Publication[]) => db.transaction((tx) => publishToPartners(tx, batch));

const listEvents = (partnerId: string) =>
  db.rows<{ id: string; position: number }>(
    sql`select id, position from partner_events where partner_id = ${partnerId} order by position`,
  );
const listIds = async (partnerId: string) => (await listEvents(partnerId)).map(({ id }) => id);

test('each partner gets its events once, in the order of the batch', async () => {
  await publish(publication('evt_3', 'one', 'two'), publication('evt_1', 'one'), publication('evt_2', 'two'));
  await publish(publication('evt_1', 'one', 'two'), publication('evt_4', 'one'), publication('evt_5'));
  assert.deepEqual(await listIds('one'), ['evt_3', 'evt_1', 'evt_4']);
  assert.deepEqual(await listIds('two'), ['evt_3', 'evt_2', 'evt_1']);
});

test('no event is visible before one with a smaller position, even if two transactions publish concurrently', async () => {
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  const { promise: published, resolve: isPublished } = Promise.withResolvers<void>();
  const first = db.transaction(async (tx) => {
    await publishToPartners(tx, [publication('evt_a', 'three')]);
    isPublished();
    await released;
  });
  await published;
  const second = publish(publication('evt_b', 'three'));
  assert.equal(await Promise.race([second.then(() => 'overtook'), Promise.resolve('waits')]), 'waits');
  assert.deepEqual(await listIds('three'), []);
  release();
  await Promise.all([first, second]);
  assert.deepEqual(await listIds('three'), ['evt_a', 'evt_b']);
});

test('a delivery is queued for each enabled and matching endpoint of the partner', async () => {
  const partner = (await db.row<{ id: string }>(sql`select min(id) as id from partners`))!.id;
  const endpoint = (id: string, types: string[], isOff = false) =>
    db.run(sql`
      insert into webhook_endpoints (id, partner_id, url, event_types, created_at, secrets, key_version,
                                     status, disabled_reason, disabled_at)
      values (${id}, ${partner}, 'http://127.0.0.1:9/', ${types}, now(), '', 1,
              ${isOff ? 'disabled' : 'enabled'}, ${isOff ? 'operator' : null}, ${isOff ? now : null})`);
  await endpoint('all', []);
  await endpoint('paid', ['checkout.paid', 'pix.paid']);
  await endpoint('other', ['pix.paid']);
  await endpoint('off', [], true);
  await publish(publication('evt_c', partner), publication('evt_d', 'four'));
  await publish(publication('evt_c', partner));
  const rows = await db.rows(sql`
    select endpoint_id, event_id, type, status, occurred_at from webhook_deliveries order by endpoint_id`);
  const queued = {
    event_id: 'evt_c',
    type: 'checkout.paid',
    status: 'pending',
    occurred_at: now,
  };
  assert.deepEqual(rows, [
    { endpoint_id: 'all', ...queued },
    { endpoint_id: 'paid', ...queued },
  ]);
});
