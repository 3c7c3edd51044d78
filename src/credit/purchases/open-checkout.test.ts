import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findCustomerId } from '#customers';
import { sql } from '#platform/database/db.ts';
import { type ApiResponse, openService } from '../../../test/harness.ts';
import { CARLA, createPurchaseDriver, MERCHANT, OPERATOR_KEY } from '../../../test/purchase-driver.ts';

type Body = ApiResponse['body'];

const service = await openService();
const driver = createPurchaseDriver(service);
service.clock.set('2027-03-01T15:00:00.000Z'); // a Monday
const carla = { id: (await findCustomerId(service.db, CARLA.phone))! };
const RESTRICT_VIOLATION = '23001';

const countRows = async () =>
  service.db.row(sql`
    select (select count(*) from checkouts) as checkouts, (select count(*) from installments) as installments,
           (select count(*) from ledger_postings) as postings, (select count(*) from events) as events`);

/** Asserts the problem, and that nothing was written. */
async function assertRefused(request: Promise<ApiResponse>, status: number, code: string): Promise<Body> {
  const countsBefore = await countRows();
  const { status: receivedStatus, body, text } = await request;
  assert.equal(`${receivedStatus} ${body?.code}`, `${status} ${code}`, text);
  assert.deepEqual(await countRows(), countsBefore);
  return body;
}

test('201: the whole purchase and its cost, with the extra centavos on the first installments', async () => {
  const customer = await driver.createCustomer();
  const terms = { cashback_percent: undefined };
  const response = await driver.requestCheckout(customer, {
    installments: 3,
    description: '  Bolo  ',
    terms,
  });
  assert.equal(response.status, 201);
  const { hash, installments, ...body } = response.body;
  assert.match(hash, /^[0-9A-Za-z]{22}$/);
  assert.equal(response.headers.get('location'), `/admin/checkouts/${hash}`);
  assert.deepEqual(body, {
    customer_id: customer.id,
    customer_name: 'Davi Teste',
    status: 'open',
    merchant: {
      slug: MERCHANT,
      name: 'Padaria Flor do Trigo',
      logo_url: `${service.partnerUrl}/media/logos/${MERCHANT}.svg`,
    },
    description: 'Bolo',
    purchased_at: '2027-03-01T15:00:00.000Z',
    amounts: { financed: 100, paid: 0, returned: 0, outstanding: 100, penalties: 0, total_due: 100 },
    installments_total: 3,
    installments_paid: 0,
    next_due_on: '2027-03-08',
    returned_at: null,
    written_off_at: null,
    autopay: null,
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
      contract_sha256: null,
    },
    cost: { financed: 100, interest: 0, total: 100 },
  });
  assert.deepEqual(
    installments.map(({ number, due_on, amount, status }: Body) => [number, due_on, amount, status]),
    [
      [1, '2027-03-08', 33.34, 'open'],
      [2, '2027-03-15', 33.33, 'open'],
      [3, '2027-03-22', 33.33, 'open'],
    ],
  );
  const paymentFields = { receipts: [], returns: [] };
  assert.deepEqual(
    await driver.getCheckout(hash),
    { ...response.body, ...paymentFields },
    'a later read returns the same checkout',
  );
  assert.deepEqual(await driver.readBalances(customer.id), { merchant_payable: -10_000, receivable: 10_000 });
  assert.deepEqual(await driver.listEvents(customer.id), [
    {
      type: 'checkout.created',
      sequence: 1,
      data: {
        checkout_hash: hash,
        offer_id: null,
        reference: null,
        merchant: MERCHANT,
        purchased_at: '2027-03-01T15:00:00.000Z',
        financed: 100,
        total: 100,
        installments: 3,
        first_due_on: '2027-03-08',
      },
    },
  ]);
});

test('a weekly rate uses the Price table: R$ 1000.00 in 4 installments at 2 % per week', async () => {
  const customer = await driver.createCustomer();
  const terms = { weekly_rate_percent: 2 };
  const {
    installments,
    cost,
    amounts,
    terms: agreedTerms,
  } = await driver.sell(customer, { amount: 1000, installments: 4, terms });
  // 1000 × 0.02 × 1.02⁴ / (1.02⁴ − 1) = 262.6237…; four installments are 1050.495…, so the last takes the rounding.
  assert.deepEqual(
    installments.map(({ amount }: Body) => amount),
    [262.62, 262.62, 262.62, 262.64],
  );
  // ln 1.02 = 0.01980263: a year is e^(0.01980263 × 365/7) = e^1.0325656 = 2.8083, and half a centavo more makes it 2.8085.
  assert.deepEqual([agreedTerms.cet_percent_month, agreedTerms.cet_percent_year], [8.99, 180.85]);
  assert.deepEqual(cost, { financed: 1000, interest: 50.5, total: 1050.5 });
  assert.equal(amounts.outstanding, 1050.5, 'what is owed includes the interest');
  assert.deepEqual(await driver.readBalances(customer.id), {
    finance_income: -5_050,
    merchant_payable: -100_000,
    receivable: 105_050,
  });
});

test('dry_run: the same response without ids, and nothing is written', async () => {
  const customer = await driver.createCustomer();
  const countsBefore = await countRows();
  const dryRun = await driver.requestCheckout(customer, { amount: 99.9, installments: 2, dry_run: true });
  assert.equal(dryRun.status, 200);
  assert.deepEqual(await countRows(), countsBefore);
  const checkout = await driver.sell(customer, { amount: 99.9, installments: 2 });
  const checkoutWithoutIds = {
    ...checkout,
    hash: null,
    installments: checkout.installments.map((installment: Body) => ({ ...installment, id: null })),
  };
  assert.deepEqual(dryRun.body, checkoutWithoutIds);
});

test('the customer can be given by id or by phone', async () => {
  for (const customer of [carla.id, CARLA.phone])
    assert.equal((await driver.sell(CARLA, { customer })).customer_id, carla.id);
});

test('400 validation_failed lists all errors together', async () => {
  const body = await assertRefused(
    driver.requestCheckout(
      { phone: '+5511987659999' },
      {
        merchant: 'no-such-shop',
        amount: 10,
        purchased_at: '2027-03-01T15:00:00.001Z',
        terms: { fine_percent: 2.5, extension_days: 0, cashback_percent: 101, weekly_rate_percent: 0.00001 },
      },
    ),
    400,
    'validation_failed',
  );
  assert.deepEqual(body.errors.map((error: { pointer: string }) => error.pointer).sort(), [
    '/customer',
    '/merchant',
    '/purchased_at',
    '/terms/cashback_percent',
    '/terms/extension_days',
    '/terms/fine_percent',
    '/terms/weekly_rate_percent',
  ]);
});

test('400 for values of a wrong type or out of range', async () => {
  const customer = await driver.createCustomer();
  for (const [invalidInput, pointer] of [
    [{ amount: '100' }, '/amount'],
    [{ amount: 0 }, '/amount'],
    [{ amount: -5 }, '/amount'],
    [{ amount: 1e300 }, '/amount'],
    [{ amount: 0.02, installments: 3 }, '/amount'],
    [{ installments: 0 }, '/installments'],
    [{ installments: 53 }, '/installments'],
    [{ installments: 1.5 }, '/installments'],
    [{ description: ' ' }, '/description'],
    [{ terms: { interest: 1 } }, '/terms/interest'],
    [{ purchased_at: 'yesterday' }, '/purchased_at'],
    [{ purchased_at: '2016-12-31T23:59:60Z' }, '/purchased_at'],
    [{ surprise: 1 }, '/surprise'],
    [{ dry_run: 'yes' }, '/dry_run'],
    [{ customer: 'a\0b' }, '/customer'],
  ] as const) {
    const body = await assertRefused(
      driver.requestCheckout(customer, invalidInput),
      400,
      'validation_failed',
    );
    assert.equal(body.errors[0].pointer, pointer, JSON.stringify(invalidInput));
  }
});

test('422 terms_unlawful: a fine above 2 % and late interest above 1 % per month, each with its legal rule', async () => {
  const customer = await driver.createCustomer();
  const terms = { fine_percent: 2.0001, late_interest_percent: 1.5 };
  const body = await assertRefused(driver.requestCheckout(customer, { terms }), 422, 'terms_unlawful');
  assert.deepEqual(body.errors, [
    {
      pointer: '/terms/fine_percent',
      message: 'fine_percent is at most 2 % of the installment (CDC art. 52 §1)',
    },
    {
      pointer: '/terms/late_interest_percent',
      message: 'late_interest_percent is at most 1 % a month (STJ Súmula 379)',
    },
  ]);
  await driver.sell(customer, { terms: { fine_percent: 2, late_interest_percent: 1 } });
});

test('422 terms_unlawful: an extension fee above 10 %, or a weekly rate above MAX_WEEKLY_RATE, requested or of the plan', async () => {
  const customer = await driver.createCustomer();
  const terms = { extension_fee_percent: 10.01, weekly_rate_percent: 5.01 };
  const body = await assertRefused(driver.requestCheckout(customer, { terms }), 422, 'terms_unlawful');
  assert.deepEqual(
    body.errors.map(({ pointer }: { pointer: string }) => pointer),
    ['/terms/weekly_rate_percent', '/terms/extension_fee_percent'],
  );
  await driver.sell(customer, { terms: { extension_fee_percent: 10, weekly_rate_percent: 5 } });
  await service.db.run(sql`update merchants set weekly_rate_percent = 6 where slug = 'otica-lume'`);
  await assertRefused(driver.requestCheckout(customer, { merchant: 'otica-lume' }), 422, 'terms_unlawful');
});

test('rate, cashback, fee and payout days of the merchant’s plan are stored with the purchase and never change', async () => {
  const customer = await driver.createCustomer();
  await service.db.run(sql`
    update merchants set weekly_rate_percent = 1.5, cashback_percent = 3, merchant_fee_percent = 4.25, payout_days = 5
    where slug = 'otica-lume'`);
  const checkoutInput = { merchant: 'otica-lume', terms: { cashback_percent: undefined } };
  const { hash, terms } = await driver.sell(customer, checkoutInput);
  assert.deepEqual([terms.weekly_rate_percent, terms.cashback_percent], [1.5, 3]);
  await service.db.run(sql`update merchants set merchant_fee_percent = 9 where slug = 'otica-lume'`);
  const row = await service.db.row(sql`
    select merchant_fee_ppm, payout_days from checkouts where customer_id = ${customer.id} and hash = ${hash}`);
  assert.deepEqual(row, { merchant_fee_ppm: 42_500, payout_days: 5 });
  const change = sql`update checkouts set payout_days = 1 where customer_id = ${customer.id}`;
  await assert.rejects(service.db.run(change), /append-only|never change/);
});

test('400 for a merchant that is no longer listed', async () => {
  const customer = await driver.createCustomer();
  await service.db.run(sql`update merchants set listed = false where slug = 'otica-lume'`);
  const body = await assertRefused(
    driver.requestCheckout(customer, { merchant: 'otica-lume' }),
    400,
    'validation_failed',
  );
  assert.deepEqual(body.errors, [{ pointer: '/merchant', message: 'no listed merchant has this slug' }]);
});

test('409 customer_locked: a locked customer cannot buy', async () => {
  const customer = await driver.createCustomer();
  await service.db.run(sql`update customers set locked_at = now() where id = ${customer.id}`);
  await assertRefused(driver.requestCheckout(customer), 409, 'customer_locked');
});

test('409 customer_overdue: from the day after the effective due day until the installment is paid', async () => {
  const customer = await driver.createCustomer();
  const { installments } = await driver.sell(customer, { purchased_at: '2027-02-19T15:00:00Z' }); // due on Friday the 26th
  service.clock.set('2027-02-27T02:59:59.999Z'); // 23:59:59 in São Paulo
  await driver.sell(customer, { amount: 10 });
  service.clock.set('2027-02-27T03:00:00.000Z');
  await assertRefused(driver.requestCheckout(customer, { amount: 10 }), 409, 'customer_overdue');
  await assertRefused(
    driver.requestCheckout(customer, { amount: 10, dry_run: true }),
    409,
    'customer_overdue',
  );
  service.clock.set('2027-03-01T15:00:00.000Z');
  await driver.pay(customer.id, installments[0].id, 102.1); // 3 days late: fine 2.00, interest 0.10
  await driver.sell(customer, { amount: 10 });
});

test('422 credit_limit_exceeded: the total with interest must not exceed the available limit by a centavo', async () => {
  const customer = await driver.createCustomer({ limitReais: 300 });
  await driver.sell(customer, { amount: 199.99 });
  const body = await assertRefused(
    driver.requestCheckout(customer, { amount: 100.02 }),
    422,
    'credit_limit_exceeded',
  );
  assert.deepEqual(
    { limit: body.limit, used: body.used, available: body.available, total: body.total },
    { limit: 300, used: 199.99, available: 100.01, total: 100.02 },
  );
  const terms = { weekly_rate_percent: 1 };
  // With interest the total is 101.00.
  await assertRefused(driver.requestCheckout(customer, { amount: 100, terms }), 422, 'credit_limit_exceeded');
  const lastCheckout = await driver.sell(customer, { amount: 100.01 });
  const { credit } = (await driver.getAsCustomer(customer, '/wallet/me')).body;
  assert.deepEqual(credit, { limit: 300, used: 300, available: 0, blocked_by: null });
  await driver.pay(customer.id, lastCheckout.installments[0].id, 60);
  assert.deepEqual((await driver.getAsCustomer(customer, '/wallet/me')).body.credit, {
    limit: 300,
    used: 240,
    available: 60,
    blocked_by: null,
  });
  await driver.sell(customer, { amount: 60 });
});

test('concurrent purchases on two nodes succeed only up to the credit limit', async () => {
  const customer = await driver.createCustomer({ limitReais: 250 });
  const secondNode = await service.startNode();
  const body = { customer: customer.id, merchant: MERCHANT, amount: 100, installments: 2 };
  const responses = await Promise.all(
    Array.from({ length: 12 }, (_, i) =>
      (i % 2 ? service : secondNode).staff('POST', '/admin/checkouts', { key: OPERATOR_KEY, body }),
    ),
  );
  await secondNode.stop();
  assert.deepEqual(responses.map(({ status }) => status).sort(), [201, 201, ...Array(10).fill(422)]);
  assert.equal((await driver.getAsCustomer(customer, '/wallet/me')).body.credit.used, 200);
});

test('Idempotency-Key: repeating it returns the same response and creates one purchase; another body is rejected', async () => {
  const customer = await driver.createCustomer();
  const options = { headers: { 'idempotency-key': 'order-1' } };
  const firstResponse = await driver.requestCheckout(customer, { installments: 4 }, options);
  const secondResponse = await driver.requestCheckout(customer, { installments: 4 }, options);
  assert.equal(firstResponse.status, 201);
  assert.equal(secondResponse.status, 201);
  assert.equal(firstResponse.headers.get('idempotency-replayed'), null);
  assert.equal(secondResponse.headers.get('idempotency-replayed'), 'true');
  assert.equal(secondResponse.headers.get('location'), firstResponse.headers.get('location'));
  assert.deepEqual(secondResponse.body, firstResponse.body);
  await assertRefused(
    driver.requestCheckout(customer, { installments: 5 }, options),
    422,
    'idempotency_key_reused',
  );
  const concurrentOptions = { headers: { 'idempotency-key': 'order-2' } };
  const responses = await Promise.all(
    Array.from({ length: 6 }, () => driver.requestCheckout(customer, {}, concurrentOptions)),
  );
  assert.ok(responses.every(({ status }) => status === 201 || status === 409));
  const hashes = responses.filter(({ status }) => status === 201).map(({ body }) => body.hash);
  assert.equal(new Set(hashes).size, 1);
  assert.equal((await driver.getAsCustomer(customer, '/wallet/checkouts')).body.pagination.total, 2);
});

test('an error is not stored under the key: the same request succeeds once its reason is resolved', async () => {
  const customer = await driver.createCustomer({ limitReais: 50 });
  const options = { headers: { 'idempotency-key': 'order-3' } };
  assert.equal((await driver.requestCheckout(customer, {}, options)).status, 422);
  await service.db.run(sql`update customers set credit_limit_cents = 10000 where id = ${customer.id}`);
  assert.equal((await driver.requestCheckout(customer, {}, options)).status, 201);
});

test('purchased_at sets the purchase day and all due days, in São Paulo', async () => {
  const customer = await driver.createCustomer();
  const { next_due_on, purchased_at } = await driver.sell(customer, { purchased_at: '2027-02-25T02:30:00Z' });
  assert.equal(next_due_on, '2027-03-03', 'a week after the 24th, when it is 23:30 in São Paulo');
  assert.equal(purchased_at, '2027-02-25T02:30:00.000Z');
});

test('the database rejects changes to agreed columns', async () => {
  for (const statement of [
    sql`update checkouts set fine_ppm = 0`,
    sql`update checkouts set financed_cents = 1`,
    sql`update installments set amount_cents = 1`,
    sql`update installments set agreed_due_on = '2099-01-01'`,
    sql`delete from installments`,
    sql`truncate checkouts cascade`,
  ]) {
    await assert.rejects(service.db.run(statement), { code: RESTRICT_VIOLATION }, statement.text);
  }
});

test('GET /admin/checkouts/:hash needs an operator key, and returns 404 for an unknown hash', async () => {
  const { hash } = await driver.sell(await driver.createCustomer());
  assert.equal((await service.staff('GET', `/admin/checkouts/${hash}`)).status, 403);
  for (const unknownHash of ['0'.repeat(22), 'short', '%00', `${hash}x`]) {
    const response = await service.staff('GET', `/admin/checkouts/${unknownHash}`, { key: OPERATOR_KEY });
    assert.equal(`${response.status} ${response.body.code}`, '404 not_found', unknownHash);
  }
});
