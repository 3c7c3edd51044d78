import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eventually, openService } from '../../../test/harness.ts';
import { createOfferDriver, MERCHANT_KEY } from '../../../test/offer-driver.ts';
import { createPurchaseDriver } from '../../../test/purchase-driver.ts';
import { assertRefused, createOtherPartnerKey, logIn } from '../../../test/support/customers.ts';

const service = await openService();
service.clock.set('2026-11-23T15:00:00Z');
const driver = createPurchaseDriver(service);
const offerDriver = await createOfferDriver(service);

// biome-ignore lint/suspicious/noExplicitAny: tests look into bodies freely
const listEvents = async (offerId: string, key: string): Promise<any[]> => {
  const { body } = await service.get('/events?limit=100', { key });
  return body.data.filter(({ data }: { data: { offer_id?: string } }) => data.offer_id === offerId);
};

test('the metadata of an offer is returned with the offer, its sale and their events, to the merchant only', async () => {
  const walletKey = await createOtherPartnerKey(service);
  const metadata = { cart: '7781', nota: 'Olá 🥐', empty: '' };
  const customer = await driver.createCustomer();
  const { token } = await logIn(service, customer, walletKey);
  const offer = await offerDriver.createOpenOffer({ reference: 'with-metadata', metadata });
  assert.deepEqual(offer.metadata, metadata);
  assert.deepEqual((await offerDriver.getOffer(offer.id)).metadata, metadata);
  const claimResponse = await offerDriver.claim({ code: offer.code }, token, { key: walletKey });
  assert.equal(claimResponse.status, 200, claimResponse.text);
  const acceptResponse = await offerDriver.accept(offer.id, token, {}, { key: walletKey });
  assert.equal(acceptResponse.status, 201, acceptResponse.text);
  for (const response of [claimResponse, acceptResponse]) assert.equal(response.body.metadata, undefined);

  const sale = await service.get(`/merchant/checkouts/${acceptResponse.body.hash}`, { key: MERCHANT_KEY });
  assert.deepEqual(sale.body.metadata, metadata);
  const listResponse = await service.get(`/merchant/checkouts?hash=${acceptResponse.body.hash}`, {
    key: MERCHANT_KEY,
  });
  assert.deepEqual(listResponse.body.data[0].metadata, metadata);

  const [shopEvents, walletEvents] = await eventually('both partners have the events', async () => {
    const lists = [await listEvents(offer.id, MERCHANT_KEY), await listEvents(offer.id, walletKey)] as const;
    return lists.every((events) => events.some(({ type }) => type === 'checkout.created')) && lists;
  });
  const shopEventGroups = new Set(shopEvents.map(({ type }) => type.replace(/\..*/, '')));
  assert.deepEqual(shopEventGroups, new Set(['offer', 'checkout']));
  for (const { type, data } of shopEvents) assert.deepEqual(data.metadata, metadata, type);
  for (const { type, data } of walletEvents) assert.equal(data.metadata, undefined, type);
  const repeatedResponse = await offerDriver.requestOpenOffer({
    reference: 'with-metadata',
    metadata: { cart: '1' },
  });
  assertRefused(repeatedResponse, 422, 'reference_reused');
});

test('metadata has at most 20 texts of 500 characters, with names of 40', async () => {
  const maxMetadata = Object.fromEntries(
    Array.from({ length: 20 }, (_, i) => [`${i}`.padEnd(40, 'n'), 'v'.repeat(500)]),
  );
  assert.deepEqual((await offerDriver.createOpenOffer({ metadata: maxMetadata })).metadata, maxMetadata);
  for (const metadata of [
    { ...maxMetadata, more: '' },
    { ['n'.repeat(41)]: '' },
    { '': 'x' },
    { value: 'v'.repeat(501) },
    { value: 1 },
    { value: 'a\u0000b' },
    { value: '\ud800' },
    { '\u0000': 'x' },
    ['x'],
    'x',
  ])
    assertRefused(await offerDriver.requestOpenOffer({ metadata }), 400, 'validation_failed');
  assert.deepEqual((await offerDriver.createOpenOffer()).metadata, {});
});
