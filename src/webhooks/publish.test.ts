import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from '#platform/database/db.ts';
import { openService, waitForLockWaits } from '../../test/harness.ts';
import { type Publication, publishToPartners } from './publish-store.ts';

const service = await openService();
const { db } = service;
const now = new Date('2027-03-01T12:00:00Z');

const buildPublication = (id: string, ...partnerIds: string[]): Publication => ({
  event: {
    id,
    type: 'checkout.paid',
    occurredAt: now,
    checkoutHash: 'A'.repeat(22),
    sequence: 1,
    data: { checkout_hash: 'A'.repeat(22) },
  },
  recipients: partnerIds.map((partnerId) => ({
    partnerId,
    reachesKeysWithoutMerchant: true,
    merchantId: null,
    customerId: null,
  })),
});
const publish = (...batch: Publication[]) => db.transaction((tx) => publishToPartners(tx, batch));

const listEvents = (partnerId: string) =>
  db.rows<{ id: string; position: number }>(
    sql`select id, position from partner_events where partner_id = ${partnerId} order by position`,
  );
const listIds = async (partnerId: string) => (await listEvents(partnerId)).map(({ id }) => id);

test('each partner gets its events once, in the order of the batch', async () => {
  await publish(
    buildPublication('evt_3', 'one', 'two'),
    buildPublication('evt_1', 'one'),
    buildPublication('evt_2', 'two'),
  );
  await publish(
    buildPublication('evt_1', 'one', 'two'),
    buildPublication('evt_4', 'one'),
    buildPublication('evt_5'),
  );
  assert.deepEqual(await listIds('one'), ['evt_3', 'evt_1', 'evt_4']);
  assert.deepEqual(await listIds('two'), ['evt_3', 'evt_2', 'evt_1']);
});

test('no event is visible before an event with a smaller position, even if two transactions publish concurrently', async () => {
  const commitSignal = Promise.withResolvers<void>();
  const publicationSignal = Promise.withResolvers<void>();
  const firstTransaction = db.transaction(async (tx) => {
    await publishToPartners(tx, [buildPublication('evt_a', 'three')]);
    publicationSignal.resolve();
    await commitSignal.promise;
  });
  await publicationSignal.promise;
  const nextPublish = publish(buildPublication('evt_b', 'three'));
  await waitForLockWaits(service, 1);
  assert.deepEqual(await listIds('three'), []);
  commitSignal.resolve();
  await Promise.all([firstTransaction, nextPublish]);
  assert.deepEqual(await listIds('three'), ['evt_a', 'evt_b']);
});

test('a delivery is queued for each enabled and matching endpoint of the partner, even if the event is published twice', async () => {
  const partnerId = (await db.row<{ id: string }>(sql`select min(id) as id from partners`))!.id;
  const insertEndpoint = (id: string, types: string[], { isDisabled = false } = {}) =>
    db.run(sql`
      insert into webhook_endpoints (id, partner_id, url, event_types, created_at, secrets, key_version,
                                     status, disabled_reason, disabled_at)
      values (${id}, ${partnerId}, 'http://127.0.0.1:9/', ${types}, now(), '', 1,
              ${isDisabled ? 'disabled' : 'enabled'}, ${isDisabled ? 'operator' : null}, ${isDisabled ? now : null})`);
  await insertEndpoint('all', []);
  await insertEndpoint('paid', ['checkout.paid', 'pix.paid']);
  await insertEndpoint('other', ['pix.paid']);
  await insertEndpoint('off', [], { isDisabled: true });
  await publish(buildPublication('evt_c', partnerId), buildPublication('evt_d', 'four'));
  await publish(buildPublication('evt_c', partnerId));
  const rows = await db.rows(sql`
    select endpoint_id, event_id, type, status, occurred_at from webhook_deliveries order by endpoint_id`);
  const deliveryFields = {
    event_id: 'evt_c',
    type: 'checkout.paid',
    status: 'pending',
    occurred_at: now,
  };
  assert.deepEqual(rows, [
    { endpoint_id: 'all', ...deliveryFields },
    { endpoint_id: 'paid', ...deliveryFields },
  ]);
});
