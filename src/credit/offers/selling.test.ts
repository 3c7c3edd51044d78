import assert from 'node:assert/strict';
import { rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { sql } from '#platform/database/db.ts';
import { omit } from '#platform/omit.ts';
import { runCli } from '../../../test/commands.ts';
import { type ApiResponse, openService } from '../../../test/harness.ts';
import { createOfferDriver, MERCHANT_KEY, OTHER_MERCHANT } from '../../../test/offer-driver.ts';
import { createPurchaseDriver, MERCHANT, OPERATOR_KEY } from '../../../test/purchase-driver.ts';
import { assertRefused } from '../../../test/support/customers.ts';

const service = await openService();
const driver = createPurchaseDriver(service);
service.clock.set('2027-03-01T15:00:00.000Z'); // a Monday

const { otherKey } = await createOfferDriver(service);
const UNKNOWN_HASH = '0'.repeat(22);

type Plan = { ratePercent?: number; maxInstallments?: number; minCents?: number; maxCents?: number };
/** Sets the plan of the other merchant. By default it has no interest. */
const setPlan = (plan: Plan) =>
  service.db.run(sql`
    update merchants set weekly_rate_percent = ${plan.ratePercent ?? 0}, max_installments = ${plan.maxInstallments ?? 12},
      min_amount_cents = ${plan.minCents ?? 1000}, max_amount_cents = ${plan.maxCents ?? 500000}
    where slug = ${OTHER_MERCHANT}`);
const getPublicQuote = (amount: unknown, installments: unknown, slug = OTHER_MERCHANT) =>
  service.get(`/public/merchants/${slug}/quote?amount=${amount}&installments=${installments}`);
const getQuote = (amount: number, installments: number, key = otherKey) =>
  service.post('/merchant/quotes', { amount, installments }, { key });

test('the public quote, the quote at the till and the purchase have the same schedule and terms', async () => {
  await setPlan({ ratePercent: 2 });
  const response = await getPublicQuote(1000, 4);
  assert.equal(response.status, 200, response.text);
  assert.equal(response.headers.get('cache-control'), 'no-store');
  assert.deepEqual(response.body, {
    amount: 1000,
    installments: [
      { number: 1, due_on: '2027-03-08', amount: 262.62 },
      { number: 2, due_on: '2027-03-15', amount: 262.62 },
      { number: 3, due_on: '2027-03-22', amount: 262.62 },
      { number: 4, due_on: '2027-03-29', amount: 262.64 },
    ],
    total: 1050.5,
    cost: 50.5,
    // 6 % of each installment, rounded down; 6 % of their sum would be 63.03.
    cashback_if_on_time: 63,
    terms: {
      weekly_rate_percent: 2,
      fine_percent: 2,
      late_interest_percent: 1,
      extension_fee_percent: 5,
      extension_days: 7,
      extension_limit: 2,
      cashback_percent: response.body.terms.cashback_percent,
      cet_percent_month: 8.99,
      cet_percent_year: 180.85,
    },
  });
  assert.deepEqual((await getQuote(1000, 4)).body, response.body);
  const customer = await driver.createCustomer();
  const { terms, installments } = await driver.sell(customer, {
    merchant: OTHER_MERCHANT,
    amount: 1000,
    installments: 4,
    terms: { cashback_percent: undefined },
  });
  const { contract_sha256: _, ...agreedTerms } = terms;
  assert.deepEqual(agreedTerms, response.body.terms);
  assert.deepEqual(
    installments.map(({ number, due_on, amount }: ApiResponse['body']) => ({ number, due_on, amount })),
    response.body.installments,
  );
});

test('due days count from today in São Paulo', async () => {
  await setPlan({});
  const getFirstInstallment = async () => (await getPublicQuote('100.01', 2)).body.installments[0];
  service.clock.set('2027-03-02T02:59:59.999Z'); // a millisecond before midnight in São Paulo
  assert.deepEqual(await getFirstInstallment(), { number: 1, due_on: '2027-03-08', amount: 50.01 });
  service.clock.advance(1);
  assert.equal((await getFirstInstallment()).due_on, '2027-03-09');
  service.clock.set('2027-03-01T15:00:00.000Z');
});

test('an extension changes neither the terms nor the CET', async () => {
  const customer = await driver.createCustomer();
  const terms = { weekly_rate_percent: 1.5 };
  const {
    hash,
    terms: agreedTerms,
    installments,
  } = await driver.sell(customer, {
    merchant: 'livraria-pagina-virada',
    installments: 3,
    terms,
  });
  assert.ok(agreedTerms.cet_percent_year > 100 && agreedTerms.cet_percent_month > 6);
  // The fee is 5 % of the first installment, 34.34.
  await driver.pay(customer.id, installments[0].id, 1.72, { purpose: 'extend' });
  const checkoutAfter = await driver.getCheckout(hash);
  assert.equal(checkoutAfter.installments[0].extensions, 1);
  assert.deepEqual(checkoutAfter.terms, agreedTerms);
});

test('422 with the limits for a quote outside the limits of the plan; 404 for a merchant that is not listed', async () => {
  await setPlan({ maxInstallments: 6, minCents: 5000, maxCents: 20000 });
  for (const call of [getPublicQuote, getQuote]) {
    assert.equal((await call(50, 6)).status, 200);
    assert.equal((await call(200, 1)).status, 200);
    for (const amount of [49.99, 200.01]) {
      const body = assertRefused(await call(amount, 1), 422, 'amount_out_of_range');
      assert.deepEqual([body.min_amount, body.max_amount], [50, 200]);
    }
    const body = assertRefused(await call(100, 7), 422, 'too_many_installments');
    assert.equal(body.max_installments, 6);
  }
  await setPlan({ ratePercent: 7.5 });
  for (const call of [getPublicQuote, getQuote]) assertRefused(await call(100, 2), 422, 'terms_unlawful');
  await setPlan({ minCents: 1, maxInstallments: 52, ratePercent: 5 });
  for (const call of [getPublicQuote, getQuote])
    assertRefused(await call(0.3, 52), 422, 'amount_out_of_range');
  assertRefused(await getPublicQuote(100, 2, 'no-such-merchant'), 404, 'not_found');
  await service.db.run(sql`update merchants set listed = false where slug = ${OTHER_MERCHANT}`);
  assertRefused(await getPublicQuote(100, 2), 404, 'not_found');
  await service.db.run(sql`update merchants set listed = true where slug = ${OTHER_MERCHANT}`);
});

test('400 for an invalid amount or number of installments', async () => {
  for (const [amount, installments, pointer] of [
    ['10.005', 1, '/amount'],
    ['1e2', 1, '/amount'],
    ['0', 1, '/amount'],
    ['-5', 1, '/amount'],
    ['', 1, '/amount'],
    ['R$10', 1, '/amount'],
    [100, '0', '/installments'],
    [100, '53', '/installments'],
    [100, '1.5', '/installments'],
  ] as const)
    assert.equal(
      assertRefused(await getPublicQuote(amount, installments), 400, 'validation_failed').errors[0].pointer,
      pointer,
    );
  assertRefused(await service.get(`/public/merchants/${OTHER_MERCHANT}/quote`), 400, 'validation_failed');
  assertRefused(await service.post('/merchant/quotes', {}, { key: otherKey }), 400, 'validation_failed');
});

test('a quote for all numbers of installments contains the quote for each number that the plan allows', async () => {
  await setPlan({ ratePercent: 2, maxInstallments: 4 });
  const allResponse = await service.post(
    '/merchant/quotes',
    { amount: 1000, installments: 'all' },
    { key: otherKey },
  );
  assert.equal(allResponse.status, 200, allResponse.text);
  const singleQuotes = await Promise.all([1, 2, 3, 4].map((installments) => getQuote(1000, installments)));
  assert.deepEqual(
    allResponse.body.data,
    singleQuotes.map(({ body }) => body),
  );
  await setPlan({ minCents: 1 });
  const tinyResponse = await service.post(
    '/merchant/quotes',
    { amount: 0.02, installments: 'all' },
    { key: otherKey },
  );
  assert.deepEqual(
    tinyResponse.body.data.map(({ installments }: { installments: unknown[] }) => installments.length),
    [1, 2],
    'no installment of less than a centavo',
  );
  await setPlan({});
  const excessResponse = await service.post(
    '/merchant/quotes',
    { amount: 9999, installments: 'all' },
    { key: otherKey },
  );
  assertRefused(excessResponse, 422, 'amount_out_of_range');
  for (const installments of ['every', 0, 53, 1.5]) {
    const refusal = await service.post('/merchant/quotes', { amount: 100, installments }, { key: otherKey });
    const { errors } = assertRefused(refusal, 400, 'validation_failed');
    assert.deepEqual([errors[0].pointer, errors.length], ['/installments', 1], refusal.text);
  }
});

test('a merchant sees its own sales, newest first, with the masked name and no other data of the customer', async () => {
  const customer = await driver.createCustomer();
  const ownSale = await driver.sell(customer, { installments: 2, purchased_at: '2027-02-26T15:00:00.000Z' });
  const otherSale = await driver.sell(customer, { merchant: OTHER_MERCHANT });
  const { body } = await service.get('/merchant/checkouts', { key: MERCHANT_KEY });
  const [sale] = body.data;
  const { terms, installments, ...item } = omit(
    ownSale,
    'customer_id',
    'customer_name',
    'cost',
    'written_off_at',
    'autopay',
  );
  assert.deepEqual(sale, {
    ...item,
    customer: { name: 'Davi T***' },
    offer_id: null,
    metadata: {},
    by: null,
  });
  const detailResponse = await service.get(`/merchant/checkouts/${ownSale.hash}`, { key: MERCHANT_KEY });
  assert.deepEqual(detailResponse.body, {
    ...sale,
    terms,
    installments: installments.map((installment: ApiResponse['body']) =>
      omit(installment, 'pix_options', 'autopay'),
    ),
  });
  for (const secret of [customer.id, customer.phone, 'Teste', '@'])
    assert.ok(!detailResponse.text.includes(secret), secret);
  assert.ok(body.data.every(({ merchant }: ApiResponse['body']) => merchant.slug === MERCHANT));
  assertRefused(
    await service.get(`/merchant/checkouts/${otherSale.hash}`, { key: MERCHANT_KEY }),
    404,
    'not_found',
  );
  assertRefused(
    await service.get(`/merchant/checkouts/${ownSale.hash}`, { key: otherKey }),
    404,
    'not_found',
  );
  assertRefused(
    await service.get(`/merchant/checkouts/${UNKNOWN_HASH}`, { key: MERCHANT_KEY }),
    404,
    'not_found',
  );
  assertRefused(await service.get('/merchant/checkouts'), 403, 'scope_missing');
});

test('sales can be filtered by status and by São Paulo days, in pages', async () => {
  service.clock.set('2027-05-03T15:00:00.000Z');
  const sell = async (purchased_at: string) =>
    (await driver.sell(await driver.createCustomer(), { merchant: OTHER_MERCHANT, purchased_at }))
      .hash as string;
  const mondaySale = await sell('2027-04-19T03:00:00.000Z'); // 00:00 in São Paulo
  const sundaySale = await sell('2027-05-03T02:59:59.000Z'); // 23:59:59 of the 2nd in São Paulo
  const todaySale = await sell('2027-05-03T03:00:00.000Z');
  const listHashes = async (query: string) => {
    const response = await service.get(`/merchant/checkouts?${query}`, { key: otherKey });
    assert.equal(response.status, 200, response.text);
    return response.body.data.map(({ hash }: ApiResponse['body']) => hash);
  };
  assert.deepEqual(await listHashes('from=2027-05-03'), [todaySale]);
  assert.deepEqual(await listHashes('from=2027-05-02&to=2027-05-02'), [sundaySale]);
  assert.deepEqual(await listHashes('from=2027-04-19&to=2027-04-19'), [mondaySale]);
  assert.deepEqual(await listHashes('from=2027-04-01&limit=2'), [todaySale, sundaySale]);
  assert.deepEqual(await listHashes('from=2027-04-01&limit=2&page=2'), [mondaySale]);
  assert.deepEqual(await listHashes('from=9999-12-31'), []);
  assert.ok((await listHashes('from=0000-01-01&to=9999-12-31&limit=100')).length >= 3);
  assert.deepEqual(await listHashes('from=2027-04-01&status=overdue'), [mondaySale]);
  assert.deepEqual(await listHashes('from=2027-04-01&status=open'), [todaySale, sundaySale]);
  assert.deepEqual(await listHashes('from=2027-04-01&status=paid'), []);
  const pageResponse = await service.get('/merchant/checkouts?from=2027-04-01&limit=1', { key: otherKey });
  assert.match(pageResponse.headers.get('link')!, /from=2027-04-01&page=2>; rel="next"/);
  for (const query of ['from=2027-02-30', 'to=yesterday', 'status=late', 'limit=101'])
    assertRefused(
      await service.get(`/merchant/checkouts?${query}`, { key: otherKey }),
      400,
      'validation_failed',
    );
});

test('a plan above MAX_WEEKLY_RATE is refused, by a change and by an import', async () => {
  const setRate = (weekly_rate_percent: number) =>
    service.staff('PATCH', `/admin/merchants/${MERCHANT}`, {
      key: OPERATOR_KEY,
      body: { plan: { weekly_rate_percent } },
    });
  const refusal = assertRefused(await setRate(5.01), 400, 'validation_failed');
  assert.deepEqual(
    refusal.errors.map(({ pointer }: { pointer: string }) => pointer),
    ['/plan/weekly_rate_percent'],
  );
  assert.equal((await setRate(5)).status, 200);
  const file = join(tmpdir(), `merchants-${process.pid}.csv`);
  await writeFile(file, `slug,weekly_rate_percent\n${MERCHANT},5.01\n`);
  const { code, stderr } = await runCli(['import', 'merchants', file], {
    DATABASE_URL: service.databaseUrl,
  });
  assert.equal(code, 1);
  await rm(file);
  assert.match(stderr, /weekly_rate_percent: must be at most 5/);
  assert.equal((await setRate(0)).status, 200);
});
