import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Value } from 'typebox/value';
import { addDays, day, saoPauloDay } from '#core/values/day.ts';
import { type Queryable, type Statement, sql } from '#platform/database/db.ts';
import { type QueuedStatement, toSingleStatement } from '#platform/database/pipeline.ts';
import { buildListQuery } from '#platform/http/list.ts';
import { queryListPage } from '#platform/http/list-query.ts';
import { omit } from '#platform/omit.ts';
import { isOnCitus } from '../../../test/citus/database.ts';
import { eventually, openService } from '../../../test/harness.ts';
import { ANA, createPurchaseDriver } from '../../../test/purchase-driver.ts';
import { query } from '../../../test/query.ts';
import { checkoutList } from '../staff/staff-store.ts';
import { findCheckoutRecord, listCheckouts } from './reading-store.ts';
import { findInstallment } from './store.ts';

const service = await openService();
const driver = createPurchaseDriver(service);

type Item = { hash: string; status: string; amounts: Record<string, number> };
type DueItem = { status: string; due_on: string };

test('Ana has an open, an overdue and a paid purchase, newest first, and ?status= filters them', async () => {
  const { body } = await driver.getAsCustomer(ANA, '/wallet/checkouts');
  assert.deepEqual(
    body.data.map(({ status }: Item) => status),
    ['open', 'overdue', 'paid'],
  );
  assert.deepEqual(body.pagination, { page: 1, limit: 20, total: 3, pages: 1 });
  for (const item of body.data) {
    const { body: filteredPage } = await driver.getAsCustomer(ANA, `/wallet/checkouts?status=${item.status}`);
    assert.deepEqual(filteredPage.data, [item]);
    assert.equal(filteredPage.pagination.total, 1);
  }
  const [openItem, overdueItem, paidItem] = body.data;
  const zeroAmounts = { returned: 0, penalties: 0 };
  assert.deepEqual(openItem.amounts, {
    ...zeroAmounts,
    financed: 250,
    paid: 0,
    outstanding: 250,
    total_due: 250,
  });
  assert.deepEqual(paidItem.amounts, {
    ...zeroAmounts,
    financed: 120,
    paid: 120,
    outstanding: 0,
    total_due: 0,
  });
  const { penalties } = overdueItem.amounts;
  // 50.00 are late: fine 1.00, interest 50.00 × 1 % / 30 a day, for two to six days as weekends and holidays fall, and one more
  // if it is midnight.
  assert.ok([1.03, 1.05, 1.07, 1.08, 1.1, 1.11].includes(penalties), `${penalties}`);
  assert.equal(overdueItem.amounts.total_due, 200 + penalties);
  assert.equal((await driver.getAsCustomer(ANA, '/wallet/me')).body.credit.used, 450);
});

test('the overview equals its parts: credit, cashback, offers, purchases, and the installments due within a week', async () => {
  const [home, me, cashback, offers, checkouts] = await Promise.all(
    [
      '/wallet/home',
      '/wallet/me',
      '/wallet/cashback/balance',
      '/wallet/offers?status=pending&limit=3',
      '/wallet/checkouts?limit=10',
    ].map(async (path) => (await driver.getAsCustomer(ANA, path)).body),
  );
  assert.deepEqual(home.credit, me.credit);
  assert.deepEqual(home.cashback, { available: cashback.available, pending: cashback.pending });
  assert.deepEqual(home.offers, offers.data);
  assert.deepEqual(home.checkouts, checkouts);
  const unpaidItems: Item[] = checkouts.data.filter(({ status }: Item) => status !== 'paid');
  assert.deepEqual([home.due.more_checkouts, home.due.unpaid_checkouts], [0, unpaidItems.length]);
  const until = addDays(saoPauloDay(service.clock.now().getTime()), 7);
  const details = await Promise.all(
    unpaidItems.map(async ({ hash }) => (await driver.getAsCustomer(ANA, `/wallet/checkouts/${hash}`)).body),
  );
  details.sort((a, b) => a.next_due_on.localeCompare(b.next_due_on));
  const dueItems = details.flatMap(({ hash, merchant, autopay, installments }) =>
    installments
      .filter(({ status, due_on }: DueItem) => status === 'overdue' || (status === 'open' && due_on <= until))
      .map((installment: DueItem) => ({
        checkout_hash: hash,
        merchant: merchant.name,
        autopay,
        installment,
      })),
  );
  assert.ok(dueItems.length > 1);
  assert.deepEqual(
    home.due.data,
    dueItems.toSorted((a, b) => a.installment.due_on.localeCompare(b.installment.due_on)),
  );
});

test('a list item has its documented fields in order, and the detail adds terms and installments', async () => {
  const listResponse = await driver.getAsCustomer(ANA, '/wallet/checkouts?status=overdue');
  const splitNames = (names: string) => names.split(/\s+/);
  const itemFields = splitNames(
    `hash status merchant description purchased_at amounts installments_total installments_paid next_due_on returned_at`,
  );
  const [item] = listResponse.body.data;
  assert.deepEqual(Object.keys(item), itemFields);
  assert.deepEqual(Object.keys(item.merchant), ['slug', 'name', 'logo_url']);
  const detailResponse = await driver.getAsCustomer(ANA, `/wallet/checkouts/${item.hash}`);
  assert.deepEqual(Object.keys(detailResponse.body), [
    ...itemFields,
    'returns',
    'autopay',
    'terms',
    'installments',
  ]);
  const installmentFields = splitNames(
    `id number due_on effective_due_on status amount paid discount returned outstanding penalty charges_paid
     charges_waived total_due paid_at extensions cashback_if_on_time pix_options autopay`,
  );
  assert.deepEqual(Object.keys(detailResponse.body.installments[0]), installmentFields);
  const otherFields = omit(detailResponse.body, 'terms', 'installments', 'autopay', 'returns');
  assert.deepEqual(otherFields, item, 'the same fields as in the list');
  assert.equal(detailResponse.headers.get('cache-control'), 'no-store');
  assert.equal(listResponse.headers.get('cache-control'), 'no-store');
});

test('responses match the schemas of openapi.json', async () => {
  const findSchema = (url: string) =>
    service.endpoints.partner.find((spec) => spec.url === url)!.responses[200]!.schema as Parameters<
      typeof Value.Check
    >[0];
  const listResponse = await driver.getAsCustomer(ANA, '/wallet/checkouts');
  const responses: Array<[string, unknown]> = [['/wallet/checkouts', listResponse.body]];
  for (const { hash } of listResponse.body.data)
    responses.push([
      '/wallet/checkouts/:hash',
      (await driver.getAsCustomer(ANA, `/wallet/checkouts/${hash}`)).body,
    ]);
  for (const [url, body] of responses)
    assert.ok(Value.Check(findSchema(url), body), JSON.stringify(Value.Errors(findSchema(url), body)));
});

test('pages have the requested size and a stable order, and a page past the end is empty', async () => {
  const customer = await driver.createCustomer();
  const hashes: string[] = [];
  for (let i = 0; i < 7; i++) hashes.unshift((await driver.sell(customer, { amount: 10 + i })).hash);
  const listedHashes: string[] = [];
  for (const page of [1, 2, 3]) {
    const { body, headers } = await driver.getAsCustomer(
      customer,
      `/wallet/checkouts?page=${page}&limit=3&status=open`,
    );
    listedHashes.push(...body.data.map(({ hash }: Item) => hash));
    assert.deepEqual(body.pagination, { page, limit: 3, total: 7, pages: 3 });
    assert.match(headers.get('link')!, /\/wallet\/checkouts\?limit=3&status=open&page=3>; rel="last"/);
  }
  // All purchases have the same instant, so they are sorted by hash.
  assert.deepEqual(listedHashes, hashes.toSorted().toReversed());
  const emptyPage = await driver.getAsCustomer(customer, '/wallet/checkouts?page=9&limit=3');
  assert.deepEqual([emptyPage.status, emptyPage.body.data, emptyPage.body.pagination.total], [200, [], 7]);
});

test('400 for an unknown status, and for an invalid page or limit', async () => {
  for (const input of ['status=late', 'status=', 'status=open&status=paid', 'page=0', 'limit=101', 'limit=x'])
    assert.equal(
      (await driver.getAsCustomer(ANA, `/wallet/checkouts?${input}`)).body.code,
      'validation_failed',
      input,
    );
});

test('another customer’s purchase returns the same 404 as an unknown purchase', async () => {
  const customer = await driver.createCustomer();
  const { hash } = await driver.sell(customer);
  assert.equal((await driver.getAsCustomer(customer, `/wallet/checkouts/${hash}`)).status, 200);
  const responses = [];
  for (const path of [hash, '0'.repeat(22), 'short', `${hash}/`, '%00', '%F0%9F%92%B8', '..%2fme']) {
    const { status, body } = await driver.getAsCustomer(ANA, `/wallet/checkouts/${path}`);
    assert.equal(`${status} ${body.code}`, '404 not_found', path);
    if (!path.endsWith('/')) responses.push(JSON.stringify({ ...body, request_id: '' }));
  }
  assert.equal(new Set(responses).size, 1);
  const listResponse = await driver.getAsCustomer(ANA, '/wallet/checkouts');
  assert.ok(listResponse.body.data.every((item: Item) => item.hash !== hash));
});

test('a purchase has the current name of its merchant, and the stored name once the merchant is deleted', async () => {
  const customer = await driver.createCustomer();
  const { hash } = await driver.sell(customer, { merchant: 'otica-pupila' });
  await service.db.run(
    sql`update merchants set name = 'Pupila Nova', logo_url = null where slug = 'otica-pupila'`,
  );
  const getMerchant = async () =>
    (await driver.getAsCustomer(customer, `/wallet/checkouts/${hash}`)).body.merchant;
  const waitForName = (name: string) =>
    eventually(`the merchant is called ${name}`, async () => (await getMerchant()).name === name);
  const merchant = { slug: 'otica-pupila', logo_url: null };
  await waitForName('Pupila Nova');
  assert.deepEqual(await getMerchant(), { ...merchant, name: 'Pupila Nova' });
  assert.deepEqual(
    (await driver.getAsCustomer(customer, '/wallet/checkouts')).body.data[0].merchant,
    await getMerchant(),
  );
  await service.db.run(sql`delete from merchants where slug = 'otica-pupila'`);
  await waitForName('Ótica Pupila');
  assert.deepEqual(await getMerchant(), { ...merchant, name: 'Ótica Pupila' });
});

test('a payment slightly in the future, because the PSP’s clock is ahead, is applied immediately', async () => {
  const customer = await driver.createCustomer();
  const { hash, installments } = await driver.sell(customer);
  const nearFuture = new Date(service.clock.now().getTime() + 2_000).toISOString();
  await driver.pay(customer.id, installments[0].id, 100, { paidAt: nearFuture });
  const detailResponse = await driver.getAsCustomer(customer, `/wallet/checkouts/${hash}`);
  assert.deepEqual(
    [detailResponse.body.status, detailResponse.body.installments[0].paid_at],
    ['paid', nearFuture],
  );
  assert.equal((await driver.getAsCustomer(customer, '/wallet/checkouts?status=paid')).body.data.length, 1);
});

test('each query is one statement that uses an index, even with many purchases', async () => {
  const customer = await driver.createCustomer();
  await driver.sell(customer);
  await service.db.run(sql`
    insert into checkouts (customer_id, hash, merchant_id, merchant_slug, merchant_name, purchased_at, created_at,
      financed_cents, total_cents, installments_total, weekly_rate_ppm, fine_ppm, late_interest_ppm, extension_fee_ppm,
      extension_days, extension_limit, cashback_ppm, cet_month_ppm, cet_year_ppm, merchant_fee_ppm, payout_days, paid_cents, outstanding_cents,
      installments_paid, late_after, settled_at)
    select customer_id, lpad(n::text, 22, '0'), merchant_id, merchant_slug, merchant_name,
      purchased_at - n * interval '1 hour', created_at, financed_cents, total_cents, 1, 0, 0, 0, 0, 7, 2, 0,
      0, 0, 0, 2, financed_cents, 0, 1, 'infinity', purchased_at
    from checkouts, generate_series(1, 20000) as n where customer_id = ${customer.id}`);
  const { body } = await driver.getAsCustomer(customer, '/wallet/checkouts?status=open');
  assert.equal(body.pagination.total, 1);
  const deepPage = await driver.getAsCustomer(customer, '/wallet/checkouts?status=paid&page=200&limit=100');
  assert.equal(deepPage.body.data.length, 100);

  await query(service.databaseUrl, 'analyze');
  const today = day('2027-01-04');
  // recordStatements returns no rows, so listCheckouts, which always has a row with the total, fails after its statement.
  const ignoreFailure = () => undefined;
  const range = { from: '-infinity', to: today } as const;
  const queries: Array<(db: Queryable) => Promise<unknown>> = [
    (db) => listCheckouts(db, customer.id, range, today, { offset: 0, limit: 20 }).catch(ignoreFailure),
    (db) => findCheckoutRecord(db, customer.id, 'x'),
    (db) => findInstallment(db, customer.id, 'x'),
  ];
  for (const runQuery of queries) {
    const [statement, ...otherStatements] = await recordStatements(runQuery);
    assert.deepEqual(otherStatements, [], 'one statement');
    const text = await explain(statement!);
    assert.match(text, /Index Cond: .*customer_id = /);
    assert.doesNotMatch(text, /Seq Scan on (checkouts|installments|receipts)/, text);
  }
});

test('the first page for staff reads the newest paid or overdue purchases from an index, without skipping or sorting others', {
  skip: isOnCitus() && 'Citus returns the plan of the coordinator',
}, async () => {
  await service.db.run(sql`
    insert into checkouts
    select late.* from (select * from checkouts where settled_at is null limit 1) as c, generate_series(1, 5000) as n,
    lateral jsonb_populate_record(c::checkouts, jsonb_build_object('hash', 'late' || lpad(n::text, 18, '0'),
      'purchased_at', c.purchased_at - n * interval '1 hour', 'late_after', c.purchased_at::date + 7 - n / 24)) as late`);
  await query(service.databaseUrl, 'analyze');
  const now = new Date('2027-01-04T15:00:00.000Z');
  const explainPage = async (status: 'paid' | 'overdue') => {
    const listQuery = buildListQuery(checkoutList, { status }, now);
    const [pageStatement] = await recordStatements((db) =>
      queryListPage(db, listQuery, { page: 1, limit: 50 }).catch(() => undefined),
    );
    return explain(pageStatement!);
  };
  const paidPlan = await explainPage('paid');
  assert.match(paidPlan, /^Limit.*\n\s+->\s+Index Scan using checkouts_paid /);
  const overduePlan = await explainPage('overdue');
  assert.match(overduePlan, /^Limit.*\n\s+->\s+Index Scan using checkouts_by_day /);
  assert.match(overduePlan, /Index Cond: .*purchased_at < /, 'purchases of the last week cannot be overdue');
});

/** Returns the generic plan, which PostgreSQL uses after a few runs of a named statement. */
const explain = (statement: Statement): Promise<string> =>
  service.db.transaction(async (tx) => {
    const runText = (text: string) => tx.rows<Record<string, string>>({ text, values: [], name: '' });
    // The tables are small here, so a sequential scan would be cheaper than the index.
    await runText('set local enable_seqscan = off');
    if (!isOnCitus()) await runText('set local plan_cache_mode = force_generic_plan');
    await runText(`prepare read as ${statement.text}`);
    const literals = statement.values.map((value) =>
      Array.isArray(value)
        ? `'{${value.join(',')}}'`
        : `'${value instanceof Date ? value.toISOString() : value}'`,
    );
    const plan = await runText(`explain execute read (${literals.join(', ')})`);
    await runText('deallocate read');
    return plan.map((row) => row['QUERY PLAN']).join('\n');
  });

/** Returns the statements of a query without running them. Each returns no rows. */
async function recordStatements(runQuery: (db: Queryable) => Promise<unknown>): Promise<Statement[]> {
  const statements: Statement[] = [];
  const record = async <R>(statement: QueuedStatement, result: R): Promise<R> => {
    statements.push(toSingleStatement(statement));
    return result;
  };
  await runQuery({
    rows: (statement) => record(statement, []),
    row: (statement) => record(statement, undefined),
    values: (statement) => record(statement, []),
    value: (statement) => record(statement, undefined),
    run: (statement) => record(statement, 0),
    vault: service.db.vault,
  });
  return statements;
}

test('an installment lists its paid fine, interest and extension fees until they are charged back', async () => {
  service.clock.set('2027-03-01T15:00:00.000Z');
  const customer = await driver.createCustomer();
  const { hash, installments } = await driver.sell(customer, { amount: 50 });
  const { id } = installments[0];
  const getCharges = async () => (await driver.getCheckout(hash)).installments[0].charges_paid;
  assert.deepEqual(await getCharges(), { fine: 0, interest: 0, extension_fee: 0 });
  service.clock.set('2027-03-14T15:00:00.000Z');
  // 6 days late: fine 1.00, interest 0.10; the extension costs 2.50 in addition.
  const extension = await driver.pay(customer.id, id, 3.6, { purpose: 'extend' });
  assert.deepEqual(await getCharges(), { fine: 1, interest: 0.1, extension_fee: 2.5 });
  service.clock.set('2027-03-28T15:00:00.000Z');
  // The new due day is Sunday the 21st, effectively Monday the 22nd: again 6 days late.
  const payment = await driver.pay(customer.id, id, 51.1);
  const [settledInstallment] = (await driver.getCheckout(hash)).installments;
  assert.deepEqual(
    [settledInstallment.status, settledInstallment.paid, settledInstallment.penalty.total],
    ['paid', 50, 0],
  );
  assert.deepEqual(settledInstallment.charges_paid, { fine: 2, interest: 0.2, extension_fee: 2.5 });
  await driver.chargeBack(customer.id, id, payment.reference);
  assert.deepEqual(await getCharges(), { fine: 1, interest: 0.1, extension_fee: 2.5 });
  await driver.chargeBack(customer.id, id, extension.reference);
  assert.deepEqual(await getCharges(), { fine: 0, interest: 0, extension_fee: 0 });
});
