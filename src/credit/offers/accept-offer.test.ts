import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DAY_MS } from '#core/values/duration.ts';
import { hashPhone } from '#customers';
import { sql } from '#platform/database/db.ts';
import { type ApiResponse, enqueueTask, eventually, openService } from '../../../test/harness.ts';
import { createOfferDriver, MERCHANT_KEY, OTHER_MERCHANT } from '../../../test/offer-driver.ts';
import { createPurchaseDriver, MERCHANT, newPhone, OPERATOR_KEY } from '../../../test/purchase-driver.ts';
import { assertRefused } from '../../../test/support/customers.ts';

const service = await openService();
const secondNode = await service.startNode();
/** Alternates between the two nodes. */
const pickNode = (i: number) => (i % 2 ? secondNode : service);
const driver = createPurchaseDriver(service);
const {
  accept,
  cancel,
  decline,
  listEventTypes,
  createMerchantKey,
  createOffer,
  requestOffer,
  otherKey,
  getOffer,
  sweepOffers,
  createToken,
} = await createOfferDriver(service);
service.clock.set('2027-03-01T15:00:00.000Z'); // a Monday

test('accepting creates a purchase on the terms of the offer, and each links to the other', async () => {
  const customer = await driver.createCustomer();
  const offer = await createOffer(customer.phone, { amount: 99.99, description: 'Bolo' });
  const token = await createToken(customer);
  const listResponse = await service.get('/wallet/offers?status=pending', { token });
  assert.deepEqual(
    listResponse.body.data.map(({ id, merchant }: ApiResponse['body']) => [id, merchant.slug]),
    [[offer.id, MERCHANT]],
  );
  const readResponse = await service.get(`/wallet/offers/${offer.id}`, { token });
  assert.deepEqual(readResponse.body, listResponse.body.data[0]);
  assert.deepEqual(readResponse.body.quote, offer.quote);
  assert.ok(!('phone' in readResponse.body) && !('reference' in readResponse.body));

  const response = await accept(offer.id, token);
  assert.equal(response.status, 201, response.text);
  const { hash } = response.body;
  assert.equal(response.headers.get('location'), `/wallet/checkouts/${hash}`);
  const checkout = await service.get(`/wallet/checkouts/${hash}`, { token });
  assert.deepEqual(response.body, checkout.body);
  const { contract_sha256, ...terms } = response.body.terms;
  assert.match(contract_sha256, /^[0-9a-f]{64}$/);
  assert.deepEqual(terms, offer.quote.terms);
  assert.deepEqual(
    response.body.installments.map(({ number, due_on, amount }: ApiResponse['body']) => ({
      number,
      due_on,
      amount,
    })),
    offer.quote.installments,
  );
  const acceptedOffer = await getOffer(offer.id);
  assert.deepEqual([acceptedOffer.status, acceptedOffer.checkout_hash], ['accepted', hash]);
  assert.equal(
    (await service.get('/wallet/offers?status=accepted', { token })).body.data[0].checkout_hash,
    hash,
  );
  assert.equal((await service.get('/wallet/offers?status=pending', { token })).body.pagination.total, 0);
  assert.deepEqual(await listEventTypes(offer.id), ['offer.accepted', 'offer.created']);
  const events = (await driver.listEvents(customer.id)).map(({ type, sequence }) => [type, sequence]);
  assert.deepEqual(events, [
    ['checkout.created', 1],
    ['offer.accepted', 2],
  ]);
  assertRefused(await accept(offer.id, token), 409, 'offer_closed');
  assertRefused(await decline(offer.id, token), 409, 'offer_closed');
  assert.equal(assertRefused(await cancel(offer.id), 409, 'offer_closed').offer_status, 'accepted');
});

test('due days count from the day of acceptance, and the terms are those of the offer', async () => {
  service.clock.set('2027-03-02T02:59:59.999Z'); // a millisecond before midnight in São Paulo, still Monday
  const customer = await driver.createCustomer();
  await service.db.run(sql`
    update merchants set weekly_rate_percent = 2, cashback_percent = 3, merchant_fee_percent = 4, payout_days = 1
    where slug = ${OTHER_MERCHANT}`);
  const offer = await createOffer(customer.phone, { amount: 1000, installments: 4 }, { key: otherKey });
  // 1,000.00 at 2 % per week in four installments: three of 262.62 and one of 262.64.
  assert.deepEqual([offer.quote.installments[0].due_on, offer.quote.total], ['2027-03-08', 1050.5]);
  await service.db.run(sql`
    update merchants set weekly_rate_percent = 3, cashback_percent = 0, merchant_fee_percent = 9, payout_days = 9
    where slug = ${OTHER_MERCHANT}`);
  service.clock.advance(1); // Tuesday
  const token = await createToken(customer);
  const currentOffer = (await service.get(`/wallet/offers/${offer.id}`, { token })).body;
  assert.equal(currentOffer.quote.installments[0].due_on, '2027-03-09');
  const { body } = await accept(offer.id, token);
  assert.deepEqual(
    body.installments.map(({ due_on, amount }: ApiResponse['body']) => [due_on, amount]),
    [
      ['2027-03-09', 262.62],
      ['2027-03-16', 262.62],
      ['2027-03-23', 262.62],
      ['2027-03-30', 262.64],
    ],
  );
  const { contract_sha256: _, ...terms } = body.terms;
  assert.deepEqual(terms, offer.quote.terms);
  assert.deepEqual(
    [body.terms.weekly_rate_percent, body.terms.cashback_percent, body.terms.cet_percent_year],
    [2, 3, 180.85], // 1.02 ^ (365 / 7) - 1
  );
  const row = await service.db.row(sql`
    select merchant_fee_ppm, payout_days, offer_id from checkouts where customer_id = ${customer.id} and hash = ${body.hash}`);
  assert.deepEqual(row, { merchant_fee_ppm: 40_000, payout_days: 1, offer_id: offer.id });
  assert.deepEqual(await driver.listMismatches(), []);
});

test('an offer can be accepted after its merchant was removed, and the sale is still owed to the merchant', async () => {
  const customer = await driver.createCustomer();
  const token = await createToken(customer);
  const merchant = { slug: 'loja-que-fecha', name: 'Loja que fecha', category: 'padarias', listed: true };
  const createResponse = await service.staff('POST', '/admin/merchants', {
    key: OPERATOR_KEY,
    body: merchant,
  });
  assert.equal(createResponse.status, 201, createResponse.text);
  const key = await createMerchantKey(merchant.slug);
  const [offer, otherOffer] = [
    await createOffer(customer.phone, {}, { key }),
    await createOffer(customer.phone, {}, { key }),
  ];
  const removeResponse = await service.staff('DELETE', `/admin/merchants/${merchant.slug}`, {
    key: OPERATOR_KEY,
  });
  assert.equal(removeResponse.status, 204, removeResponse.text);
  assertRefused(await requestOffer(customer.phone, {}, { key }), 409, 'merchant_unlisted');
  const acceptResponse = await accept(offer.id, token);
  assert.equal(acceptResponse.status, 201, acceptResponse.text);
  assert.equal(acceptResponse.body.merchant.name, merchant.name);
  assert.equal(
    (await cancel(otherOffer.id, key)).body.status,
    'cancelled',
    'the merchant can still cancel an offer',
  );
  const merchantLines = await service.db.rows<{ kind: string }>(
    sql`select kind from merchant_lines where checkout_hash = ${acceptResponse.body.hash} order by kind`,
  );
  assert.deepEqual(
    merchantLines.map(({ kind }) => kind),
    ['sale'],
  );
  assert.deepEqual(await driver.listMismatches(), []);
});

test('an offer can be accepted in fewer installments, never in more, and the quote shows the result', async () => {
  const customer = await driver.createCustomer();
  const token = await createToken(customer);
  const offer = await createOffer(customer.phone, { amount: 100, installments: 3 });
  const getQuote = (installments: number) =>
    service.get(`/wallet/offers/${offer.id}?installments=${installments}`, { token });
  assert.equal(assertRefused(await getQuote(4), 422, 'too_many_installments').max_installments, 3);
  assertRefused(await accept(offer.id, token, { installments: 4 }), 422, 'too_many_installments');
  assertRefused(await accept(offer.id, token, { installments: 0 }), 400, 'validation_failed');
  assertRefused(await accept(offer.id, token, { unknown_field: 2 }), 400, 'validation_failed');
  const { quote } = (await getQuote(2)).body;
  const { body, status } = await accept(offer.id, token, { installments: 2 });
  assert.equal(status, 201);
  assert.deepEqual(
    body.installments.map(({ number, due_on, amount }: ApiResponse['body']) => ({ number, due_on, amount })),
    quote.installments,
  );
  assert.equal((await getOffer(offer.id)).quote.installments.length, 2, 'as accepted');
});

test('an offer expires exactly two days after it was created, and a job emits one event', async () => {
  const customer = await driver.createCustomer();
  const [timelyOffer, lateOffer] = [await createOffer(customer.phone), await createOffer(customer.phone)];
  service.clock.advance(2 * DAY_MS - 1);
  const token = await createToken(customer);
  assert.equal((await accept(timelyOffer.id, token)).status, 201);
  service.clock.advance(1);
  assertRefused(await accept(lateOffer.id, token), 409, 'offer_expired');
  assertRefused(await decline(lateOffer.id, token), 409, 'offer_expired');
  assertRefused(await cancel(lateOffer.id), 409, 'offer_expired');
  assert.equal((await getOffer(lateOffer.id)).status, 'expired', 'by the clock, before any job');
  const listIds = async (status: string) =>
    (await service.get(`/merchant/offers?status=${status}&limit=100`, { key: MERCHANT_KEY })).body.data.map(
      ({ id }: ApiResponse['body']) => id,
    );
  assert.ok(
    (await listIds('expired')).includes(lateOffer.id) && !(await listIds('pending')).includes(lateOffer.id),
  );
  await sweepOffers(async () => (await listEventTypes(lateOffer.id)).includes('offer.expired'));
  assert.equal((await getOffer(lateOffer.id)).status, 'expired');
  await enqueueTask(service, 'offers_sweep');
  const { id: nextOfferId } = await createOffer(newPhone());
  service.clock.advance(2 * DAY_MS);
  await sweepOffers(async () => (await listEventTypes(nextOfferId)).includes('offer.expired'));
  assert.deepEqual((await listEventTypes(lateOffer.id)).filter((type) => type === 'offer.expired').length, 1);
});

test('offer.expired is emitted right after the deadline, by a job that the previous sweep scheduled', async () => {
  const { id } = await createOffer(newPhone());
  service.clock.advance(2 * DAY_MS - 1_000); // one second before the deadline
  const listDelays = () =>
    service.db.values<number>(sql`
      select extract(epoch from run_at - created_at)::float8 from graphile_worker.jobs
      where task_identifier = 'offers_expire'`);
  let delays: number[] = [];
  await sweepOffers(async () => {
    delays = await listDelays();
    return delays.length > 0;
  });
  // The job runs at the next full second after the deadline, which is less than two seconds from now.
  assert.ok(delays.every((seconds) => seconds <= 2.1));
  service.clock.advance(2_000);
  await eventually('the event is emitted', async () => (await listEventTypes(id)).includes('offer.expired'));
});

test('offer.expired is emitted when the clock of the sandbox is moved past the deadline', async () => {
  const { id } = await createOffer(newPhone());
  const clockChange = { key: OPERATOR_KEY, body: { advance: 'P2D' } };
  assert.equal((await service.staff('POST', '/sandbox/clock', clockChange)).status, 200);
  await eventually('the event is emitted', async () => (await listEventTypes(id)).includes('offer.expired'));
  await service.staff('DELETE', '/sandbox/clock', { key: OPERATOR_KEY });
  await secondNode.waitForEarlierCommits();
});

test('declining or cancelling twice changes nothing the second time', async () => {
  const customer = await driver.createCustomer();
  const token = await createToken(customer);
  const [firstOffer, secondOffer] = [await createOffer(customer.phone), await createOffer(customer.phone)];
  for (let i = 0; i < 2; i++) assert.equal((await decline(firstOffer.id, token)).status, 204);
  assert.equal((await getOffer(firstOffer.id)).status, 'declined');
  assert.deepEqual(await listEventTypes(firstOffer.id), ['offer.created', 'offer.declined']);
  for (let i = 0; i < 2; i++) assert.equal((await cancel(secondOffer.id)).body.status, 'cancelled');
  assertRefused(await accept(firstOffer.id, token), 409, 'offer_closed');
  assertRefused(await accept(secondOffer.id, token), 409, 'offer_closed');
  assertRefused(await decline(secondOffer.id, token), 409, 'offer_closed');
  assertRefused(await cancel(firstOffer.id), 409, 'offer_closed');
});

test('in the sandbox a merchant can send more offers to one phone than in live mode', async () => {
  const phone = newPhone();
  const maxPendingInLiveMode = 10;
  for (let i = 0; i <= maxPendingInLiveMode; i++) await createOffer(phone);
});

test('a customer who changed their phone no longer sees the offers to the old phone', async () => {
  const customer = await driver.createCustomer();
  const offer = await createOffer(customer.phone);
  const token = await createToken(customer);
  await service.db.run(
    sql`update customers set phone_hash = ${hashPhone(service.db.vault, newPhone())} where id = ${customer.id}`,
  );
  assertRefused(await service.get(`/wallet/offers/${offer.id}`, { token }), 404, 'not_found');
  assertRefused(await accept(offer.id, token), 404, 'not_found');
});

test('422 credit_limit_exceeded with the available amount, and 409 customer_overdue, leave the offer pending', async () => {
  const customer = await driver.createCustomer({ limitReais: 150 });
  const [firstOffer, secondOffer] = [await createOffer(customer.phone), await createOffer(customer.phone)];
  let token = await createToken(customer);
  assert.equal((await accept(firstOffer.id, token)).status, 201);
  const refusal = assertRefused(await accept(secondOffer.id, token), 422, 'credit_limit_exceeded');
  assert.deepEqual([refusal.limit, refusal.used, refusal.available, refusal.total], [150, 100, 50, 100]);
  assert.equal((await getOffer(secondOffer.id)).status, 'pending');
  await service.db.run(sql`update customers set credit_limit_cents = 1000000 where id = ${customer.id}`);
  service.clock.advance(12 * DAY_MS); // The first installment was due after seven days, on a Saturday.
  const thirdOffer = await createOffer(customer.phone);
  token = await createToken(customer);
  assertRefused(await accept(thirdOffer.id, token), 409, 'customer_overdue');
  assert.equal((await getOffer(thirdOffer.id)).status, 'pending');
});

test('concurrent acceptances on two nodes create one purchase; with one Idempotency-Key all get the same response', async () => {
  const customer = await driver.createCustomer();
  const token = await createToken(customer);
  const offer = await createOffer(customer.phone);
  const responses = await Promise.all(
    Array.from({ length: 8 }, (_, i) => accept(offer.id, token, {}, { node: pickNode(i) })),
  );
  assert.equal(responses.filter(({ status }) => status === 201).length, 1);
  for (const response of responses.filter(({ status }) => status !== 201))
    assertRefused(response, 409, 'offer_closed');

  const secondOffer = await createOffer(customer.phone);
  const headers = { 'idempotency-key': 'till 1' };
  const repeatedResponses = [];
  for (let i = 0; i < 3; i++)
    repeatedResponses.push(await accept(secondOffer.id, token, {}, { headers, node: pickNode(i) }));
  assert.deepEqual(
    repeatedResponses.map(({ status }) => status),
    [201, 201, 201],
  );
  assert.equal(new Set(repeatedResponses.map(({ body }) => body.hash)).size, 1);
  assert.equal(repeatedResponses.at(-1)!.headers.get('idempotency-replayed'), 'true');
  assertRefused(
    await accept(secondOffer.id, token, { installments: 1 }, { headers }),
    422,
    'idempotency_key_reused',
  );
  const thirdOffer = await createOffer(customer.phone);
  assertRefused(await accept(thirdOffer.id, token, {}, { headers }), 422, 'idempotency_key_reused');
  const { checkout_count } = (await service.db.row<{ checkout_count: number }>(
    sql`select count(*) as checkout_count from checkouts where customer_id = ${customer.id}`,
  ))!;
  assert.equal(checkout_count, 2);
});

test('of two offers that together exceed the limit exactly one is accepted', async () => {
  for (let round = 0; round < 3; round++) {
    const customer = await driver.createCustomer({ limitReais: 150 });
    const token = await createToken(customer);
    const offers = [
      await createOffer(customer.phone),
      await createOffer(customer.phone, {}, { key: otherKey }),
    ];
    const responses = await Promise.all(
      offers.map(({ id }, i) => accept(id, token, {}, { node: pickNode(i) })),
    );
    assert.deepEqual(responses.map(({ status }) => status).toSorted(), [201, 422]);
  }
});

test('an acceptance that races with a decline, a cancellation or the expiry has exactly one outcome', async () => {
  for (let round = 0; round < 4; round++) {
    const customer = await driver.createCustomer();
    const token = await createToken(customer);
    const { id } = await createOffer(customer.phone);
    const [acceptResponse, declineResponse, cancelResponse] = await Promise.all([
      accept(id, token),
      decline(id, token, secondNode),
      cancel(id, MERCHANT_KEY, secondNode),
    ]);
    const isAccepted = acceptResponse!.status === 201;
    const outcomes = [
      ...(isAccepted ? ['accepted'] : []),
      ...(declineResponse!.status === 204 ? ['declined'] : []),
      ...(cancelResponse!.status === 200 ? ['cancelled'] : []),
    ];
    const { status, checkout_hash } = await getOffer(id);
    assert.deepEqual(outcomes, [status]);
    assert.equal(checkout_hash !== null, isAccepted);
  }
  const customer = await driver.createCustomer();
  const { id } = await createOffer(customer.phone);
  service.clock.advance(2 * DAY_MS - 1);
  const token = await createToken(customer);
  const acceptances = Promise.all(Array.from({ length: 4 }, () => accept(id, token)));
  service.clock.advance(1);
  await enqueueTask(service, 'offers_sweep');
  const responses = await acceptances;
  const purchaseCount = responses.filter(({ status }) => status === 201).length;
  const { status } = await eventually('the offer is closed', async () => {
    const offer = await getOffer(id);
    return offer.status !== 'pending' && offer;
  });
  assert.equal(status, purchaseCount === 1 ? 'accepted' : 'expired');
  for (const response of responses.filter(({ status: responseStatus }) => responseStatus !== 201))
    assert.ok(['offer_expired', 'offer_closed'].includes(response.body.code), response.text);
});
