/** Balances and payouts of merchants, checked to the centavo. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DAY_MS } from '#core/values/duration.ts';
import { sql } from '#platform/database/db.ts';
import { createCommandRunner } from '../../test/commands.ts';
import { openService } from '../../test/harness.ts';
import { createPurchaseDriver, OPERATOR_KEY, type TestCustomer } from '../../test/purchase-driver.ts';
import { newStaffUser } from '../../test/support/staff.ts';
import { DEMO_MERCHANT_KEY } from '../sandbox/demo-data.ts';

const service = await openService();
const otherNode = await service.startNode();
const driver = createPurchaseDriver(service);
const run = createCommandRunner(service);
/** A Monday without holidays around. */
const MONDAY = '2027-03-01T15:00:00.000Z';

// biome-ignore lint/suspicious/noExplicitAny: tests look into bodies freely
type Body = any;

const callStaffApi = (method: string, path: string, body?: unknown, options = {}) =>
  service.staff(method, path, { key: OPERATOR_KEY, ...(body !== undefined && { body }), ...options });
const createBatch = async (body: object = {}): Promise<Body[]> => {
  const response = await callStaffApi('POST', '/admin/payouts', body);
  assert.equal(response.status, 201, response.text);
  return response.body.data;
};
const closePayout = (id: string, outcome: 'paid' | 'failed', body: object) =>
  callStaffApi('POST', `/admin/payouts/${id}/${outcome}`, body);

let merchantCount = 0;

/** Creates a merchant for one test, with a key. */
async function newMerchant(plan: { feePercent?: number; payoutDays?: number } = {}) {
  const slug = `loja-${++merchantCount}`;
  const row = await service.db.row<{ id: number }>(sql`
    insert into merchants (slug, name, name_key, category_slug, merchant_fee_percent, payout_days)
    values (${slug}, ${`=Loja "${merchantCount}", Ltda`}, ${slug}, 'padarias', ${plan.feePercent ?? 3}, ${plan.payoutDays ?? 2}) returning id`);
  const { secret: key } = await service.newKey({ scopes: ['merchant'], merchant_id: row!.id });
  const getBody = async (path: string): Promise<Body> => {
    const response = await service.get(path, { key });
    assert.equal(response.status, 200, response.text);
    return response.body;
  };
  return {
    slug,
    id: row!.id,
    key,
    getBody,
    sell: (customer: TestCustomer, amount: number, overrides = {}): Promise<Body> =>
      driver.sell(customer, { merchant: slug, amount, ...overrides }),
    listLines: async (): Promise<Array<[kind: string, amount: number, balanceAfter: number]>> =>
      (await getBody('/merchant/statement?limit=100')).data.map((line: Body) => [
        line.kind,
        line.amount,
        line.balance_after,
      ]),
  };
}

test('demo data: the bakery was paid its first sale minus 3 %, and sees every line', async () => {
  const { body } = await service.get('/merchant/statement', { key: DEMO_MERCHANT_KEY });
  assert.deepEqual(
    body.data.map((line: Body) => [line.kind, line.amount, line.balance_after]),
    [
      ['payout', -116.4, 0],
      ['fee', -3.6, 116.4],
      ['sale', 120, 120],
    ],
  );
  const payoutPage = (await service.get('/merchant/payouts', { key: DEMO_MERCHANT_KEY })).body;
  assert.deepEqual(
    [payoutPage.pagination.total, payoutPage.data[0].status, payoutPage.data[0].amount],
    [1, 'paid', 116.4],
  );
  assert.deepEqual(await driver.listMismatches(), []);
  await createBatch(); // Settles the due lines of the demo data.
});

test('a sale is due minus the fee after the configured business days, across weekends and holidays', async () => {
  service.clock.set('2027-02-04T15:00:00.000Z'); // the Thursday before Carnaval
  const merchant = await newMerchant({ feePercent: 2.5, payoutDays: 2 });
  const customer = await driver.createCustomer();
  await merchant.sell(customer, 33.33);
  const dueDays = (await merchant.getBody('/merchant/statement')).data.map((line: Body) => line.due_on);
  assert.deepEqual(dueDays, ['2027-02-10', '2027-02-10']);
  assert.deepEqual(await createBatch({ until: '2027-02-09' }), []);
  const [payout, ...otherPayouts] = await createBatch({ until: '2027-02-10' });
  assert.deepEqual(otherPayouts, []);
  // 2.5 % of 33.33 is 0.83325.
  assert.deepEqual(
    [payout.merchant, payout.amount, payout.status, payout.due_on],
    [merchant.slug, 32.5, 'pending', '2027-02-10'],
  );
  assert.deepEqual(await merchant.listLines(), [
    ['payout', -32.5, 0],
    ['fee', -0.83, 32.5],
    ['sale', 33.33, 33.33],
  ]);
  assert.deepEqual(await driver.listMismatches(), []);
});

test('concurrent batches on two nodes during sales pay nothing twice', async () => {
  service.clock.set(MONDAY);
  const merchant = await newMerchant({ payoutDays: 0 });
  const customer = await driver.createCustomer({ limitReais: 100_000 });
  for (let i = 0; i < 3; i++) await merchant.sell(customer, 100);
  const requestBatch = (node: typeof otherNode) =>
    node.staff('POST', '/admin/payouts', { key: OPERATOR_KEY, body: {} });
  const responses = await Promise.all([
    ...Array.from({ length: 6 }, (_, i) => requestBatch(i % 2 ? service : otherNode)),
    merchant.sell(customer, 100),
    requestBatch(otherNode),
  ]);
  const createdPayouts = responses.flatMap((response) => response.body?.data ?? []);
  const laterPayouts = await createBatch();
  const payouts = [...createdPayouts, ...laterPayouts].filter((payout) => payout.merchant === merchant.slug);
  assert.equal(
    payouts.reduce((total, { amount }) => total + amount, 0),
    4 * 97, // four sales of 100.00 without the fee of 3 %
  );
  assert.deepEqual(await createBatch(), []);
  assert.deepEqual(await driver.listMismatches(), []);
});

test('requests with the same Idempotency-Key return the same payouts', async () => {
  service.clock.set(MONDAY);
  const merchant = await newMerchant({ payoutDays: 0 });
  await merchant.sell(await driver.createCustomer(), 50);
  const headers = { 'idempotency-key': 'batch 1' };
  const firstResponse = await callStaffApi('POST', '/admin/payouts', {}, { headers });
  const repeatedResponse = await callStaffApi('POST', '/admin/payouts', {}, { headers });
  assert.deepEqual([repeatedResponse.status, repeatedResponse.text], [201, firstResponse.text]);
  assert.equal(repeatedResponse.headers.get('idempotency-replayed'), 'true');
});

test('a payout is marked as paid once, with the reference of the bank, an event and a ledger posting; a wrong If-Match is refused', async () => {
  service.clock.set(MONDAY);
  const merchant = await newMerchant({ payoutDays: 0 });
  await merchant.sell(await driver.createCustomer(), 200);
  const [{ id }] = await createBatch();
  const payResponse = await closePayout(id, 'paid', { reference: 'TED 1' });
  assert.deepEqual(
    [payResponse.status, payResponse.body.status, payResponse.body.reference, payResponse.body.paid_at],
    [200, 'paid', 'TED 1', MONDAY],
  );
  assert.deepEqual((await closePayout(id, 'paid', { reference: 'TED 1' })).body, payResponse.body);
  for (const [outcome, body] of [
    ['paid', { reference: 'TED 2' }],
    ['failed', { reason: 'late' }],
  ] as const) {
    const refusal = await closePayout(id, outcome, body);
    assert.deepEqual([refusal.status, refusal.body.code], [409, 'payout_closed']);
  }
  const emittedEvents = await service.db.rows<{ data: Body }>(
    sql`select data from global_events where type = 'payout.paid' and data->>'payout_id' = ${id}`,
  );
  assert.deepEqual(
    emittedEvents.map(({ data }) => data),
    [{ payout_id: id, merchant: merchant.slug, amount: 194, paid_at: MONDAY, reference: 'TED 1' }],
  );
  const bookedBalances = await service.db.rows(sql`
    select account, sum(amount_cents)::bigint as cents from merchant_entries where merchant_id = ${merchant.id}
    group by account order by account`);
  assert.deepEqual(bookedBalances, [
    { account: 'fee_income', cents: -600 },
    { account: 'merchant_payable', cents: 20_000 },
    { account: 'payout_clearing', cents: -19_400 },
  ]);
  assert.deepEqual(await driver.listMismatches(), []);
  const payAgain = (etag: string) =>
    callStaffApi(
      'POST',
      `/admin/payouts/${id}/paid`,
      { reference: 'TED 1' },
      { headers: { 'if-match': etag } },
    );
  assert.equal((await payAgain('"x"')).body.code, 'changed_meanwhile');
  const readResponse = await callStaffApi('GET', `/admin/payouts/${id}`);
  assert.equal((await payAgain(readResponse.headers.get('etag')!)).status, 200);
});

test('the amount of a failed payout is owed again and paid in the next batch; repeating the request changes nothing', async () => {
  service.clock.set(MONDAY);
  const merchant = await newMerchant({ payoutDays: 0, feePercent: 0 });
  await merchant.sell(await driver.createCustomer(), 80);
  const [firstPayout] = await createBatch();
  for (let i = 0; i < 2; i++) {
    const response = await closePayout(firstPayout.id, 'failed', { reason: 'Conta encerrada' });
    assert.deepEqual([response.body.status, response.body.reason], ['failed', 'Conta encerrada']);
  }
  assert.equal((await closePayout(firstPayout.id, 'paid', { reference: 'x' })).body.code, 'payout_closed');
  service.clock.advance(DAY_MS);
  const [secondPayout] = await createBatch();
  assert.deepEqual([secondPayout.merchant, secondPayout.amount], [merchant.slug, 80]);
  await closePayout(secondPayout.id, 'paid', { reference: 'TED 9' });
  assert.deepEqual(await merchant.listLines(), [
    ['payout', -80, 0],
    ['payout_failed', 80, 80],
    ['payout', -80, 0],
    ['sale', 80, 80],
  ]);
  const payoutBody = (await callStaffApi('GET', `/admin/payouts/${secondPayout.id}`)).body;
  assert.deepEqual(
    payoutBody.lines.map((line: Body) => [line.kind, line.amount, line.of_payout]),
    [['payout_failed', 80, firstPayout.id]],
  );
  assert.deepEqual(await driver.listMismatches(), []);
});

test('a return before the sale is due reduces only the payout of that sale', async () => {
  service.clock.set(MONDAY);
  const merchant = await newMerchant({ payoutDays: 2 });
  const customer = await driver.createCustomer();
  await merchant.sell(customer, 50, {
    purchased_at: new Date(Date.parse(MONDAY) - 7 * DAY_MS).toISOString(),
  });
  const { hash } = await merchant.sell(customer, 100);
  await driver.returnWithoutPsp(customer.id, hash, 100);
  const [payoutToday] = await createBatch();
  assert.equal(payoutToday.amount, 48.5, 'the full amount of the sale of last week');
  service.clock.advance(2 * DAY_MS);
  assert.deepEqual(await createBatch(), [], 'nothing is due for a sale that was returned');
  assert.deepEqual(await driver.listMismatches(), []);
});

test('returns after the payout are taken from the next payouts, with the exact fee', async () => {
  service.clock.set(MONDAY);
  const merchant = await newMerchant({ payoutDays: 0, feePercent: 3.3333 });
  const customer = await driver.createCustomer({ limitReais: 100_000 });
  const { hash } = await merchant.sell(customer, 100);
  const [firstPayout] = await createBatch();
  assert.equal(firstPayout.amount, 96.67);
  await closePayout(firstPayout.id, 'paid', { reference: 'TED 1' });
  service.clock.advance(DAY_MS);
  for (const amount of [33.33, 33.33, 33.34]) await driver.returnWithoutPsp(customer.id, hash, amount);
  const [newestLine] = (await merchant.getBody('/merchant/statement')).data;
  assert.equal(newestLine.balance_after, -96.67, 'the merchant owes what was paid');
  assert.deepEqual(await createBatch(), [], 'no payout while the balance is negative');
  await merchant.sell(customer, 60);
  assert.deepEqual(await createBatch(), [], 'the balance is still negative');
  await merchant.sell(customer, 60);
  const [nextPayout] = await createBatch();
  assert.equal(nextPayout.amount, 19.35, '120.00 less two fees of 1.99, less 96.67');
  assert.deepEqual(await driver.listMismatches(), []);
});

test('lists can be filtered by status, merchant and days, in pages, newest first', async () => {
  service.clock.set('2027-05-03T15:00:00.000Z');
  const merchant = await newMerchant({ payoutDays: 0, feePercent: 0 });
  const customer = await driver.createCustomer();
  const ids: string[] = [];
  for (let i = 0; i < 3; i++) {
    await merchant.sell(customer, 10 + i);
    const [payout] = await createBatch();
    ids.unshift(payout.id);
    service.clock.advance(DAY_MS);
  }
  const [, secondId, oldestId] = ids;
  await closePayout(oldestId!, 'paid', { reference: 'TED' });
  const listPayouts = async (query: string) =>
    (await callStaffApi('GET', `/admin/payouts?merchant=${merchant.slug}${query}`)).body;
  const getIds = (body: Body) => body.data.map(({ id }: Body) => id);
  assert.deepEqual(getIds(await listPayouts('')), ids);
  assert.deepEqual(getIds(await listPayouts('&status=paid')), [oldestId]);
  assert.deepEqual(getIds(await listPayouts('&from=2027-05-04&to=2027-05-04')), [secondId]);
  const page = await listPayouts('&limit=1&page=2');
  assert.deepEqual([getIds(page), page.pagination.total], [[secondId], 3]);
  assert.deepEqual(getIds((await callStaffApi('GET', '/admin/payouts?merchant=nobody')).body), []);
  assert.equal((await callStaffApi('GET', '/admin/payouts?status=x')).status, 400);
  assert.equal((await callStaffApi('GET', '/admin/payouts/pay_00000000000000000000000000')).status, 404);
  const { data } = await merchant.getBody('/merchant/statement?from=2027-05-05&to=2027-05-05');
  assert.deepEqual(
    data.map((line: Body) => [line.kind, line.balance_after]),
    [
      ['payout', 0],
      ['sale', 12],
    ],
  );
  const secondPage = await merchant.getBody('/merchant/statement?limit=2&page=2');
  assert.deepEqual(
    [secondPage.data[0].balance_after, secondPage.data[1].balance_after, secondPage.pagination.total],
    [0, 11, 6],
  );
});

test('CSV for the bank: all payouts, quoted, and without spreadsheet formulas', async () => {
  service.clock.set('2027-06-07T15:00:00.000Z');
  const merchant = await newMerchant({ payoutDays: 0, feePercent: 0 });
  await merchant.sell(await driver.createCustomer(), 1234.5);
  const [{ id }] = await createBatch();
  await closePayout(id, 'paid', { reference: '+TED,1' });
  const response = await service.staff('GET', `/admin/payouts?merchant=${merchant.slug}`, {
    key: OPERATOR_KEY,
    headers: { accept: 'text/csv' },
  });
  assert.match(response.headers.get('content-type')!, /^text\/csv/);
  const timestamp = '2027-06-07T15:00:00.000Z';
  assert.equal(
    response.text,
    'id,merchant,merchant_name,amount,status,due_on,created_at,paid_at,reference,failed_at,reason,pix_key,holder_name,tax_id,bank_number\r\n' +
      `${id},${merchant.slug},"'=Loja ""${merchantCount}"", Ltda",1234.50,paid,2027-06-07,${timestamp},${timestamp},"'+TED,1",,,,,,${id.slice(-20).toUpperCase()}\r\n`,
  );
});

test('payouts show the payout account: in full for finance, masked for lower roles, empty if none is set', async () => {
  service.clock.set('2027-06-14T15:00:00.000Z');
  const merchant = await newMerchant({ payoutDays: 0, feePercent: 0 });
  await merchant.sell(await driver.createCustomer(), 10.5);
  await createBatch();
  const path = `/admin/merchants/${merchant.slug}/payout-account`;
  const account = { pix_key: 'caixa@loja.example', holder_name: 'Loja Ltda', tax_id: '11.222.333/0001-81' };
  const emptyAccount = { pix_key: null, holder_name: null, tax_id: null, change: null };
  assert.deepEqual((await callStaffApi('GET', path)).body, emptyAccount);
  const wrongResponse = await callStaffApi('PUT', path, { ...account, tax_id: '11222333000182' });
  assert.deepEqual([wrongResponse.status, wrongResponse.body.errors[0].pointer], [400, '/tax_id']);
  assert.equal((await callStaffApi('PUT', '/admin/merchants/nenhuma/payout-account', account)).status, 404);
  const setResponse = await callStaffApi('PUT', path, account);
  assert.deepEqual(setResponse.body, { ...account, tax_id: '11222333000181', change: null });
  assert.deepEqual((await callStaffApi('GET', path)).body, setResponse.body);
  const fetchCsvAs = async (key: string) => {
    const response = await fetch(`${service.staffUrl}/admin/payouts?merchant=${merchant.slug}&csv=br`, {
      headers: { 'x-api-key': key },
    });
    const [heading, line] = Buffer.from(await response.arrayBuffer())
      .toString()
      .split('\r\n');
    const cells = line!.split(';');
    const names = heading!.split(';');
    const row = Object.fromEntries(names.map((name, i) => [name, cells[i]]));
    return { heading: heading!, amount: row.amount, account: [row.pix_key, row.holder_name, row.tax_id] };
  };
  const { heading, amount, account: fullAccount } = await fetchCsvAs(OPERATOR_KEY);
  assert.match(heading, /^\ufeffid;merchant;.*;pix_key;holder_name;tax_id;bank_number$/);
  assert.equal(amount, '10,50');
  assert.deepEqual(fullAccount, ['caixa@loja.example', 'Loja Ltda', '11222333000181']);
  const viewer = await newStaffUser(service, 'Vera', 'viewer');
  assert.equal((await service.staff('GET', path, { key: viewer.key })).status, 200);
  assert.deepEqual((await fetchCsvAs(viewer.key)).account, ['***', '***', '***']);
  const refusal = await service.staff('PUT', path, { key: viewer.key, body: account });
  assert.deepEqual([refusal.status, refusal.body.code], [403, 'role_missing']);
  const { body: trail } = await callStaffApi(
    'GET',
    `/admin/audit-trail?subject=payout_account:${merchant.slug}`,
  );
  assert.equal(trail.data.length, 1);
});

test('the statement as CSV has all lines, also in the Brazilian dialect', async () => {
  service.clock.set('2027-06-21T15:00:00.000Z');
  const merchant = await newMerchant({ payoutDays: 0, feePercent: 3 });
  await merchant.sell(await driver.createCustomer(), 100);
  const fetchCsv = async (headers: Record<string, string>, query = '') => {
    const url = `${service.partnerUrl}/merchant/statement?limit=1${query}`;
    const response = await fetch(url, { headers: { 'x-api-key': merchant.key, ...headers } });
    assert.match(response.headers.get('content-type')!, /^text\/csv/);
    assert.match(response.headers.get('content-disposition')!, /filename="statement.csv"/);
    const [heading, ...lines] = Buffer.from(await response.arrayBuffer())
      .toString()
      .trimEnd()
      .split('\r\n');
    return { heading: heading!, lines };
  };
  const plainCsv = await fetchCsv({ accept: 'text/csv' });
  assert.equal(
    plainCsv.heading,
    'id,kind,amount,checkout_hash,of_payout,due_on,occurred_at,settled_by,balance_after',
  );
  // The CSV has all lines, not only one page.
  const pickFigures = (lines: string[], separator: string) =>
    lines.map((line) => {
      const [, kind, amount, ...otherCells] = line.split(separator);
      return [kind, amount, otherCells.at(-1)];
    });
  assert.deepEqual(pickFigures(plainCsv.lines, ','), [
    ['fee', '-3.00', '97.00'],
    ['sale', '100.00', '100.00'],
  ]);
  for (const { heading, lines } of [
    await fetchCsv({ accept: 'text/csv', 'accept-language': 'pt-BR' }),
    await fetchCsv({}, '&csv=br'),
  ]) {
    assert.match(heading, /^\ufeffid;kind;amount;/);
    const [feeFigures] = pickFigures(lines, ';');
    assert.deepEqual(feeFigures, ['fee', '-3,00', '97,00']);
  }
  assert.deepEqual((await fetchCsv({ accept: 'text/csv' }, '&to=2027-06-20')).lines, []);
  await createBatch(); // Leaves no due lines to later tests.
});

test('the command line can create, list, show and mark payouts', async () => {
  service.clock.set('2027-08-02T15:00:00.000Z');
  const merchant = await newMerchant({ payoutDays: 0, feePercent: 0 });
  const customer = await driver.createCustomer();
  await merchant.sell(customer, 25);
  await assert.rejects(run('payouts create'), /Use --yes to confirm/);
  const createdPayouts = await run('payouts create', '--yes');
  const [id] = /pay_[0-9a-z]{26}/.exec(createdPayouts)!;
  assert.match(createdPayouts, new RegExp(`${merchant.slug} +25.00 +pending`));
  assert.match(await run('payouts create', '--until', '2027-08-02', '--yes'), /^Nothing is due until/);
  assert.match(
    await run('payouts failed', id, '--reason', 'Conta encerrada', '--yes'),
    /is owed 25.00 again/,
  );
  const [nextId] = /pay_[0-9a-z]{26}/.exec(await run('payouts create', '--yes'))!;
  assert.match(await run('payouts paid', nextId, '--reference', 'TED 7', '--yes'), /was paid 25.00/);
  const output = await run('payouts list', '--merchant', merchant.slug, '--json');
  const statuses = output
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line).status);
  assert.deepEqual(statuses.toSorted(), ['failed', 'paid']);
  const payout = JSON.parse(await run('payouts get', nextId, '--json'));
  assert.deepEqual([payout.reference, payout.lines[0].of_payout], ['TED 7', id]);
});

test('other merchants see neither the payout nor the lines, and keys of other scopes get 403', async () => {
  service.clock.set(MONDAY);
  const merchant = await newMerchant({ payoutDays: 0 });
  await merchant.sell(await driver.createCustomer(), 70);
  const [{ id }] = await createBatch();
  const stranger = await newMerchant();
  assert.equal((await merchant.getBody(`/merchant/payouts/${id}`)).lines.length, 2);
  assert.equal((await service.get(`/merchant/payouts/${id}`, { key: stranger.key })).status, 404);
  assert.deepEqual((await stranger.getBody('/merchant/payouts')).data, []);
  assert.deepEqual((await stranger.getBody('/merchant/statement')).data, []);
  assert.equal((await service.get('/merchant/payouts')).status, 403);
});

test('the database rejects changes to lines, and the audit reports tampering', async () => {
  service.clock.set(MONDAY);
  const merchant = await newMerchant({ payoutDays: 0 });
  const customer = await driver.createCustomer();
  const { hash } = await merchant.sell(customer, 100);
  const execute = (statement: ReturnType<typeof sql>) => service.db.run(statement);
  await assert.rejects(
    execute(sql`update merchant_lines set amount_cents = 1 where checkout_hash = ${hash}`),
    /append-only|append_only|cannot/i,
  );
  const [{ id }] = await createBatch();
  await assert.rejects(execute(sql`update merchant_lines set payout_id = null where payout_id = ${id}`));
  assert.deepEqual(await driver.listMismatches(), []);
  await service.db.transaction(async (tx) => {
    await tx.run(sql`set local session_replication_role = replica`);
    await tx.run(sql`
      update merchant_lines set amount_cents = 9999 where checkout_hash = ${hash} and kind = 'sale'`);
  });
  const mismatches = await driver.listMismatches();
  assert.ok(mismatches.some((text) => text === `sale ${hash}: its sale is 9999, should be 10000`));
  assert.ok(mismatches.some((text) => text === `payout ${id}: settled_cents is 9699, should be 9700`));
});
