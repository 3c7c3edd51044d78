import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DAY_MS } from '#core/values/duration.ts';
import { hashPhone } from '#customers';
import { sql } from '#platform/database/db.ts';
import { type ApiResponse, openService } from '../../../test/harness.ts';
import { createOfferDriver, MERCHANT_KEY, OTHER_MERCHANT } from '../../../test/offer-driver.ts';
import { createPurchaseDriver, MERCHANT, newPhone } from '../../../test/purchase-driver.ts';
import {
  assertRefused,
  BRUNO,
  listMessages,
  newCode,
  waitForMessages,
} from '../../../test/support/customers.ts';

const service = await openService({ env: { OFFERS_PER_PHONE: '5' } });
const secondNode = await service.startNode();
const driver = createPurchaseDriver(service);
const {
  accept,
  cancel,
  decline,
  listEventTypes,
  createMerchantKey,
  findMerchantId,
  createOffer,
  requestOffer,
  otherKey,
  getOffer,
  createToken,
} = await createOfferDriver(service);

test('demo data: Bruno logs in by code and has a pending offer of the bakery', async () => {
  const sentCode = await newCode(service, BRUNO.phone);
  const { token } = (await service.post('/wallet/auth/otp/login', sentCode)).body;
  const { body } = await service.get('/wallet/offers?status=pending', { token });
  assert.deepEqual(
    body.data.map(({ merchant, quote }: ApiResponse['body']) => [merchant.slug, quote.amount]),
    [[MERCHANT, 180]],
  );
  assert.equal((await accept(body.data[0].id, token)).status, 201);
  service.clock.set('2027-03-01T15:00:00.000Z'); // A Monday, for all following tests.
});

test('201: the phone gets a message, and the response reveals nothing about its owner', async () => {
  const phone = newPhone();
  const response = await requestOffer(phone, { amount: 100, description: ' Bolo ', reference: 'A-1' });
  assert.equal(response.status, 201, response.text);
  const { id, ...body } = response.body;
  assert.equal(response.headers.get('location'), `/merchant/offers/${id}`);
  const link = `http://localhost:3003/carteira/ofertas/${id}`;
  assert.deepEqual(body, {
    status: 'pending',
    phone,
    description: 'Bolo',
    reference: 'A-1',
    checkout_hash: null,
    metadata: {},
    items: [],
    return_url: null,
    link,
    code: null,
    qr_code: null,
    claimed_at: null,
    by: null,
    expires_at: '2027-03-03T15:00:00.000Z',
    created_at: '2027-03-01T15:00:00.000Z',
    quote: {
      amount: 100,
      installments: [
        { number: 1, due_on: '2027-03-08', amount: 33.34 },
        { number: 2, due_on: '2027-03-15', amount: 33.33 },
        { number: 3, due_on: '2027-03-22', amount: 33.33 },
      ],
      total: 100,
      cost: 0,
      cashback_if_on_time: 2.49,
      terms: {
        weekly_rate_percent: 0,
        fine_percent: 2,
        late_interest_percent: 1,
        extension_fee_percent: 5,
        extension_days: 7,
        extension_limit: 2,
        cashback_percent: 2.5,
        cet_percent_month: 0,
        cet_percent_year: 0,
      },
    },
  });
  const [message] = await listMessages(service, phone);
  assert.equal(
    message!.text,
    `Semana: Padaria Flor do Trigo oferece R$ 100,00 em até 3 parcelas semanais. Veja e responda em 2 dias: ${link}`,
  );
  assert.deepEqual(await getOffer(id), response.body);
  assert.deepEqual(await listEventTypes(id), ['offer.created']);
  const customer = await driver.createCustomer();
  const ownOffer = (await requestOffer(customer.phone, { description: ' Bolo ', reference: 'A-2' })).body;
  const blankIds = (offer: ApiResponse['body']) => ({
    ...offer,
    id: '',
    link: '',
    phone: '',
    reference: '',
  });
  assert.deepEqual(blankIds(ownOffer), blankIds(response.body), 'the same for a customer’s phone');
  const jobs = await service.db.rows(sql`
    select 1 from graphile_worker._private_jobs where payload::text like ${`%${phone.slice(1)}%`}`);
  assert.deepEqual(jobs, [], 'no phone in a job');
});

test('404 for customers with another phone and for other merchants, as if the offer did not exist', async () => {
  const [customer, stranger] = [await driver.createCustomer(), await driver.createCustomer()];
  const offer = await createOffer(customer.phone);
  const token = await createToken(stranger);
  const unknownId = 'off_00000000000000000000000000';
  const getAsStranger = (id: string) => service.get(`/wallet/offers/${id}`, { token });
  const [getResponse, unknownResponse] = [await getAsStranger(offer.id), await getAsStranger(unknownId)];
  assert.deepEqual({ ...getResponse.body, request_id: '' }, { ...unknownResponse.body, request_id: '' });
  const strangerResponses = [getResponse, await accept(offer.id, token), await decline(offer.id, token)];
  const merchantResponses = [
    await service.get(`/merchant/offers/${offer.id}`, { key: otherKey }),
    await cancel(offer.id, otherKey),
  ];
  for (const response of [...strangerResponses, ...merchantResponses])
    assertRefused(response, 404, 'not_found');
  assertRefused(await accept(unknownId, token), 404, 'not_found');
  assertRefused(await accept('off_x', token), 404, 'not_found');
  assert.equal((await service.get('/wallet/offers', { token })).body.pagination.total, 0);
  const otherResponse = await service.get('/merchant/offers?limit=100', { key: otherKey });
  assert.ok(otherResponse.body.data.every(({ id }: ApiResponse['body']) => id !== offer.id));
  assert.equal((await getOffer(offer.id)).status, 'pending');
  assertRefused(await service.get('/merchant/offers'), 403, 'scope_missing');
  assertRefused(await service.get('/wallet/offers', { key: MERCHANT_KEY }), 403, 'scope_missing');
});

test('repeating reference and content returns the same offer, also concurrently; 422 with other content', async () => {
  const phone = newPhone();
  const offerInput = { reference: 'B-7', description: 'Pão' };
  const responses = await Promise.all(
    Array.from({ length: 4 }, (_, i) =>
      (i % 2 ? secondNode : service).post(
        '/merchant/offers',
        { phone, amount: 100, installments: 3, ...offerInput },
        { key: MERCHANT_KEY },
      ),
    ),
  );
  assert.deepEqual(responses.map(({ status }) => status).toSorted(), [200, 200, 200, 201]);
  assert.equal(new Set(responses.map(({ body }) => body.id)).size, 1);
  for (let i = 0; i < 6; i++)
    assert.equal((await requestOffer(phone, offerInput)).status, 200, 'repetitions are not limited');
  for (const change of [{ amount: 100.01 }, { installments: 2 }, { description: 'Bolo' }])
    assertRefused(await requestOffer(phone, { ...offerInput, ...change }), 422, 'reference_reused');
  assertRefused(await requestOffer(newPhone(), offerInput), 422, 'reference_reused');
  assert.equal(
    (await requestOffer(phone, offerInput, { key: otherKey })).status,
    201,
    'references of other merchants are separate',
  );
  await waitForMessages(service, phone, 2);
});

test('after a cancellation, decline or expiry the same reference creates a new offer; an accepted offer is returned again', async () => {
  const customer = await driver.createCustomer();
  const token = await createToken(customer);
  const sendOffer = (overrides: object = {}) =>
    requestOffer(customer.phone, { reference: 'C-9', ...overrides });
  const cancelledOffer = (await sendOffer()).body;
  await cancel(cancelledOffer.id);
  assert.deepEqual(await listEventTypes(cancelledOffer.id), ['offer.cancelled', 'offer.created']);
  service.clock.advance(1_000);
  const repeatedResponses = await Promise.all(Array.from({ length: 3 }, () => sendOffer({ amount: 90 })));
  assert.deepEqual(
    repeatedResponses.map(({ status }) => status).toSorted(),
    [200, 200, 201],
    'one new offer with the new content',
  );
  const declinedOffer = repeatedResponses[0]!.body;
  assert.notEqual(declinedOffer.id, cancelledOffer.id);
  await decline(declinedOffer.id, token);
  service.clock.advance(1_000);
  const expiredOffer = (await sendOffer()).body;
  service.clock.advance(2 * DAY_MS);
  const acceptedOfferResponse = await sendOffer();
  assert.equal(acceptedOfferResponse.status, 201, 'the previous offer expired by the clock, before any job');
  assert.deepEqual(await listEventTypes(expiredOffer.id), ['offer.created', 'offer.expired']);
  assert.equal((await accept(acceptedOfferResponse.body.id, await createToken(customer))).status, 201);
  service.clock.advance(2 * DAY_MS);
  const lastResponse = await sendOffer();
  assert.deepEqual(
    [lastResponse.status, lastResponse.body.id, lastResponse.body.status],
    [200, acceptedOfferResponse.body.id, 'accepted'],
  );
  assertRefused(await sendOffer({ amount: 91 }), 422, 'reference_reused');

  const listOffers = (query: string, key = MERCHANT_KEY) => service.get(`/merchant/offers?${query}`, { key });
  const offerPage = (await listOffers('reference=C-9')).body;
  assert.deepEqual(
    offerPage.data.map(({ id, status }: ApiResponse['body']) => [id, status]),
    [
      [acceptedOfferResponse.body.id, 'accepted'],
      [expiredOffer.id, 'expired'],
      [declinedOffer.id, 'declined'],
      [cancelledOffer.id, 'cancelled'],
    ],
  );
  assert.equal((await listOffers('reference=C-9&status=declined')).body.pagination.total, 1);
  assert.equal(
    (await listOffers('reference=C-9', otherKey)).body.pagination.total,
    0,
    'references of other merchants are separate',
  );
});

test('the same Idempotency-Key returns the same response; with a key of another merchant of the partner it is a different request', async () => {
  const phone = newPhone();
  const { partner_id } = (await service.db.row<{ partner_id: string }>(
    sql`select partner_id from api_keys where merchant_id = ${await findMerchantId(MERCHANT)}`,
  ))!;
  const key = await createMerchantKey(OTHER_MERCHANT, { partner_id });
  const headers = { 'idempotency-key': 'pedido 1' };
  const firstResponse = await requestOffer(phone, {}, { headers });
  const repeatedResponse = await requestOffer(phone, {}, { headers });
  assert.deepEqual(
    [repeatedResponse.status, repeatedResponse.body, repeatedResponse.headers.get('idempotency-replayed')],
    [201, firstResponse.body, 'true'],
  );
  assertRefused(await requestOffer(phone, { amount: 101 }, { headers }), 422, 'idempotency_key_reused');
  assertRefused(await requestOffer(phone, {}, { headers, key }), 422, 'idempotency_key_reused');
  await waitForMessages(service, phone, 1);
});

test('429 too_many_offers: 5 per day of one merchant, 10 pending, 20 per day of all; a rejected offer sends no message', async () => {
  const phone = newPhone();
  const thirdKey = await createMerchantKey('otica-pupila');
  const responses = await Promise.all(Array.from({ length: 7 }, () => requestOffer(phone)));
  assert.deepEqual(responses.map(({ status }) => status).toSorted(), [201, 201, 201, 201, 201, 429, 429]);
  const refusal = responses.find(({ status }) => status === 429)!;
  assertRefused(refusal, 429, 'too_many_offers');
  assert.match(refusal.headers.get('retry-after')!, /^86[34]\d\d$/, 'about a day, in seconds');
  const moreResponses = await Promise.all(
    Array.from({ length: 7 }, () => requestOffer(phone, {}, { key: otherKey })),
  );
  assert.equal(moreResponses.filter(({ status }) => status === 201).length, 5);
  assertRefused(await requestOffer(phone, {}, { key: thirdKey }), 429, 'too_many_offers'); // Ten are pending.
  await waitForMessages(service, phone, 10);
  for (const { body } of responses.filter(({ status }) => status === 201)) await cancel(body.id);
  assert.equal((await requestOffer(phone, {}, { key: thirdKey })).status, 201, 'fewer are pending now');
  service.clock.advance(DAY_MS);
  assert.equal((await requestOffer(phone)).status, 201, 'the next day');
});

test('offers outside the plan or to unsupported phones are rejected, and nothing is written', async () => {
  const [phone, landline] = [newPhone(), '+551132345678'];
  const rangeProblem = assertRefused(await requestOffer(phone, { amount: 9.99 }), 422, 'amount_out_of_range');
  assert.deepEqual([rangeProblem.min_amount, rangeProblem.max_amount], [10, 5000]);
  assertRefused(await requestOffer(phone, { amount: 5000.01 }), 422, 'amount_out_of_range');
  const countProblem = assertRefused(
    await requestOffer(phone, { installments: 13 }),
    422,
    'too_many_installments',
  );
  assert.equal(countProblem.max_installments, 12);
  for (const [change, pointer] of [
    [{ amount: 10.005 }, '/amount'],
    [{ amount: -1 }, '/amount'],
    [{ amount: '100' }, '/amount'],
    [{ installments: 0 }, '/installments'],
    [{ phone: '1198765000x' }, '/phone'],
    [{ reference: ' ' }, '/reference'],
    [{ terms: {} }, '/terms'],
  ] as const)
    assert.equal(
      assertRefused(await requestOffer(phone, change), 400, 'validation_failed').errors[0].pointer,
      pointer,
    );
  assertRefused(await requestOffer(landline), 422, 'phone_not_supported');
  const { count } = (await service.db.row<{ count: number }>(
    sql`select count(*) from offers
      where phone_hash = any(${[phone, landline].map((number) => hashPhone(service.db.vault, number))})`,
  ))!;
  assert.equal(count, 0);
});

test('a merchant that is no longer listed cannot create offers; its existing offers stay valid', async () => {
  const slug = 'otica-vista-linda';
  const key = await createMerchantKey(slug);
  const customer = await driver.createCustomer();
  const offer = await createOffer(customer.phone, {}, { key });
  await service.db.run(sql`update merchants set listed = false where slug = ${slug}`);
  assertRefused(await requestOffer(customer.phone, {}, { key }), 409, 'merchant_unlisted');
  assertRefused(
    await service.post('/merchant/quotes', { amount: 100, installments: 1 }, { key }),
    409,
    'merchant_unlisted',
  );
  assert.equal((await accept(offer.id, await createToken(customer))).status, 201);
});

test('the database rejects changes to the agreed columns of an offer', async () => {
  await assert.rejects(service.db.run(sql`update offers set amount_cents = 1`), /append-only/);
});
