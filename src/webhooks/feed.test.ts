import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DAY_MS } from '#core/values/duration.ts';
import { createPartner } from '#partners';
import { sql } from '#platform/database/db.ts';
import { openService } from '../../test/harness.ts';
import { OPERATOR_KEY } from '../../test/purchase-driver.ts';
import { openEventStream } from '../../test/support/event-stream.ts';
import type { EventType } from '../events/catalog.ts';
import { buildPartnerExample } from '../events/partner-payload.ts';
import { selectVisibleEvents } from './feed.ts';
import { publishToPartners } from './publish-store.ts';
import { FEED_TOPIC } from './relay.ts';

const service = await openService();
const { db, clock } = service;

type Scope = 'public' | 'wallet' | 'merchant';
const ALL_SCOPES: Scope[] = ['public', 'wallet', 'merchant'];
const { merchantId } = (await db.row<{ merchantId: number }>(
  sql`select min(id) as "merchantId" from merchants`,
))!;

async function newKey(partnerId: string, scopes: Scope[]): Promise<string> {
  const boundMerchantId = scopes.includes('merchant') ? merchantId : null;
  return (await service.newKey({ partner_id: partnerId, scopes, merchant_id: boundMerchantId })).secret;
}
let partnerCount = 0;
async function newPartner(scopes = ALL_SCOPES) {
  const id = (await createPartner(db, `reader ${++partnerCount}`, clock))!;
  return { id, key: await newKey(id, scopes) };
}

/** Builds the data of an event, as it is emitted: without the customer, who is added for partners of the scope wallet. */
function buildExampleData(type: EventType): object {
  const { customer_id: _, ...data } = buildPartnerExample(type) as { customer_id?: string };
  return data;
}

let eventCount = 0;
const buildEventId = (n: number) => `evt_${String(n).padStart(26, '0')}`;
/** Publishes events of these types to the partner. Returns their ids. */
async function publishTypes(partnerId: string, types: EventType[], instant = clock.now()): Promise<string[]> {
  const newEvents = types.map((type) => ({ type, id: buildEventId(++eventCount) }));
  await db.transaction(async (tx) => {
    await publishToPartners(
      tx,
      newEvents.map(({ type, id }) => ({
        event: {
          id,
          type,
          occurredAt: instant,
          checkoutHash: null,
          sequence: null,
          data: buildExampleData(type),
        },
        recipients: [{ partnerId, reachesKeysWithoutMerchant: true, merchantId, customerId: null }],
      })),
    );
    tx.notifyAfterCommit(FEED_TOPIC, partnerId);
  });
  return newEvents.map(({ id }) => id);
}
const readFeed = async (key: string, query = '') => {
  const response = await service.get(`/events${query}`, { key });
  return {
    ...response,
    ids: (response.body.data ?? []).map(({ id }: { id: string }) => id) as string[],
    after: response.body.after as string,
  };
};

test('the feed is oldest first, page by page, and the cursor continues with new events', async () => {
  const { id, key } = await newPartner();
  const emptyPage = await readFeed(key);
  assert.deepEqual([emptyPage.ids, emptyPage.body.has_more], [[], false]);
  const ids = await publishTypes(id, [
    'pix.paid',
    'installment.paid',
    'checkout.paid',
    'payout.paid',
    'pix.created',
  ]);
  const [firstEvent] = (await readFeed(key, `?after=${emptyPage.after}`)).body.data;
  assert.deepEqual(firstEvent, {
    id: ids[0],
    type: 'pix.paid',
    occurred_at: clock.now().toISOString(),
    api_version: '2026-11-15',
    sequence: null,
    data: buildExampleData('pix.paid'),
  });
  const seenIds: string[] = [];
  let cursor = '';
  for (let hasMore = true; hasMore; ) {
    const page = await readFeed(key, `?limit=2${cursor && `&after=${cursor}`}`);
    seenIds.push(...page.ids);
    cursor = page.after;
    hasMore = page.body.has_more;
  }
  assert.deepEqual(seenIds, ids);
  assert.deepEqual(
    (await readFeed(key, `?after=${cursor}`)).after,
    cursor,
    'without new events the cursor is the same',
  );
  const laterIds = await publishTypes(id, ['pix.expired']);
  assert.deepEqual((await readFeed(key, `?after=${cursor}`)).ids, laterIds);
  assert.deepEqual(
    (await readFeed(key, `?after=${ids.at(-2)}`)).ids,
    [ids.at(-1), ...laterIds],
    'the id of an event works too',
  );
});

test('a partner cannot read the events or use the cursor of another partner', async () => {
  const [partner, otherPartner] = [await newPartner(), await newPartner()];
  const ownIds = await publishTypes(partner.id, ['pix.paid']);
  const otherIds = await publishTypes(otherPartner.id, ['pix.paid']);
  assert.deepEqual((await readFeed(partner.key)).ids, ownIds);
  const otherPage = await readFeed(otherPartner.key);
  assert.deepEqual(otherPage.ids, otherIds);
  for (const after of [otherPage.after, otherIds[0]]) {
    const { status, body } = await readFeed(partner.key, `?after=${after}`);
    assert.deepEqual([status, body.code], [410, 'cursor_expired']);
  }
});

test('the feed returns only the requested types, and refuses unknown ones', async () => {
  const { id, key } = await newPartner(['public', 'wallet']);
  const [, firstCheckoutId, , leadId, secondCheckoutId] = await publishTypes(id, [
    'pix.paid',
    'checkout.paid',
    'pix.paid',
    'lead.received',
    'checkout.paid',
  ]);
  const filteredPage = await readFeed(key, '?types=checkout.paid,lead.received');
  assert.deepEqual(filteredPage.ids, [firstCheckoutId, leadId, secondCheckoutId]);
  const { after } = await readFeed(key, '?types=checkout.paid,lead.received&limit=2');
  assert.deepEqual((await readFeed(key, `?types=pix.paid,checkout.paid&after=${after}`)).ids, [
    secondCheckoutId,
  ]);
  const emptyPage = await readFeed(key, '?types=offer.created');
  assert.deepEqual(
    [emptyPage.ids, (await readFeed(key, `?after=${emptyPage.after}`)).ids],
    [[], []],
    'the cursor is after the events that the filter left out',
  );
  for (const [query, pointer] of [
    ['?types=pix.paid,pix.eaten', '/types'],
    ['?types=', '/types'],
    ['?limit=0', '/limit'],
    ['?limit=101', '/limit'],
    ['?after=yesterday', '/after'],
    ['?after=cur_', '/after'],
    ['?after=cur_zzzzzzzzzzzzz', '/after'],
  ] as const) {
    const { status, body } = await readFeed(key, query);
    assert.deepEqual(
      [status, body.code, body.errors?.[0].pointer],
      [400, 'validation_failed', pointer],
      query,
    );
  }
});

test('a key reads the event types of its scopes; a key of the operator reads none', async () => {
  const { id, key } = await newPartner(['public', 'wallet']);
  const types: EventType[] = ['lead.received', 'cashback.changed', 'pix.paid', 'payout.paid'];
  const [leadId, cashbackId, pixId, payoutId] = await publishTypes(id, types);
  assert.deepEqual((await readFeed(key)).ids, [leadId, cashbackId, pixId]);
  assert.deepEqual((await readFeed(await newKey(id, ['public']))).ids, [leadId]);
  assert.deepEqual((await readFeed(await newKey(id, ['wallet']))).ids, [cashbackId, pixId]);
  assert.deepEqual((await readFeed(await newKey(id, ['merchant']))).ids, [pixId, payoutId]);
  assert.equal((await service.get('/events', { key: OPERATOR_KEY })).body.code, 'scope_missing');
});

test('a key that is bound to a merchant reads only events of that merchant, whatever its other scopes', async () => {
  const CUSTOMER_ID = 'cus_01kfx3v9e2r4s6t8w0y2a4c6e8';
  const { id, key } = await newPartner(ALL_SCOPES);
  const unboundKey = await newKey(id, ['wallet']);
  const publish = (
    type: EventType,
    visibility: { reachesKeysWithoutMerchant: boolean; merchantId: number | null },
  ) =>
    db.transaction(async (tx) => {
      const event = {
        id: buildEventId(++eventCount),
        type,
        occurredAt: clock.now(),
        checkoutHash: null,
        sequence: null,
      };
      const recipients = [
        {
          partnerId: id,
          customerId: visibility.reachesKeysWithoutMerchant ? CUSTOMER_ID : null,
          ...visibility,
        },
      ];
      await publishToPartners(tx, [{ event: { ...event, data: buildExampleData(type) }, recipients }]);
      return event.id;
    });
  const walletId = await publish('pix.paid', { reachesKeysWithoutMerchant: true, merchantId: null });
  const otherId = await publish('checkout.created', {
    reachesKeysWithoutMerchant: false,
    merchantId: merchantId + 1,
  });
  const ownId = await publish('offer.created', { reachesKeysWithoutMerchant: false, merchantId });
  const sharedId = await publish('checkout.paid', { reachesKeysWithoutMerchant: true, merchantId });
  assert.deepEqual((await readFeed(key)).ids, [ownId, sharedId]);
  assert.deepEqual((await readFeed(unboundKey)).ids, [walletId, sharedId]);
  assert.deepEqual((await readFeed(key, `?after=${otherId}`)).ids, [ownId, sharedId]);
  const listCustomerIds = async (apiKey: string): Promise<unknown[]> =>
    (await readFeed(apiKey)).body.data.map(
      (event: { data: { customer_id?: string } }) => event.data.customer_id,
    );
  assert.deepEqual(await listCustomerIds(unboundKey), [CUSTOMER_ID, CUSTOMER_ID]);
  assert.deepEqual(
    await listCustomerIds(key),
    [undefined, undefined],
    'a merchant does not see the customer',
  );
  const headers = { 'x-api-key': key, 'last-event-id': walletId };
  const stream = await openEventStream(`${service.partnerUrl}/events/stream`, headers);
  await stream.waitForText(sharedId);
  assert.ok(!stream.readText().includes(otherId));
  assert.deepEqual(
    stream.events.map((event) => event.id),
    [ownId, sharedId],
  );
  stream.close();
});

test('events are retained for 90 days; a cursor before deleted events is refused, one after them still works', async () => {
  const { id, key } = await newPartner();
  const earlierPage = await readFeed(key);
  const daysAgo = (days: number) => new Date(clock.now().getTime() - days * DAY_MS);
  const [oldId] = await publishTypes(id, ['pix.paid'], daysAgo(91));
  const lastCursor = (await readFeed(key)).after;
  const retainedIds = await publishTypes(id, ['pix.paid'], daysAgo(89));
  assert.deepEqual((await readFeed(key, `?after=${lastCursor}`)).ids, retainedIds);
  await service.runHousekeeping();
  assert.deepEqual((await readFeed(key)).ids, retainedIds);
  assert.deepEqual(
    (await readFeed(key, `?after=${lastCursor}`)).ids,
    retainedIds,
    'no event after the cursor was deleted',
  );
  for (const after of [earlierPage.after, oldId]) {
    const { status, body } = await readFeed(key, `?after=${after}`);
    assert.deepEqual([status, body.code], [410, 'cursor_expired']);
    assert.match(body.detail, /Leave out `after`/);
  }
});

test('events of rare types, and of a merchant, are found by an index', async () => {
  const { id } = await newPartner();
  await db.run(sql`
    insert into partner_events (partner_id, id, type, occurred_at, data, unbound, merchant_id)
    select ${id}, 'evt_x' || n, case n when 9000 then 'payout.paid' else 'pix.paid' end, ${clock.now()}, '{}', n % 2 = 0, n % 7
    from generate_series(1, 10000) as n`);
  await db.run(sql`analyze partner_events`);
  const explainQuery = async (filterMerchantId: number | null) => {
    const filter = { types: ['payout.paid', 'offer.created'] as const, merchantId: filterMerchantId };
    const statement = selectVisibleEvents(id, { afterPosition: 5, filter, limit: 100 });
    const plan = await db.values<string>(sql`explain ${statement}`);
    return plan.join('\n');
  };
  assert.match(await explainQuery(null), /Index Scan using partner_events_by_type/);
  assert.match(await explainQuery(3), /Index Scan using partner_events_by_merchant/);
});

test('a stream continues after the last received event, and ends when the key is revoked', async () => {
  const { id, key } = await newPartner();
  const [firstId, secondId] = await publishTypes(id, ['pix.paid', 'checkout.paid']);
  const openStream = (lastEventId: string) =>
    openEventStream(`${service.partnerUrl}/events/stream`, {
      'x-api-key': key,
      'last-event-id': lastEventId,
    });
  const stream = await openStream(firstId!);
  const resetStream = await openStream('evt_unknown');
  await stream.waitForEvent('checkout.paid');
  const [thirdId] = await publishTypes(id, ['payout.paid']);
  await stream.waitForEvent('payout.paid');
  assert.deepEqual(
    stream.events.map((event) => event.id),
    [secondId, thirdId],
  );
  await resetStream.waitForText('event: reset');
  await db.run(sql`update api_keys set revoked_at = now() where partner_id = ${id}`);
  await Promise.all([stream.ended, resetStream.ended]);
});
