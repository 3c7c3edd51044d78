import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '#core/values/duration.ts';
import { sql } from '#platform/database/db.ts';
import { type ApiResponse, openService } from '../../../test/harness.ts';
import { createOfferDriver, MERCHANT_KEY } from '../../../test/offer-driver.ts';
import { createPurchaseDriver, MERCHANT } from '../../../test/purchase-driver.ts';
import { assertRefused } from '../../../test/support/customers.ts';

const service = await openService();
const driver = createPurchaseDriver(service);
const {
  accept,
  cancel,
  claim,
  decline,
  listEventTypes,
  createOpenOffer,
  requestOpenOffer,
  getOffer,
  sweepOffers,
  createToken,
} = await createOfferDriver(service);
const SHOP_URL = 'http://localhost:3003';
const TWO_DAYS_S = (2 * DAY_MS) / SECOND_MS;
service.clock.set('2027-03-01T15:00:00.000Z');

const getToken = ({ link }: { link: string }) => link.split('/').at(-1)!;
const getByLink = (token: string) => service.get(`/public/offers/${token}`);
const createCustomerWithToken = async () => {
  const customer = await driver.createCustomer();
  return { ...customer, token: await createToken(customer) };
};
const getTtlSeconds = ({ created_at, expires_at }: ApiResponse['body']) =>
  (Date.parse(expires_at) - Date.parse(created_at)) / SECOND_MS;

test('an offer without a phone has a code, a link and its QR code, and is valid for fifteen minutes', async () => {
  const offer = await createOpenOffer({ description: 'Bolo' });
  assert.match(offer.code, /^[ACDEFHJKMNPQRTWXY34679]{8}$/);
  assert.match(offer.link, /^http:\/\/localhost:3003\/pagar\/[0-9A-Za-z]{22}$/);
  assert.match(offer.qr_code, /^data:image\/png;base64,/);
  assert.deepEqual(
    [offer.status, offer.phone, offer.claimed_at, offer.return_url, offer.items, getTtlSeconds(offer)],
    ['pending', null, null, null, [], 900],
  );
  assert.deepEqual(await getOffer(offer.id), offer, 'later reads return the same offer');
  const listResponse = await service.get('/merchant/offers?limit=1', { key: MERCHANT_KEY });
  assert.deepEqual(listResponse.body.data[0], offer);
  assert.deepEqual(await listEventTypes(offer.id), ['offer.created']);
});

test('expires_in sets the validity; it defaults to an hour with a return_url, and is always two days for a phone', async () => {
  assert.equal(getTtlSeconds(await createOpenOffer({ return_url: `${SHOP_URL}/x` })), 3_600);
  for (const expires_in of [60, TWO_DAYS_S])
    assert.equal(getTtlSeconds(await createOpenOffer({ expires_in })), expires_in);
  for (const expires_in of [59, TWO_DAYS_S + 1, 0, -1, 60.5, 1e20, '60'])
    assertRefused(await requestOpenOffer({ expires_in }), 400, 'validation_failed');
  assert.equal(getTtlSeconds(await createOpenOffer({ expires_in: null })), 900, 'null is an absent field');
  const { phone } = await driver.createCustomer();
  assert.equal(getTtlSeconds(await createOpenOffer({ phone, expires_in: TWO_DAYS_S })), TWO_DAYS_S);
  const refusal = assertRefused(await requestOpenOffer({ phone, expires_in: 900 }), 400, 'validation_failed');
  assert.equal(refusal.errors[0].pointer, '/expires_in');
});

test('the database contains neither code nor token, nor an unkeyed hash of them', async () => {
  const { code, link, id } = await createOpenOffer({}, { headers: { 'idempotency-key': 'secret 1' } });
  const hashSha256 = (text: string) => createHash('sha256').update(text).digest('hex');
  const secrets = [code, getToken({ link })].flatMap((secret) => [
    secret,
    Buffer.from(secret).toString('hex'),
    hashSha256(secret),
  ]);
  const tables = await service.db.rows<{ name: string }>(sql`
    select format('%I.%I', schemaname, tablename) as name from pg_tables
    where schemaname not in ('pg_catalog', 'information_schema')`);
  let offerRowCount = 0;
  for (const { name } of tables) {
    const dump = { text: `select t::text as row from ${name} as t`, values: [], name: `dump ${name}` };
    for (const { row } of await service.db.rows<{ row: string }>(dump)) {
      if (row.includes(id)) offerRowCount++;
      for (const secret of secrets) assert.ok(!row.includes(secret), name);
    }
  }
  assert.ok(offerRowCount > 0, 'the dump includes the offer');
});

test('the link shows items and cost but no personal data, and reading does not claim the offer', async () => {
  const items = [
    { name: 'Bolo', quantity: 2, amount: 99.99 },
    { name: 'Entrega', quantity: 1, amount: 0.01 },
  ];
  const offer = await createOpenOffer({
    items,
    description: 'Festa',
    reference: 'A 1',
    return_url: `${SHOP_URL}/volta?a=1`,
  });
  const earlierResponse = await getByLink(getToken(offer));
  assert.equal(earlierResponse.status, 200, earlierResponse.text);
  assert.equal(earlierResponse.headers.get('cache-control'), 'no-store');
  const { merchant, ...otherFields } = earlierResponse.body;
  assert.equal(merchant.slug, MERCHANT);
  assert.deepEqual(otherFields, {
    status: 'pending',
    claimed: false,
    amount: 100,
    description: 'Festa',
    items,
    quote: offer.quote,
    return_url: `${SHOP_URL}/volta?a=1&offer_id=${offer.id}&status=pending&reference=A+1`,
    expires_at: offer.expires_at,
  });
  for (let crawler = 0; crawler < 3; crawler++)
    await service.call('HEAD', `/public/offers/${getToken(offer)}`);
  assert.equal((await getOffer(offer.id)).claimed_at, null);

  const customer = await createCustomerWithToken();
  assert.equal((await claim({ token: getToken(offer) }, customer.token)).status, 200);
  assert.equal((await accept(offer.id, customer.token, { installments: 1 })).status, 201);
  const laterResponse = await getByLink(getToken(offer));
  assert.deepEqual([laterResponse.body.status, laterResponse.body.claimed], ['accepted', true]);
  assert.equal(laterResponse.body.quote.installments.length, 3, 'as offered, not as accepted');
  for (const secret of [customer.id, customer.phone]) assert.ok(!laterResponse.text.includes(secret));
  for (const unknownToken of ['0'.repeat(22), 'x', offer.code, offer.id])
    assertRefused(await getByLink(unknownToken), 404, 'not_found');
});

test('a code can be typed in any format; the claim is valid for two days, and repeating it changes nothing', async () => {
  const customer = await createCustomerWithToken();
  const offer = await createOpenOffer({ expires_in: 60 });
  assertRefused(await service.get(`/wallet/offers/${offer.id}`, { token: customer.token }), 404, 'not_found');
  assertRefused(await accept(offer.id, customer.token), 404, 'not_found');
  assertRefused(await decline(offer.id, customer.token), 404, 'not_found');
  service.clock.advance(30_000);
  const typedCode = ` ${offer.code.slice(0, 4).toLowerCase()}-${offer.code.slice(4)} `;
  const claimResponse = await claim({ code: typedCode }, customer.token);
  assert.equal(claimResponse.status, 200, claimResponse.text);
  assert.equal(claimResponse.body.id, offer.id);
  const newExpiry = new Date(service.clock.now().getTime() + 2 * DAY_MS).toISOString();
  assert.equal(claimResponse.body.expires_at, newExpiry);
  service.clock.advance(MINUTE_MS);
  for (const claimKey of [{ code: offer.code }, { token: getToken(offer) }])
    assert.deepEqual((await claim(claimKey, customer.token)).body, claimResponse.body);
  const { claimed_at, expires_at, status, code } = await getOffer(offer.id);
  assert.deepEqual([status, expires_at, code], ['pending', newExpiry, offer.code]);
  assert.equal(Date.parse(claimed_at), Date.parse(newExpiry) - 2 * DAY_MS);
  const listResponse = await service.get('/wallet/offers?status=pending', { token: customer.token });
  assert.deepEqual(listResponse.body.data, [claimResponse.body]);
  assert.deepEqual(
    (await service.get(`/wallet/offers/${offer.id}`, { token: customer.token })).body,
    claimResponse.body,
  );

  const stranger = await createCustomerWithToken();
  for (const claimKey of [{ code: offer.code }, { token: getToken(offer) }])
    assertRefused(await claim(claimKey, stranger.token), 409, 'offer_claimed');
  assertRefused(await accept(offer.id, stranger.token), 404, 'not_found');
  assert.equal((await service.get('/wallet/offers', { token: stranger.token })).body.pagination.total, 0);

  const acceptResponse = await accept(offer.id, customer.token);
  assert.equal(acceptResponse.status, 201, acceptResponse.text);
  assert.equal(
    (await claim({ code: offer.code }, customer.token)).body.checkout_hash,
    acceptResponse.body.hash,
  );
  assertRefused(await claim({ code: offer.code }, stranger.token), 409, 'offer_closed');
  const acceptedOffer = await getOffer(offer.id);
  assert.deepEqual(
    [acceptedOffer.status, acceptedOffer.code, acceptedOffer.qr_code, acceptedOffer.link],
    ['accepted', null, null, offer.link],
  );
  assert.deepEqual(await listEventTypes(offer.id), ['offer.accepted', 'offer.claimed', 'offer.created']);
  assert.deepEqual(await driver.listMismatches(customer.id), []);
});

test('a claimed offer that is cancelled, declined or expired stays in the list of its customer', async () => {
  const customer = await createCustomerWithToken();
  const offers = [await createOpenOffer(), await createOpenOffer(), await createOpenOffer()];
  for (const { code } of offers) assert.equal((await claim({ code }, customer.token)).status, 200);
  const [cancelledOffer, declinedOffer, expiredOffer] = offers;
  assert.equal((await cancel(cancelledOffer.id)).body.status, 'cancelled');
  assert.equal((await decline(declinedOffer.id, customer.token)).status, 204);
  service.clock.advance(2 * DAY_MS);
  await sweepOffers(async () => (await listEventTypes(expiredOffer.id)).includes('offer.expired'));
  const token = await createToken(customer);
  const listResponse = await service.get('/wallet/offers', { token });
  assert.deepEqual(listResponse.body.data.map(({ status }: ApiResponse['body']) => status).toSorted(), [
    'cancelled',
    'declined',
    'expired',
  ]);
  const stranger = await createCustomerWithToken();
  assertRefused(await claim({ code: cancelledOffer.code }, stranger.token), 409, 'offer_closed');
  assertRefused(await claim({ code: expiredOffer.code }, stranger.token), 409, 'offer_expired');
});

test('409 offer_expired from the exact deadline, before and after a job stores it; 409 offer_closed after a cancellation', async () => {
  const customer = await driver.createCustomer();
  let token = await createToken(customer);
  const [claimedOffer, lateOffer, cancelledOffer] = [
    await createOpenOffer(),
    await createOpenOffer(),
    await createOpenOffer(),
  ];
  await cancel(cancelledOffer.id);
  assert.equal(
    assertRefused(await claim({ code: cancelledOffer.code }, token), 409, 'offer_closed').offer_status,
    'cancelled',
  );
  service.clock.advance(15 * MINUTE_MS - 1); // one millisecond before the deadline
  token = await createToken(customer);
  assert.equal((await claim({ code: claimedOffer.code }, token)).status, 200);
  service.clock.advance(1);
  assertRefused(await claim({ token: getToken(lateOffer) }, token), 409, 'offer_expired');
  assert.equal((await getByLink(getToken(lateOffer))).body.status, 'expired');
  const expiredOffer = await getOffer(lateOffer.id);
  assert.deepEqual([expiredOffer.status, expiredOffer.code], ['expired', null]);
  await sweepOffers(async () => (await listEventTypes(lateOffer.id)).includes('offer.expired'));
  assertRefused(await claim({ token: getToken(lateOffer) }, token), 409, 'offer_expired');
  assert.deepEqual(await listEventTypes(lateOffer.id), ['offer.created', 'offer.expired']);
  assert.deepEqual(await listEventTypes(claimedOffer.id), ['offer.claimed', 'offer.created']);
});

test('customers who may not buy (overdue, owing cashback, locked) cannot claim an offer, and other customers still can', async () => {
  const customer = await createCustomerWithToken();
  await driver.sell(customer, { amount: 50 });
  service.clock.advance(14 * DAY_MS);
  const overdueToken = await createToken(customer);
  const offer = await createOpenOffer();
  assertRefused(await claim({ code: offer.code }, overdueToken), 409, 'customer_overdue');
  assert.equal((await getByLink(getToken(offer))).body.claimed, false);
  const stranger = await createCustomerWithToken();
  assert.equal((await claim({ code: offer.code }, stranger.token)).status, 200);
  const { id: lockedId, token: lockedToken } = await createCustomerWithToken();
  await service.db.run(sql`update customers set locked_at = ${service.clock.now()} where id = ${lockedId}`);
  const refusal = await claim({ code: (await createOpenOffer()).code }, lockedToken);
  assert.ok([401, 409].includes(refusal.status), refusal.text);
});

test('an offer to a phone stores items and return_url too, and has no code to claim it', async () => {
  const customer = await createCustomerWithToken();
  const items = [{ name: 'Bolo', quantity: 1, amount: 100 }];
  const offer = await createOpenOffer({ phone: customer.phone, items, return_url: `${SHOP_URL}/` });
  assert.deepEqual([offer.code, offer.qr_code, offer.claimed_at, offer.items], [null, null, null, items]);
  assert.match(offer.link, /\/carteira\/ofertas\/off_/);
  const readResponse = await service.get(`/wallet/offers/${offer.id}`, { token: customer.token });
  assert.deepEqual(
    [readResponse.body.items, readResponse.body.return_url],
    [items, `${SHOP_URL}/?offer_id=${offer.id}&status=pending`],
  );
});

test('repeating the reference or the Idempotency-Key returns the same offer with the same code and link', async () => {
  const offerInput = {
    reference: 'CAIXA-1',
    items: [{ name: 'Bolo', quantity: 1, amount: 100 }],
    return_url: `${SHOP_URL}/`,
  };
  const firstOffer = await createOpenOffer(offerInput);
  const repeatedResponse = await requestOpenOffer(offerInput);
  assert.equal(repeatedResponse.status, 200, repeatedResponse.text);
  assert.deepEqual(repeatedResponse.body, firstOffer);
  for (const change of [
    { amount: 101, items: [] },
    { items: [] },
    { return_url: `${SHOP_URL}/2` },
    { phone: '+5511987650002' },
  ])
    assertRefused(await requestOpenOffer({ ...offerInput, ...change }), 422, 'reference_reused');
  service.clock.advance(HOUR_MS);
  const nextOffer = await createOpenOffer(offerInput);
  assert.notEqual(nextOffer.code, firstOffer.code);
  assert.deepEqual(await listEventTypes(firstOffer.id), ['offer.created', 'offer.expired']);

  const headers = { 'idempotency-key': 'caixa 1' };
  const keyedResponse = await requestOpenOffer({}, { headers });
  const replayedResponse = await requestOpenOffer({}, { headers });
  assert.equal(replayedResponse.headers.get('idempotency-replayed'), 'true');
  assert.deepEqual(replayedResponse.body, keyedResponse.body);
  assertRefused(await requestOpenOffer({ expires_in: 60 }, { headers }), 422, 'idempotency_key_reused');
});

test('claim, decline and cancel accept an Idempotency-Key: it repeats the response, and is rejected for another offer', async () => {
  const { token } = await createCustomerWithToken();
  const [firstOffer, otherOffer, thirdOffer] = [
    await createOpenOffer(),
    await createOpenOffer(),
    await createOpenOffer(),
  ];
  const actions = [
    {
      offer: firstOffer,
      path: () => '/wallet/offers/claim',
      body: ({ code }: ApiResponse['body']) => ({ code }),
      credentials: { token },
    },
    {
      offer: firstOffer,
      path: ({ id }: ApiResponse['body']) => `/wallet/offers/${id}/decline`,
      body: () => undefined,
      credentials: { token },
    },
    {
      offer: thirdOffer,
      path: ({ id }: ApiResponse['body']) => `/merchant/offers/${id}/cancel`,
      body: () => undefined,
      credentials: { key: MERCHANT_KEY },
    },
  ];
  for (const [i, { offer, path, body, credentials }] of actions.entries()) {
    const headers = { 'idempotency-key': `action ${i}` };
    const send = (target: ApiResponse['body']) =>
      service.post(path(target), body(target), { ...credentials, headers });
    const firstResponse = await send(offer);
    assert.ok(firstResponse.status < 300, firstResponse.text);
    assert.equal(firstResponse.headers.get('idempotency-replayed'), null);
    const repeatedResponse = await send(offer);
    assert.deepEqual(
      [repeatedResponse.status, repeatedResponse.text],
      [firstResponse.status, firstResponse.text],
    );
    assert.equal(repeatedResponse.headers.get('idempotency-replayed'), 'true');
    assertRefused(await send(otherOffer), 422, 'idempotency_key_reused');
  }
  assert.deepEqual(await listEventTypes(firstOffer.id), ['offer.claimed', 'offer.created', 'offer.declined']);
  assert.equal((await getOffer(otherOffer.id)).status, 'pending');
  assert.equal((await getOffer(thirdOffer.id)).status, 'cancelled');
});

test('the body of a claim has a token or a code; invalid and unknown tokens and codes are rejected', async () => {
  const customer = await createCustomerWithToken();
  const { code, link } = await createOpenOffer();
  for (const invalidBody of [
    {},
    { code: 7 },
    { code: '' },
    { token: null },
    { code, token: getToken({ link }) },
    { code, x: 1 },
  ])
    assertRefused(await claim(invalidBody as object, customer.token), 400, 'validation_failed');
  for (const unknownKey of [
    { token: 'x' },
    { token: '0'.repeat(22) },
    { token: code },
    { code: 'AAAA-AAAA' },
    { code: 'OOOO' },
  ])
    assertRefused(await claim(unknownKey, customer.token), 404, 'not_found');
  assertRefused(await service.post('/wallet/offers/claim', { code }), 401, 'token_missing');
});

test('429 too_many_attempts: 10 wrong codes per customer and 30 per IP address in 15 minutes; the link still works', async () => {
  service.clock.advance(DAY_MS);
  const firstCustomer = await createCustomerWithToken();
  const otherCustomers = [
    await createCustomerWithToken(),
    await createCustomerWithToken(),
    await createCustomerWithToken(),
  ];
  const offer = await createOpenOffer();
  /** Claims with a wrong code: the number, with a character of codes for each of its digits. */
  const claimWithWrongCode = (number: number, token: string) => {
    const code = String(number)
      .padStart(8, '0')
      .replaceAll(/\d/g, (digit) => 'ACDEFHJKMN'.charAt(Number(digit)));
    return claim({ code }, token);
  };
  const outcomes = new Map<string, number>();
  const countOutcome = (response: ApiResponse) => {
    const outcome = `${response.status} ${response.body.code}`;
    outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
    return response;
  };
  // Concurrent attempts are limited like sequential attempts.
  await Promise.all(
    Array.from({ length: 40 }, async (_, i) =>
      countOutcome(await claimWithWrongCode(i, firstCustomer.token)),
    ),
  );
  assert.deepEqual(Object.fromEntries(outcomes), { '404 not_found': 10, '429 too_many_attempts': 30 });
  const refusal = await claim({ code: offer.code }, firstCustomer.token);
  assertRefused(refusal, 429, 'too_many_attempts');
  assert.ok(Number(refusal.headers.get('retry-after')) > 0);
  outcomes.clear();
  // Three customers send 12 codes each. The IP address has 30 - 10 attempts left.
  for (const { token } of otherCustomers)
    for (let i = 0; i < 12; i++) countOutcome(await claimWithWrongCode(100 + i, token));
  assert.deepEqual(Object.fromEntries(outcomes), { '404 not_found': 20, '429 too_many_attempts': 16 });
  const { token: lastToken } = otherCustomers.at(-1)!;
  assertRefused(await claim({ code: offer.code }, lastToken), 429, 'too_many_attempts');
  assert.equal((await claim({ token: getToken(offer) }, lastToken)).status, 200, 'a link is no guess');
  service.clock.advance(15 * MINUTE_MS);
  const { code } = await createOpenOffer();
  const newToken = await createToken(firstCustomer);
  for (let i = 0; i < 12; i++)
    assert.equal((await claim({ code }, newToken)).status, 200, 'correct codes are not counted');
});
