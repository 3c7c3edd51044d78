import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openService } from '../../../test/harness.ts';
import { createOfferDriver } from '../../../test/offer-driver.ts';
import { assertRefused } from '../../../test/support/customers.ts';

const service = await openService();
const { createOpenOffer, requestOpenOffer, otherKey } = await createOfferDriver(service);
const SHOP_URL = 'http://localhost:3003';

test('up to 100 items that add up exactly are accepted; other items are rejected with the reason', async () => {
  const buildItem = (amount: unknown, overrides: { quantity?: unknown; name?: unknown } = {}) => ({
    name: 'Pão',
    quantity: 1,
    amount,
    ...overrides,
  });
  const tenths = Array.from({ length: 100 }, () => buildItem(0.1));
  const offerOfTenths = await createOpenOffer({ amount: 10, items: tenths });
  assert.deepEqual(offerOfTenths.items, tenths, 'a hundred times 0.1 is 10');
  const thirds = [33.34, 33.33, 33.33].map((amount) => buildItem(amount));
  const gift = buildItem(0, { quantity: 3, name: ' Brinde ' });
  const offerWithGift = await createOpenOffer({ items: [...thirds, gift] });
  assert.equal(offerWithGift.items.at(-1).name, 'Brinde');
  assert.deepEqual((await createOpenOffer({ items: [] })).items, []);
  for (const items of [
    [buildItem(99.99)],
    [buildItem(100.01)],
    [buildItem(50), buildItem(49.99)],
    [buildItem(50, { quantity: 2 })],
    [buildItem(0)],
  ]) {
    const refusal = assertRefused(await requestOpenOffer({ items }), 422, 'items_mismatch');
    assert.equal(refusal.errors[0].pointer, '/items');
  }
  const offerOf101Items = await requestOpenOffer({ amount: 10.1, items: [...tenths, buildItem(0.1)] });
  assertRefused(offerOf101Items, 400, 'validation_failed');
  for (const invalidItem of [
    buildItem(100, { quantity: 0 }),
    buildItem(100, { quantity: 1.5 }),
    buildItem(100, { quantity: -1 }),
    buildItem(100, { quantity: 1e20 }),
    buildItem(1e20),
    buildItem(0.001),
    buildItem(100, { name: '' }),
    buildItem(100, { name: ' ' }),
    buildItem(100, { name: 'x'.repeat(121) }),
    buildItem('100'),
    {},
    'Pão',
    null,
    { ...buildItem(100), sku: '1' },
  ])
    assertRefused(await requestOpenOffer({ items: [invalidItem] }), 400, 'validation_failed');
  assertRefused(await requestOpenOffer({ amount: 1e20, items: [buildItem(1e20)] }), 400, 'validation_failed');
});

test('an item may have a negative amount as a discount; the items must still add up', async () => {
  const items = [
    { name: 'Bolo', quantity: 1, amount: 120 },
    { name: 'Desconto', quantity: 1, amount: -20 },
  ];
  assert.deepEqual((await createOpenOffer({ items })).items, items);
  assertRefused(await requestOpenOffer({ items: items.slice(0, 1) }), 422, 'items_mismatch');
});

test('return_url must be https with an allowed origin and without credentials or fragment; in the sandbox localhost is allowed', async () => {
  const sendUrl = async (return_url: unknown, options = {}) => requestOpenOffer({ return_url }, options);
  for (const validUrl of [`${SHOP_URL}/pedido?a=b%20c`, 'http://127.0.0.1:3003', `${SHOP_URL}`])
    assert.equal((await createOpenOffer({ return_url: validUrl })).return_url, validUrl);
  for (const [invalidUrl, detail] of [
    ['https://evil.example/', 'origin'],
    ['https://localhost:3003/', 'origin'],
    ['http://localhost:3006/', 'origin'],
    ['http://localhost.evil.example:3003/', 'https'],
    ['http://localhost:3003.evil.example/', 'address'],
    ['http://shop.example/', 'https'],
    ['javascript:alert(1)', 'https'],
    ['data:text/html,x', 'https'],
    ['//localhost:3003/', 'address'],
    ['/pedido', 'address'],
    ['loja', 'address'],
    [`http://user:pass@localhost:3003/`, 'password'],
    [`http://localhost:3003@evil.example/`, 'https'],
    [`${SHOP_URL}/#x`, 'fragment'],
    [`${SHOP_URL}/#`, 'fragment'],
    [`${SHOP_URL}\\@evil.example/`, 'address'],
    [` ${SHOP_URL}/`, 'address'],
    [`${SHOP_URL}/a\tb`, 'address'],
  ] as const) {
    const refusal = assertRefused(await sendUrl(invalidUrl), 422, 'return_url_not_allowed');
    assert.match(refusal.detail, new RegExp(detail), invalidUrl);
    assert.equal(refusal.errors[0].pointer, '/return_url');
  }
  for (const invalidUrl of ['', 7, `${SHOP_URL}/${'x'.repeat(2_000)}`])
    assertRefused(await sendUrl(invalidUrl), 400, 'validation_failed');
  assertRefused(await sendUrl(`${SHOP_URL}/`, { key: otherKey }), 422, 'return_url_not_allowed');
});

test('the problem of a refused return URL names the allowed origins', async () => {
  const refusal = await requestOpenOffer({ return_url: 'https://elsewhere.example/' });
  assertRefused(refusal, 422, 'return_url_not_allowed');
  assert.match(refusal.body.detail, /: http:\/\/\S+/);
});
