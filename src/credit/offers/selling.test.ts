import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from '#platform/database/db.ts';
import { type Answer, openService } from '../../../test/harness.ts';
import { MERCHANT, openShop } from '../../../test/shop.ts';
import { assertRefused, MERCHANT_KEY, OTHER_MERCHANT, openStall } from '../../../test/stall.ts';

const service = await openService();
const shop = openShop(service);
service.clock.set('2027-03-01T15:00:00.000Z'); // a Monday

const { otherKey } = await openStall(service);

const setPlan = (plan: { rate?: number; max?: number; from?: number; to?: number }) =>
  service.db.run(sql`
    update merchants set weekly_rate_percent = ${plan.rate ?? 0}, max_installments = ${plan.max ?? 12},
      min_amount_cents = ${plan.from ?? 1000}, max_amount_cents = ${plan.to ?? 500000}
    where slug = ${OTHER_MERCHANT}`);
const ask = (amount: unknown, installments: unknown, slug = OTHER_MERCHANT) =>
  service.get(`/public/merchants/${slug}/quote?amount=${amount}&installments=${installments}`);
const quote = (amount: number, installments: number, key = otherKey) =>
  service.post('/merchant/quotes', { amount, installments }, { key });

test('a quote is what the purchase would be: public and at the till the same, and as it is then sold', async () => {
  await setPlan({ rate: 2 });
  const answer = await ask(1000, 4);
  assert.equal(answer.status, 200, answer.text);
  assert.equal(answer.headers.get('cache-control'), 'no-store');
  assert.deepEqual(answer.body, {
    amount: 1000,
    installments: [
      { number: 1, due_on: '2027-03-08', amount: 262.62 },
      { number: 2, due_on: '2027-03-15', amount: 262.62 },
      { number: 3, due_on: '2027-03-22', amount: 262.62 },
      { number: 4, due_on: '2027-03-29', amount: 262.64 },
    ],
    total: 1050.5,
    cost: 50.5,
    // 6 % of each installment, rounded down; of their sum it would be 63.03.
    cashback_if_on_time: 63,
    terms: {
      weekly_rate_percent: 2,
      fine_percent: 2,
      late_interest_percent: 1,
      extension_fee_percent: 5,
      extension_days: 7,
      extension_limit: 2,
      cashback_percent: answer.body.terms.cashback_percent,
      cet_percent_month: 8.99,
      cet_percent_year: 180.85,
    },
  });
  assert.deepEqual((await quote(1000, 4)).body, answer.body);
  const by = await shop.newShopper();
  const { terms, installments } = await shop.sell(by, {
    merchant: OTHER_MERCHANT,
    amount: 1000,
    installments: 4,
    terms: { cashback_percent: undefined },
  });
  const { contract_sha256: _, ...sold } = terms;
  assert.deepEqual(sold, answer.body.terms);
  assert.deepEqual(
    installments.map(({ number, due_on, amount }: Answer['body']) => ({ number, due_on, amount })),
    answer.body.installments,
  );
});

test('the days count from today in São Paulo', async () => {
  await setPlan({});
  const first = async () => (await ask('100.01', 2)).body.installments[0];
  service.clock.set('2027-03-02T02:59:59.999Z');
  assert.deepEqual(await first(), { number: 1, due_on: '2027-03-08', amount: 50.01 });
  service.clock.advance(1);
  assert.equal((await first()).due_on, '2027-03-09');
  service.clock.set('2027-03-01T15:00:00.000Z');
});

test('what was agreed to cost stays: an extension does not change the terms, nor the CET', async () => {
  const by = await shop.newShopper();
  const terms = { weekly_rate_percent: 1.5 };
  const {
    hash,
    terms: agreed,
    installments,
  } = await shop.sell(by, {
    merchant: 'livraria-pagina-virada',
    installments: 3,
    terms,
  });
  assert.ok(agreed.cet_percent_year > 100 && agreed.cet_percent_month > 6);
  await shop.pay(by.id, installments[0].id, 1.72, { purpose: 'extend' });
  const after = await shop.look(hash);
  assert.equal(after.installments[0].extensions, 1);
  assert.deepEqual(after.terms, agreed);
});

test('422 outside of the plan, with its bounds; 404 for a merchant that is not listed', async () => {
  await setPlan({ max: 6, from: 5000, to: 20000 });
  for (const call of [ask, quote]) {
    assert.equal((await call(50, 6)).status, 200);
    assert.equal((await call(200, 1)).status, 200);
    for (const amount of [49.99, 200.01]) {
      const body = assertRefused(await call(amount, 1), 422, 'amount_out_of_range');
      assert.deepEqual([body.min_amount, body.max_amount], [50, 200]);
    }
    const body = assertRefused(await call(100, 7), 422, 'too_many_installments');
    assert.equal(body.max_installments, 6);
  }
  await setPlan({ rate: 7.5 });
  for (const call of [ask, quote]) assertRefused(await call(100, 2), 422, 'terms_unlawful');
  await setPlan({ from: 1, max: 52, rate: 5 });
  for (const call of [ask, quote]) assertRefused(await call(0.3, 52), 422, 'amount_out_of_range');
  assertRefused(await ask(100, 2, 'no-such-shop'), 404, 'not_found');
  await service.db.run(sql`update merchants set listed = false where slug = ${OTHER_MERCHANT}`);
  assertRefused(await ask(100, 2), 404, 'not_found');
  await service.db.run(sql`update merchants set listed = true where slug = ${OTHER_MERCHANT}`);
});

test('400 for what is no amount or no number of installments', async () => {
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
      assertRefused(await ask(amount, installments), 400, 'validation_failed').errors[0].pointer,
      pointer,
    );
  assertRefused(await service.get(`/public/merchants/${OTHER_MERCHANT}/quote`), 400, 'validation_failed');
  assertRefused(await service.post('/merchant/quotes', {}, { key: otherKey }), 400, 'validation_failed');
});

test('the merchant sees its own sales, newest first, with a masked name and nothing else of the customer', async () => {
  const by = await shop.newShopper();
  const mine = await shop.sell(by, { installments: 2, purchased_at: '2027-02-26T15:00:00.000Z' });
  const theirs = await shop.sell(by, { merchant: OTHER_MERCHANT });
  const { body } = await service.get('/merchant/checkouts', { key: MERCHANT_KEY });
  const [first] = body.data;
  const { customer_id: _, customer_name: _name, cost: __, written_off_at: ___, ...shown } = mine;
  const { terms, installments, autopay: _autopay, ...item } = shown;
  assert.deepEqual(first, { ...item, customer: { name: 'Davi T***' }, offer_id: null, by: null });
  const detail = await service.get(`/merchant/checkouts/${mine.hash}`, { key: MERCHANT_KEY });
  assert.deepEqual(detail.body, {
    ...first,
    terms,
    installments: installments.map(
      ({ pix_options: ____, autopay: _debit, ...installment }: Answer['body']) => installment,
    ),
  });
  for (const secret of [by.id, by.phone, 'Teste', '@']) assert.ok(!detail.text.includes(secret), secret);
  assert.ok(body.data.every(({ merchant }: Answer['body']) => merchant.slug === MERCHANT));
  assertRefused(
    await service.get(`/merchant/checkouts/${theirs.hash}`, { key: MERCHANT_KEY }),
    404,
    'not_found',
  );
  assertRefused(await service.get(`/merchant/checkouts/${mine.hash}`, { key: otherKey }), 404, 'not_found');
  assertRefused(
    await service.get(`/merchant/checkouts/${'0'.repeat(22)}`, { key: MERCHANT_KEY }),
    404,
    'not_found',
  );
  assertRefused(await service.get('/merchant/checkouts'), 403, 'scope_missing');
});

test('sales by status and by days of São Paulo, in pages', async () => {
  service.clock.set('2027-05-03T15:00:00.000Z');
  const sell = async (purchased_at: string) =>
    (await shop.sell(await shop.newShopper(), { merchant: OTHER_MERCHANT, purchased_at })).hash as string;
  const monday = await sell('2027-04-19T03:00:00.000Z');
  const sunday = await sell('2027-05-03T02:59:59.000Z');
  const today = await sell('2027-05-03T03:00:00.000Z');
  const hashes = async (query: string) => {
    const answer = await service.get(`/merchant/checkouts?${query}`, { key: otherKey });
    assert.equal(answer.status, 200, answer.text);
    return answer.body.data.map(({ hash }: Answer['body']) => hash);
  };
  assert.deepEqual(await hashes('from=2027-05-03'), [today]);
  assert.deepEqual(await hashes('from=2027-05-02&to=2027-05-02'), [sunday]);
  assert.deepEqual(await hashes('from=2027-04-19&to=2027-04-19'), [monday]);
  assert.deepEqual(await hashes('from=2027-04-01&limit=2'), [today, sunday]);
  assert.deepEqual(await hashes('from=2027-04-01&limit=2&page=2'), [monday]);
  assert.deepEqual(await hashes('from=9999-12-31'), []);
  assert.ok((await hashes('from=0000-01-01&to=9999-12-31&limit=100')).length >= 3);
  assert.deepEqual(await hashes('from=2027-04-01&status=overdue'), [monday]);
  assert.deepEqual(await hashes('from=2027-04-01&status=open'), [today, sunday]);
  assert.deepEqual(await hashes('from=2027-04-01&status=paid'), []);
  const linked = await service.get('/merchant/checkouts?from=2027-04-01&limit=1', { key: otherKey });
  assert.match(linked.headers.get('link')!, /from=2027-04-01&page=2>; rel="next"/);
  for (const query of ['from=2027-02-30', 'to=yesterday', 'status=late', 'limit=101'])
    assertRefused(
      await service.get(`/merchant/checkouts?${query}`, { key: otherKey }),
      400,
      'validation_failed',
    );
});
