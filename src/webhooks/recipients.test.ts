import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createPartner } from '#partners';
import { sql } from '#platform/database/db.ts';
import { eventually, openService } from '../../test/harness.ts';
import { createPurchaseDriver, logIn, MERCHANT, newCustomer, newPhone } from '../../test/purchase-driver.ts';
import { EVENT_TYPES, type EventType, getExample } from '../events/catalog.ts';
import type { Event } from '../events/event.ts';
import { createEvents } from '../events/events.ts';

const service = await openService();
const { db, clock } = service;
const otherNode = await service.startNode();
const eventsWithoutHandlers = createEvents([]);
const driver = createPurchaseDriver(service);

const findMerchantId = async (slug: string) =>
  (await db.row<{ id: number }>(sql`select id from merchants where slug = ${slug}`))!.id;
// Not the bakery, because the demo key for merchants belongs to it.
const pharmacyId = (await db.row<{ id: number }>(sql`
  select id from merchants where slug not in (${MERCHANT}, 'otica-lume') order by id limit 1`))!.id;
const opticianId = await findMerchantId('otica-lume');

type Customer = Awaited<ReturnType<typeof newCustomer>>;
type Scope = 'public' | 'wallet' | 'merchant';
type TestPartner = { id: string; name: string; key: string; keyId: string };

async function newPartner(name: string, scopes: Scope[], merchant: number | null = null) {
  const id = (await createPartner(db, name, clock))!;
  const { id: keyId, secret: key } = await service.newKey({ partner_id: id, scopes, merchant_id: merchant });
  return { id, name, key, keyId };
}

const walletPartner = await newPartner('wallet', ['wallet', 'public']);
const otherWalletPartner = await newPartner('other wallet', ['wallet', 'public']);
const tillPartner = await newPartner('till of the pharmacy', ['merchant'], pharmacyId);
const otherTillPartner = await newPartner('till of the optician', ['merchant'], opticianId);
const sitePartner = await newPartner('site', ['public']);
const partners = [walletPartner, otherWalletPartner, tillPartner, otherTillPartner, sitePartner];

const customer = await newCustomer(service);
const otherCustomer = await newCustomer(service);
await logIn(service, customer, walletPartner.key);
await logIn(service, otherCustomer, otherWalletPartner.key);

/** Waits until the outbox is empty. Returns the events after the position with the names of the partners that got them. */
async function listPublishedAfter(
  position: number,
): Promise<Array<{ name: string; type: string; id: string; customerId: string | undefined }>> {
  await eventually('the outbox is empty', async () => {
    const row = await db.row<{ count: number }>(sql`
      select (select count(*) from event_outbox) + (select count(*) from global_event_outbox) as count`);
    return row!.count === 0;
  });
  const rows = await db.rows<{
    partner_id: string;
    type: string;
    id: string;
    data: { customer_id?: string };
  }>(sql`
    select partner_id, type, id, data from partner_events where position > ${position} order by position`);
  return rows.map(({ partner_id, type, id, data }) => ({
    customerId: data.customer_id,
    name: partners.find((partner) => partner.id === partner_id)?.name ?? partner_id,
    type,
    id,
  }));
}
const findNewestPosition = async () =>
  (await db.row<{ newest_position: number }>(
    sql`select coalesce(max(position), 0) as newest_position from partner_events`,
  ))!.newest_position;
const emitEvents = (...events: Event[]) =>
  db.transaction(async (tx) => {
    for (const event of events) await eventsWithoutHandlers.emit(tx, event, clock.now());
  });

/** The partners that get an event of each type about the customer, a sale of the pharmacy, or an action of a partner. */
const EVENT_CASES: Record<EventType, { event: Partial<Event>; recipients: TestPartner[] }> = (() => {
  const customerCase = { event: { customerId: customer.id }, recipients: [walletPartner] };
  const saleCase = {
    event: { customerId: customer.id, merchantId: pharmacyId },
    recipients: [walletPartner, tillPartner],
  };
  // The customer is found by the phone of the offer.
  const phoneCase = { event: { merchantId: pharmacyId }, recipients: [walletPartner, tillPartner] };
  return {
    'lead.received': { event: { partnerId: sitePartner.id }, recipients: [sitePartner] },
    'customer.registered': {
      event: { customerId: customer.id, partnerId: walletPartner.id },
      recipients: [walletPartner],
    },
    'checkout.created': saleCase,
    'checkout.paid': saleCase,
    'checkout.overdue': saleCase,
    'checkout.returned': saleCase,
    'installment.paid': saleCase,
    'installment.overdue': saleCase,
    'installment.extended': saleCase,
    'installment.overpaid': saleCase,
    'installment.payment_changed': saleCase,
    'installment.reopened': saleCase,
    'pix.created': saleCase,
    'pix.paid': saleCase,
    'pix.expired': saleCase,
    'pix.refunded': saleCase,
    'pix.moved': saleCase,
    'autopay.activated': saleCase,
    'autopay.ended': saleCase,
    'autopay.failed': saleCase,
    'cashback.changed': customerCase,
    'referral.rewarded': customerCase,
    'offer.created': phoneCase,
    'offer.claimed': saleCase,
    'offer.accepted': saleCase,
    'offer.declined': saleCase,
    'offer.expired': phoneCase,
    'offer.cancelled': phoneCase,
    'credit.review': saleCase,
    'credit.decided': saleCase,
    'credit.limit_changed': customerCase,
    'payout.paid': { event: { merchantId: pharmacyId }, recipients: [tillPartner] },
  };
})();

const createOffer = async (phone: string, overrides: object = {}, key = tillPartner.key): Promise<string> => {
  const offerInput = { phone, amount: 100, installments: 2, ...overrides };
  const response = await service.post('/merchant/offers', offerInput, { key });
  assert.equal(response.status, 201, response.text);
  return response.body.id;
};
const offerId = await createOffer(customer.phone);
await listPublishedAfter(0);

const createEvent = (type: EventType): Event => {
  const data = getExample(type);
  return {
    type,
    customerId: null,
    ...EVENT_CASES[type].event,
    data: { ...data, ...(type.startsWith('offer.') && { offer_id: offerId }) },
  } as Event;
};

for (const type of EVENT_TYPES) {
  test(`${type} goes to ${EVENT_CASES[type].recipients.map(({ name }) => name).join(' and ')}, and to no other partner`, async () => {
    const newestPositionBefore = await findNewestPosition();
    await emitEvents(createEvent(type));
    const publications = await listPublishedAfter(newestPositionBefore);
    assert.deepEqual(
      publications.map(({ name }) => name).toSorted(),
      EVENT_CASES[type].recipients.map(({ name }) => name).toSorted(),
    );
    assert.ok(publications.every((event) => event.type === type));
    for (const { name, customerId } of publications)
      assert.equal(customerId, name === walletPartner.name ? customer.id : undefined);
  });
}

test('events of an offer go to its merchant, and once to each partner whose customer has the phone', async () => {
  const dualPartner = await newPartner('both', ['wallet', 'merchant'], pharmacyId);
  partners.push(dualPartner);
  await logIn(service, customer, dualPartner.key);
  clock.advance(1_000);
  const newestPositionBefore = await findNewestPosition();
  const id = await createOffer(customer.phone);
  const cancelResponse = await service.post(`/merchant/offers/${id}/cancel`, undefined, {
    key: tillPartner.key,
  });
  assert.equal(cancelResponse.status, 200, cancelResponse.text);
  const publications = (await listPublishedAfter(newestPositionBefore))
    .map(({ name, type }) => `${name}: ${type}`)
    .toSorted();
  assert.deepEqual(
    publications,
    [dualPartner, tillPartner, walletPartner]
      .flatMap(({ name }) => [`${name}: offer.cancelled`, `${name}: offer.created`])
      .toSorted(),
  );
  const newestPosition = await findNewestPosition();
  await createOffer(newPhone());
  assert.deepEqual(
    (await listPublishedAfter(newestPosition)).map(({ name }) => name).toSorted(),
    ['both', 'till of the pharmacy'],
    'no wallet partner gets an offer for a phone without a customer',
  );
  await db.run(sql`update api_keys set revoked_at = ${clock.now()} where id = ${dualPartner.keyId}`);
});

test('events of an open offer go to its merchant, and after the claim also to the partner of the customer', async () => {
  const offerInput = { amount: 100, installments: 2 };
  const runAndListPublished = async <T>(action: () => Promise<T>) => {
    const newestPositionBefore = await findNewestPosition();
    const body = await action();
    const publications = (await listPublishedAfter(newestPositionBefore)).map(
      ({ name, type }) => `${name}: ${type}`,
    );
    return { body, publications: publications.toSorted() };
  };
  const listForTillAndWallet = (type: string) => [
    `${tillPartner.name}: ${type}`,
    `${walletPartner.name}: ${type}`,
  ];
  const post = async (path: string, body: object, options: object) => {
    const response = await service.post(path, body, options);
    assert.ok(response.status < 300, response.text);
    return response.body;
  };
  const { token } = await logIn(service, customer, walletPartner.key);
  const tillOptions = { key: tillPartner.key };
  const creation = await runAndListPublished(() => post('/merchant/offers', offerInput, tillOptions));
  assert.deepEqual(creation.publications, [`${tillPartner.name}: offer.created`]);
  const { id, code } = creation.body;
  const claim = await runAndListPublished(() =>
    post('/wallet/offers/claim', { code }, { key: walletPartner.key, token }),
  );
  assert.deepEqual(claim.publications, listForTillAndWallet('offer.claimed'));
  const cancellation = await runAndListPublished(() =>
    post(`/merchant/offers/${id}/cancel`, {}, tillOptions),
  );
  assert.deepEqual(cancellation.publications, listForTillAndWallet('offer.cancelled'));
});

test('events of cashback and referrals never go to a merchant, even if they name one', async () => {
  const newestPositionBefore = await findNewestPosition();
  await emitEvents({ ...createEvent('cashback.changed'), merchantId: pharmacyId } as Event);
  assert.deepEqual(
    (await listPublishedAfter(newestPositionBefore)).map(({ name }) => name),
    ['wallet'],
  );
});

test('all events of a purchase go to its merchant, numbered in their order', async () => {
  const customer = await driver.createCustomer();
  const newestPositionBefore = await findNewestPosition();
  const { hash, installments } = await driver.sell(customer, { merchant: 'otica-lume' });
  await driver.pay(customer.id, installments[0].id, 100);
  const publications = await listPublishedAfter(newestPositionBefore);
  assert.deepEqual(
    publications.map(({ name, type }) => `${name}: ${type}`),
    [
      'till of the optician: checkout.created',
      'till of the optician: installment.paid',
      'till of the optician: checkout.paid',
    ],
  );
  const rows = await db.rows<{ sequence: number }>(sql`
    select sequence from partner_events where checkout_hash = ${hash} order by position`);
  assert.deepEqual(
    rows.map(({ sequence }) => sequence),
    [1, 2, 3],
  );
});

test('every event of a purchase has merchant, offer and reference', async () => {
  const customer = await driver.createCustomer();
  const { hash, installments } = await driver.sell(customer, { merchant: 'otica-lume' });
  await driver.pay(customer.id, installments[0].id, 100);
  await listPublishedAfter(await findNewestPosition());
  const rows = await db.rows<{ type: string; merchant: string; data: object }>(sql`
    select type, data ->> 'merchant' as merchant, data from events where checkout_hash = ${hash} order by position`);
  assert.deepEqual(
    rows.map(({ type, merchant }) => [type, merchant]),
    [
      ['checkout.created', 'otica-lume'],
      ['installment.paid', 'otica-lume'],
      ['checkout.paid', 'otica-lume'],
    ],
  );
  assert.ok(rows.every(({ data }) => 'offer_id' in data && 'reference' in data));
});

test('a partner gets events of a customer only since the first login through it', async () => {
  const lateCustomer = await newCustomer(service);
  const fields = { customerId: lateCustomer.id, data: getExample('referral.rewarded') } as const;
  const newestPositionBefore = await findNewestPosition();
  await emitEvents({ type: 'referral.rewarded', ...fields });
  clock.advance(1_000);
  await logIn(service, lateCustomer, walletPartner.key);
  await emitEvents({ type: 'referral.rewarded', ...fields });
  assert.deepEqual(
    (await listPublishedAfter(newestPositionBefore)).map(({ name }) => name),
    ['wallet'],
  );
});

test('the partner that sent a lead gets its event', async () => {
  const newestPositionBefore = await findNewestPosition();
  const leadInput = { kind: 'contact', name: 'Rita', email: 'rita@example.com' };
  assert.equal((await otherNode.post('/public/leads', leadInput, { key: sitePartner.key })).status, 201);
  assert.deepEqual(
    (await listPublishedAfter(newestPositionBefore)).map(({ name, type }) => `${name}: ${type}`),
    ['site: lead.received'],
  );
});

test('a partner whose keys of the scope are all revoked or expired gets no new events', async () => {
  const revokedPartner = await newPartner('revoked', ['merchant'], pharmacyId);
  const expiredPartner = await newPartner('expired', ['merchant'], pharmacyId);
  partners.push(revokedPartner, expiredPartner);
  const newestPositionBefore = await findNewestPosition();
  await emitEvents(createEvent('payout.paid'));
  assert.equal((await listPublishedAfter(newestPositionBefore)).length, 3, 'all three tills');
  await db.run(sql`update api_keys set revoked_at = ${clock.now()} where id = ${revokedPartner.keyId}`);
  await db.run(sql`update api_keys set expires_at = ${clock.now()} where id = ${expiredPartner.keyId}`);
  const newestPosition = await findNewestPosition();
  await emitEvents(createEvent('payout.paid'));
  assert.deepEqual(
    (await listPublishedAfter(newestPosition)).map(({ name }) => name),
    ['till of the pharmacy'],
  );
});

test('events are published once, in the order of each purchase, whenever and on whichever node they commit', async () => {
  const newestPositionBefore = await findNewestPosition();
  const EVENTS_PER_PURCHASE = 5;
  const purchases: Array<{ hash: string; customer: Customer }> = [];
  for (const letter of ['P', 'Q', 'R', 'S']) {
    const customer = await newCustomer(service);
    await logIn(service, customer, walletPartner.key);
    purchases.push({ hash: letter.repeat(22), customer });
  }
  const [firstPurchase, ...otherPurchases] = purchases;
  // Positions are assigned immediately, but the first transaction commits last.
  const commitSignal = Promise.withResolvers<void>();
  const emissionSignal = Promise.withResolvers<void>();
  const createPaidEvent = ({ hash, customer }: { hash: string; customer: Customer }) =>
    ({ type: 'checkout.paid', customerId: customer.id, data: { checkout_hash: hash } }) as Event;
  const slowTransaction = db.transaction(async (tx) => {
    for (let n = 0; n < EVENTS_PER_PURCHASE; n++)
      await eventsWithoutHandlers.emit(tx, createPaidEvent(firstPurchase!), clock.now());
    emissionSignal.resolve();
    await commitSignal.promise;
  });
  await emissionSignal.promise;
  for (let n = 0; n < EVENTS_PER_PURCHASE; n++)
    for (const purchase of otherPurchases) await emitEvents(createPaidEvent(purchase));
  await eventually(
    'the other events are published',
    async () =>
      (await findNewestPosition()) >= newestPositionBefore + otherPurchases.length * EVENTS_PER_PURCHASE,
  );
  commitSignal.resolve();
  await slowTransaction;
  await listPublishedAfter(newestPositionBefore);
  for (const { hash } of purchases) {
    const rows = await db.rows<{ sequence: number }>(sql`
      select sequence from partner_events
      where partner_id = ${walletPartner.id} and checkout_hash = ${hash} order by position`);
    assert.deepEqual(
      rows.map(({ sequence }) => sequence),
      [1, 2, 3, 4, 5],
    );
  }
});
