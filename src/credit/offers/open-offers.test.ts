import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '#core/duration.ts';
import { sql } from '#platform/database/db.ts';
import { type Answer, openService } from '../../../test/harness.ts';
import { MERCHANT, openShop } from '../../../test/shop.ts';
import { assertRefused, MERCHANT_KEY, openStall } from '../../../test/stall.ts';

const service = await openService();
const shop = openShop(service);
const { accept, cancel, claim, decline, eventsOf, openOffer, orderOpen, otherKey, show, sweep, tokenOf } =
  await openStall(service);
const SHOP = 'http://localhost:3003';
service.clock.set('2027-03-01T15:00:00.000Z');

const tokenIn = ({ link }: { link: string }) => link.split('/').at(-1)!;
const look = (token: string) => service.get(`/public/offers/${token}`);
const shopper = async (limit?: number) => {
  const by = await shop.newShopper(limit);
  return { ...by, token: await tokenOf(by) };
};
const secondsOf = ({ created_at, expires_at }: Answer['body']) =>
  (Date.parse(expires_at) - Date.parse(created_at)) / 1_000;

test('without a phone: a code, a link and its QR code, for fifteen minutes', async () => {
  const offer = await openOffer({ description: 'Bolo' });
  assert.match(offer.code, /^[ACDEFHJKMNPQRTWXY34679]{8}$/);
  assert.match(offer.link, /^http:\/\/localhost:3003\/pagar\/[0-9A-Za-z]{22}$/);
  assert.match(offer.qr_code, /^data:image\/png;base64,/);
  assert.deepEqual(
    [offer.status, offer.phone, offer.claimed_at, offer.return_url, offer.items, secondsOf(offer)],
    ['pending', null, null, null, [], 900],
  );
  assert.deepEqual(await show(offer.id), offer, 'and later reads show the same');
  const list = await service.get('/merchant/offers?limit=1', { key: MERCHANT_KEY });
  assert.deepEqual(list.body.data[0], offer);
  assert.deepEqual(await eventsOf(offer.id), ['offer.created']);
});

test('expires_in says for how long; an hour with a return_url; two days to a phone, whatever is asked', async () => {
  assert.equal(secondsOf(await openOffer({ return_url: `${SHOP}/x` })), 3_600);
  for (const expires_in of [60, 172_800])
    assert.equal(secondsOf(await openOffer({ expires_in })), expires_in);
  for (const expires_in of [59, 172_801, 0, -1, 60.5, 1e20, '60', null])
    assertRefused(await orderOpen({ expires_in }), 400, 'validation_failed');
  const { phone } = await shop.newShopper();
  assert.equal(secondsOf(await openOffer({ phone, expires_in: 172_800 })), 172_800);
  const refused = assertRefused(await orderOpen({ phone, expires_in: 900 }), 400, 'validation_failed');
  assert.equal(refused.errors[0].pointer, '/expires_in');
});

test('neither code nor token is in the database, nor a hash of them that takes no key', async () => {
  const { code, link, id } = await openOffer({}, { headers: { 'idempotency-key': 'secret 1' } });
  const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');
  const secrets = [code, link.split('/').at(-1)].flatMap((secret) => [
    secret,
    Buffer.from(secret).toString('hex'),
    sha256(secret),
  ]);
  const tables = await service.db.rows<{ name: string }>(sql`
    select format('%I.%I', schemaname, tablename) as name from pg_tables
    where schemaname not in ('pg_catalog', 'information_schema')`);
  let offers = 0;
  for (const { name } of tables) {
    const dump = { text: `select t::text as row from ${name} as t`, values: [], name: `dump ${name}` };
    for (const { row } of await service.db.rows<{ row: string }>(dump)) {
      if (row.includes(id)) offers++;
      for (const secret of secrets) assert.ok(!row.includes(secret), name);
    }
  }
  assert.ok(offers > 0, 'it was looked at');
});

test('whoever has the link sees what is bought and what it costs, nothing of anybody; looking claims nothing', async () => {
  const items = [
    { name: 'Bolo', quantity: 2, amount: 99.99 },
    { name: 'Entrega', quantity: 1, amount: 0.01 },
  ];
  const offer = await openOffer({
    items,
    description: 'Festa',
    reference: 'A 1',
    return_url: `${SHOP}/volta?a=1`,
  });
  const before = await look(tokenIn(offer));
  assert.equal(before.status, 200, before.text);
  assert.equal(before.headers.get('cache-control'), 'no-store');
  const { merchant, ...rest } = before.body;
  assert.equal(merchant.slug, MERCHANT);
  assert.deepEqual(rest, {
    status: 'pending',
    claimed: false,
    amount: 100,
    description: 'Festa',
    items,
    quote: offer.quote,
    return_url: `${SHOP}/volta?a=1&offer_id=${offer.id}&status=pending&reference=A+1`,
    expires_at: offer.expires_at,
  });
  for (let crawler = 0; crawler < 3; crawler++)
    await service.call('HEAD', `/public/offers/${tokenIn(offer)}`);
  assert.equal((await show(offer.id)).claimed_at, null);

  const by = await shopper();
  assert.equal((await claim({ token: tokenIn(offer) }, by.token)).status, 200);
  assert.equal((await accept(offer.id, by.token, { installments: 1 })).status, 201);
  const after = await look(tokenIn(offer));
  assert.deepEqual([after.body.status, after.body.claimed], ['accepted', true]);
  assert.equal(after.body.quote.installments.length, 3, 'as offered, not as somebody agreed to it');
  for (const secret of [by.id, by.phone]) assert.ok(!after.text.includes(secret));
  for (const unknown of ['0'.repeat(22), 'x', offer.code, offer.id])
    assertRefused(await look(unknown), 404, 'not_found');
});

test('claimed by code, as it is typed: theirs for two days from then, and again the same', async () => {
  const by = await shopper();
  const offer = await openOffer({ expires_in: 60 });
  assertRefused(await service.get(`/wallet/offers/${offer.id}`, { token: by.token }), 404, 'not_found');
  assertRefused(await accept(offer.id, by.token), 404, 'not_found');
  assertRefused(await decline(offer.id, by.token), 404, 'not_found');
  service.clock.advance(30_000);
  const typed = ` ${offer.code.slice(0, 4).toLowerCase()}-${offer.code.slice(4)} `;
  const claimed = await claim({ code: typed }, by.token);
  assert.equal(claimed.status, 200, claimed.text);
  assert.equal(claimed.body.id, offer.id);
  const expires = new Date(service.clock.now().getTime() + 2 * DAY_MS).toISOString();
  assert.equal(claimed.body.expires_at, expires);
  service.clock.advance(MINUTE_MS);
  for (const by2 of [{ code: offer.code }, { token: tokenIn(offer) }])
    assert.deepEqual((await claim(by2, by.token)).body, claimed.body);
  const { claimed_at, expires_at, status, code } = await show(offer.id);
  assert.deepEqual([status, expires_at, code], ['pending', expires, offer.code]);
  assert.equal(Date.parse(claimed_at), Date.parse(expires) - 2 * DAY_MS);
  const list = await service.get('/wallet/offers?status=pending', { token: by.token });
  assert.deepEqual(list.body.data, [claimed.body]);
  assert.deepEqual((await service.get(`/wallet/offers/${offer.id}`, { token: by.token })).body, claimed.body);

  const other = await shopper();
  for (const key of [{ code: offer.code }, { token: tokenIn(offer) }])
    assertRefused(await claim(key, other.token), 409, 'offer_claimed');
  assertRefused(await accept(offer.id, other.token), 404, 'not_found');
  assert.equal((await service.get('/wallet/offers', { token: other.token })).body.pagination.total, 0);

  const bought = await accept(offer.id, by.token);
  assert.equal(bought.status, 201, bought.text);
  assert.equal((await claim({ code: offer.code }, by.token)).body.checkout_hash, bought.body.hash);
  assertRefused(await claim({ code: offer.code }, other.token), 409, 'offer_closed');
  const sold = await show(offer.id);
  assert.deepEqual([sold.status, sold.code, sold.qr_code, sold.link], ['accepted', null, null, offer.link]);
  assert.deepEqual(await eventsOf(offer.id), ['offer.accepted', 'offer.claimed', 'offer.created']);
  assert.deepEqual(await shop.disagreements(by.id), []);
});

test('claimed and then cancelled, declined or expired: it stays whose it was, and is told as that', async () => {
  const by = await shopper();
  const offers = [await openOffer(), await openOffer(), await openOffer()];
  for (const { code } of offers) assert.equal((await claim({ code }, by.token)).status, 200);
  const [one, two, three] = offers as [Answer['body'], Answer['body'], Answer['body']];
  assert.equal((await cancel(one.id)).body.status, 'cancelled');
  assert.equal((await decline(two.id, by.token)).status, 204);
  service.clock.advance(2 * DAY_MS);
  await sweep(async () => (await eventsOf(three.id)).includes('offer.expired'));
  const token = await tokenOf(by);
  const list = await service.get('/wallet/offers', { token });
  assert.deepEqual(list.body.data.map(({ status }: Answer['body']) => status).toSorted(), [
    'cancelled',
    'declined',
    'expired',
  ]);
  const other = await shopper();
  assertRefused(await claim({ code: one.code }, other.token), 409, 'offer_closed');
  assertRefused(await claim({ code: three.code }, other.token), 409, 'offer_expired');
});

test('409 offer_expired to the millisecond, before and after a job has written it; 409 offer_closed once cancelled', async () => {
  const by = await shop.newShopper();
  let token = await tokenOf(by);
  const [inTime, late, gone] = [await openOffer(), await openOffer(), await openOffer()];
  await cancel(gone.id);
  assert.equal(
    assertRefused(await claim({ code: gone.code }, token), 409, 'offer_closed').offer_status,
    'cancelled',
  );
  service.clock.advance(900_000 - 1);
  token = await tokenOf(by);
  assert.equal((await claim({ code: inTime.code }, token)).status, 200);
  service.clock.advance(1);
  assertRefused(await claim({ token: tokenIn(late) }, token), 409, 'offer_expired');
  assert.equal((await look(tokenIn(late))).body.status, 'expired');
  const shown = await show(late.id);
  assert.deepEqual([shown.status, shown.code], ['expired', null]);
  await sweep(async () => (await eventsOf(late.id)).includes('offer.expired'));
  assertRefused(await claim({ token: tokenIn(late) }, token), 409, 'offer_expired');
  assert.deepEqual(await eventsOf(late.id), ['offer.created', 'offer.expired']);
  assert.deepEqual(await eventsOf(inTime.id), ['offer.claimed', 'offer.created']);
});

test('who could not buy leaves the offer to others: overdue, owing cashback, locked', async () => {
  const by = await shopper(1_000);
  await shop.sell(by, { amount: 50 });
  service.clock.advance(14 * DAY_MS);
  const late = await tokenOf(by);
  const offer = await openOffer();
  assertRefused(await claim({ code: offer.code }, late), 409, 'customer_overdue');
  assert.equal((await look(tokenIn(offer))).body.claimed, false);
  const other = await shopper();
  assert.equal((await claim({ code: offer.code }, other.token)).status, 200);
  const locked = await shopper();
  await service.db.run(sql`update customers set locked_at = ${service.clock.now()} where id = ${locked.id}`);
  const refused = await claim({ code: (await openOffer()).code }, locked.token);
  assert.ok([401, 409].includes(refused.status), refused.text);
});

test('items: up to a hundred that add up to the centavo, or a clear refusal', async () => {
  const item = (amount: unknown, quantity: unknown = 1, name: unknown = 'Pão') => ({
    name,
    quantity,
    amount,
  });
  const tenths = Array.from({ length: 100 }, () => item(0.1));
  const small = await openOffer({ amount: 10, items: tenths });
  assert.deepEqual(small.items, tenths, 'a hundred times 0.1 is 10');
  const thirds = [33.34, 33.33, 33.33].map((amount) => item(amount));
  assert.equal((await openOffer({ items: [...thirds, item(0, 3, ' Brinde ')] })).items[3].name, 'Brinde');
  assert.deepEqual((await openOffer({ items: [] })).items, []);
  for (const items of [[item(99.99)], [item(100.01)], [item(50), item(49.99)], [item(50, 2)], [item(0)]]) {
    const refused = assertRefused(await orderOpen({ items }), 422, 'items_mismatch');
    assert.equal(refused.errors[0].pointer, '/items');
  }
  assertRefused(await orderOpen({ amount: 10.1, items: [...tenths, item(0.1)] }), 400, 'validation_failed');
  for (const wrong of [
    item(100, 0),
    item(100, 1.5),
    item(100, -1),
    item(100, 1e20),
    item(1e20),
    item(-1),
    item(0.001),
  ])
    assertRefused(await orderOpen({ items: [wrong] }), 400, 'validation_failed');
  for (const wrong of [
    item(100, 1, ''),
    item(100, 1, ' '),
    item(100, 1, 'x'.repeat(121)),
    item('100'),
    {},
    'Pão',
    null,
  ])
    assertRefused(await orderOpen({ items: [wrong] }), 400, 'validation_failed');
  assertRefused(await orderOpen({ items: [{ ...item(100), sku: '1' }] }), 400, 'validation_failed');
  assertRefused(await orderOpen({ amount: 1e20, items: [item(1e20)] }), 400, 'validation_failed');
});

test('return_url: https, of an origin of the key, nothing hidden in it; in the sandbox also on this machine', async () => {
  const url = async (return_url: unknown, options: object = {}) => orderOpen({ return_url }, options);
  for (const fine of [`${SHOP}/pedido?a=b%20c`, 'http://127.0.0.1:3003', `${SHOP}`])
    assert.equal((await openOffer({ return_url: fine })).return_url, fine);
  for (const [wrong, why] of [
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
    [`${SHOP}/#x`, 'fragment'],
    [`${SHOP}/#`, 'fragment'],
    [`${SHOP}\\@evil.example/`, 'address'],
    [` ${SHOP}/`, 'address'],
    [`${SHOP}/a\tb`, 'address'],
  ] as const) {
    const refused = assertRefused(await url(wrong), 422, 'return_url_not_allowed');
    assert.match(refused.detail, new RegExp(why), wrong);
    assert.equal(refused.errors[0].pointer, '/return_url');
  }
  for (const wrong of ['', 7, null, `${SHOP}/${'x'.repeat(2_000)}`])
    assertRefused(await url(wrong), 400, 'validation_failed');
  assertRefused(await url(`${SHOP}/`, { key: otherKey }), 422, 'return_url_not_allowed');
});

test('with a phone, items and a return_url are kept as well; there is no code, and nobody claims it', async () => {
  const by = await shopper();
  const items = [{ name: 'Bolo', quantity: 1, amount: 100 }];
  const offer = await openOffer({ phone: by.phone, items, return_url: `${SHOP}/` });
  assert.deepEqual([offer.code, offer.qr_code, offer.claimed_at, offer.items], [null, null, null, items]);
  assert.match(offer.link, /\/carteira\/ofertas\/off_/);
  const read = await service.get(`/wallet/offers/${offer.id}`, { token: by.token });
  assert.deepEqual(
    [read.body.items, read.body.return_url],
    [items, `${SHOP}/?offer_id=${offer.id}&status=pending`],
  );
});

test('the same reference, or the same Idempotency-Key, is the same offer with the same code and link', async () => {
  const order = {
    reference: 'CAIXA-1',
    items: [{ name: 'Bolo', quantity: 1, amount: 100 }],
    return_url: `${SHOP}/`,
  };
  const first = await openOffer(order);
  const again = await orderOpen(order);
  assert.equal(again.status, 200, again.text);
  assert.deepEqual(again.body, first);
  for (const other of [
    { amount: 101, items: [] },
    { items: [] },
    { return_url: `${SHOP}/2` },
    { phone: '+5511987650002' },
  ])
    assertRefused(await orderOpen({ ...order, ...other }), 422, 'reference_reused');
  service.clock.advance(HOUR_MS);
  const next = await openOffer(order);
  assert.notEqual(next.code, first.code);
  assert.deepEqual(await eventsOf(first.id), ['offer.created', 'offer.expired']);

  const headers = { 'idempotency-key': 'caixa 1' };
  const keyed = await orderOpen({}, { headers });
  const replayed = await orderOpen({}, { headers });
  assert.equal(replayed.headers.get('idempotency-replayed'), 'true');
  assert.deepEqual(replayed.body, keyed.body);
  assertRefused(await orderOpen({ expires_in: 60 }, { headers }), 422, 'idempotency_key_reused');
});

test('claiming, declining and cancelling take an Idempotency-Key: the same answer again, another offer is refused', async () => {
  const { token } = await shopper();
  const [one, other, third] = [await openOffer(), await openOffer(), await openOffer()];
  const verbs = [
    { path: () => '/wallet/offers/claim', body: ({ code }: Answer['body']) => ({ code }), by: { token } },
    {
      path: ({ id }: Answer['body']) => `/wallet/offers/${id}/decline`,
      body: () => undefined,
      by: { token },
    },
    {
      path: ({ id }: Answer['body']) => `/merchant/offers/${id}/cancel`,
      body: () => undefined,
      by: { key: MERCHANT_KEY },
    },
  ];
  for (const [i, { path, body, by }] of verbs.entries()) {
    const send = (offer: Answer['body']) =>
      service.post(path(offer), body(offer), { ...by, headers: { 'idempotency-key': `verb ${i}` } });
    const offer = i === 2 ? third : one;
    const first = await send(offer);
    assert.ok(first.status < 300, first.text);
    assert.equal(first.headers.get('idempotency-replayed'), null);
    const again = await send(offer);
    assert.deepEqual([again.status, again.text], [first.status, first.text]);
    assert.equal(again.headers.get('idempotency-replayed'), 'true');
    assertRefused(await send(other), 422, 'idempotency_key_reused');
  }
  assert.deepEqual(await eventsOf(one.id), ['offer.claimed', 'offer.created', 'offer.declined']);
  assert.equal((await show(other.id)).status, 'pending');
  assert.equal((await show(third.id)).status, 'cancelled');
});

test('the body of a claim is a token or a code; what is neither, or nobody’s, is refused clearly', async () => {
  const by = await shopper();
  const { code, link } = await openOffer();
  for (const wrong of [
    {},
    { code: 7 },
    { code: '' },
    { token: null },
    { code, token: tokenIn({ link }) },
    { code, x: 1 },
  ])
    assertRefused(await claim(wrong as object, by.token), 400, 'validation_failed');
  for (const unknown of [
    { token: 'x' },
    { token: '0'.repeat(22) },
    { token: code },
    { code: 'AAAA-AAAA' },
    { code: 'OOOO' },
  ])
    assertRefused(await claim(unknown, by.token), 404, 'not_found');
  assertRefused(await service.post('/wallet/offers/claim', { code }), 401, 'token_missing');
});

test('429 too_many_attempts: ten wrong codes a customer, thirty an address, in 15 minutes; the link still works', async () => {
  service.clock.advance(DAY_MS);
  const people = [await shopper(), await shopper(), await shopper(), await shopper()];
  const offer = await openOffer();
  const guess = (i: number, token: string) => {
    const code = [...Array(8)].map((_, at) => 'ACDEFHJKMN'[Math.floor(i / 10 ** at) % 10]).join('');
    return claim({ code }, token);
  };
  const outcomes = new Map<string, number>();
  const count = (answer: Answer) => {
    const outcome = `${answer.status} ${answer.body.code}`;
    outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
    return answer;
  };
  // Many at once get no more tries than one after the other.
  await Promise.all(Array.from({ length: 40 }, async (_, i) => count(await guess(i, people[0]!.token))));
  assert.deepEqual(Object.fromEntries(outcomes), { '404 not_found': 10, '429 too_many_attempts': 30 });
  const refused = await claim({ code: offer.code }, people[0]!.token);
  assertRefused(refused, 429, 'too_many_attempts');
  assert.ok(Number(refused.headers.get('retry-after')) > 0);
  outcomes.clear();
  for (const { token } of people.slice(1)) for (let i = 0; i < 12; i++) count(await guess(100 + i, token));
  assert.deepEqual(Object.fromEntries(outcomes), { '404 not_found': 20, '429 too_many_attempts': 16 });
  assertRefused(await claim({ code: offer.code }, people[3]!.token), 429, 'too_many_attempts');
  assert.equal((await claim({ token: tokenIn(offer) }, people[3]!.token)).status, 200, 'a link is no guess');
  service.clock.advance(15 * MINUTE_MS);
  const { code } = await openOffer();
  const right = await tokenOf(people[0]!);
  for (let i = 0; i < 12; i++)
    assert.equal((await claim({ code }, right)).status, 200, 'right ones do not count');
});
