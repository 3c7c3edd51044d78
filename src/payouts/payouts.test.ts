/** Balances and payouts of merchants, checked to the centavo. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DAY_MS } from '#core/values/duration.ts';
import { sql } from '#platform/database/db.ts';
import { commandRunner } from '../../test/commands.ts';
import { openService } from '../../test/harness.ts';
import { OPERATOR_KEY, openShop, type Shopper } from '../../test/shop.ts';
import { newStaffUser } from '../../test/support/staff.ts';
import { DEMO_MERCHANT_KEY } from '../sandbox/demo-data.ts';

const service = await openService();
const otherNode = await service.startNode();
const shop = openShop(service);
const run = commandRunner(service);
/** A Monday without holidays around. */
const MONDAY = '2027-03-01T15:00:00.000Z';

// biome-ignore lint/suspicious/noExplicitAny: tests look into bodies freely
type Body = any;

const staff = (method: string, path: string, body?: unknown, overrides = {}) =>
  service.staff(method, path, { key: OPERATOR_KEY, ...(body !== undefined && { body }), ...overrides });
const batch = async (body: object = {}): Promise<Body[]> => {
  const response = await staff('POST', '/admin/payouts', body);
  assert.equal(response.status, 201, response.text);
  return response.body.data;
};
const close = (id: string, how: 'paid' | 'failed', body: object) =>
  staff('POST', `/admin/payouts/${id}/${how}`, body);

let merchants = 0;

/** A merchant of its own for each test, with a key. */
async function newMerchant(plan: { fee?: number; days?: number } = {}) {
  const slug = `loja-${++merchants}`;
  const row = await service.db.row<{ id: number }>(sql`
    insert into merchants (slug, name, name_key, category_slug, merchant_fee_percent, payout_days)
    values (${slug}, ${`=Loja "${merchants}", Ltda`}, ${slug}, 'padarias', ${plan.fee ?? 3}, ${plan.days ?? 2}) returning id`);
  const { secret: key } = await service.newKey({ scopes: ['merchant'], merchant_id: row!.id });
  const ask = async (path: string): Promise<Body> => {
    const response = await service.get(path, { key });
    assert.equal(response.status, 200, response.text);
    return response.body;
  };
  return {
    slug,
    id: row!.id,
    key,
    ask,
    sell: (buyer: Shopper, amount: number, overrides = {}): Promise<Body> =>
      shop.sell(buyer, { merchant: slug, amount, ...overrides }),
    lines: async (): Promise<Array<[string, number, number]>> =>
      (await ask('/merchant/statement?limit=100')).data.map((line: Body) => [
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
  const listed = (await service.get('/merchant/payouts', { key: DEMO_MERCHANT_KEY })).body;
  assert.deepEqual(
    [listed.pagination.total, listed.data[0].status, listed.data[0].amount],
    [1, 'paid', 116.4],
  );
  assert.deepEqual(await shop.listMismatches(), []);
  await batch(); // the demo's due lines
});

test('a sale is due minus the fee after the configured business days, across weekends and holidays', async () => {
  service.clock.set('2027-02-04T15:00:00.000Z'); // the Thursday before Carnaval
  const merchant = await newMerchant({ fee: 2.5, days: 2 });
  const buyer = await shop.newShopper();
  await merchant.sell(buyer, 33.33);
  const due = (await merchant.ask('/merchant/statement')).data.map((line: Body) => line.due_on);
  assert.deepEqual(due, ['2027-02-10', '2027-02-10']);
  assert.deepEqual(await batch({ until: '2027-02-09' }), []);
  const [payout, ...others] = await batch({ until: '2027-02-10' });
  assert.deepEqual(others, []);
  // 2.5 % of 33.33 is 0.83325.
  assert.deepEqual(
    [payout.merchant, payout.amount, payout.status, payout.due_on],
    [merchant.slug, 32.5, 'pending', '2027-02-10'],
  );
  assert.deepEqual(await merchant.lines(), [
    ['payout', -32.5, 0],
    ['fee', -0.83, 32.5],
    ['sale', 33.33, 33.33],
  ]);
  assert.deepEqual(await shop.listMismatches(), []);
});

test('concurrent batches on two nodes during sales pay nothing twice', async () => {
  service.clock.set(MONDAY);
  const merchant = await newMerchant({ days: 0 });
  const buyer = await shop.newShopper(100_000);
  for (let i = 0; i < 3; i++) await merchant.sell(buyer, 100);
  const ask = (node: typeof otherNode) =>
    node.staff('POST', '/admin/payouts', { key: OPERATOR_KEY, body: {} });
  const responses = await Promise.all([
    ...Array.from({ length: 6 }, (_, i) => ask(i % 2 ? service : otherNode)),
    merchant.sell(buyer, 100),
    ask(otherNode),
  ]);
  const created = responses.flatMap((answer) => answer.body?.data ?? []);
  const rest = await batch();
  const all = [...created, ...rest].filter((payout) => payout.merchant === merchant.slug);
  assert.equal(
    all.reduce((total, { amount }) => total + amount, 0),
    4 * 97,
  );
  assert.deepEqual(await batch(), []);
  assert.deepEqual(await shop.listMismatches(), []);
});

test('with the same Idempotency-Key the same payouts are returned', async () => {
  service.clock.set(MONDAY);
  const merchant = await newMerchant({ days: 0 });
  await merchant.sell(await shop.newShopper(), 50);
  const headers = { 'idempotency-key': 'batch 1' };
  const firstResponse = await staff('POST', '/admin/payouts', {}, { headers });
  const repeatedResponse = await staff('POST', '/admin/payouts', {}, { headers });
  assert.deepEqual([repeatedResponse.status, repeatedResponse.text], [201, firstResponse.text]);
  assert.equal(repeatedResponse.headers.get('idempotency-replayed'), 'true');
});

test('paid: marked once with the reference of the bank, with an event and a ledger posting', async () => {
  service.clock.set(MONDAY);
  const merchant = await newMerchant({ days: 0 });
  await merchant.sell(await shop.newShopper(), 200);
  const [{ id }] = await batch();
  const payResponse = await close(id, 'paid', { reference: 'TED 1' });
  assert.deepEqual(
    [payResponse.status, payResponse.body.status, payResponse.body.reference, payResponse.body.paid_at],
    [200, 'paid', 'TED 1', MONDAY],
  );
  assert.deepEqual((await close(id, 'paid', { reference: 'TED 1' })).body, payResponse.body);
  for (const [how, body] of [
    ['paid', { reference: 'TED 2' }],
    ['failed', { reason: 'late' }],
  ] as const) {
    const refusal = await close(id, how, body);
    assert.deepEqual([refusal.status, refusal.body.code], [409, 'payout_closed']);
  }
  const emitted = await service.db.rows<{ data: Body }>(
    sql`select data from global_events where type = 'payout.paid' and data->>'payout_id' = ${id}`,
  );
  assert.deepEqual(
    emitted.map(({ data }) => data),
    [{ payout_id: id, merchant: merchant.slug, amount: 194, paid_at: MONDAY, reference: 'TED 1' }],
  );
  const booked = await service.db.rows(sql`
    select account, sum(amount_cents)::bigint as cents from merchant_entries where merchant_id = ${merchant.id}
    group by account order by account`);
  assert.deepEqual(booked, [
    { account: 'fee_income', cents: -600 },
    { account: 'merchant_payable', cents: 20_000 },
    { account: 'payout_clearing', cents: -19_400 },
  ]);
  assert.deepEqual(await shop.listMismatches(), []);
  const payAgain = (etag: string) =>
    staff('POST', `/admin/payouts/${id}/paid`, { reference: 'TED 1' }, { headers: { 'if-match': etag } });
  assert.equal((await payAgain('"x"')).body.code, 'changed_meanwhile');
  const readResponse = await staff('GET', `/admin/payouts/${id}`);
  assert.equal((await payAgain(readResponse.headers.get('etag')!)).status, 200);
});

test('failed: the amount is owed again and paid in the next batch; repeating it changes nothing', async () => {
  service.clock.set(MONDAY);
  const merchant = await newMerchant({ days: 0, fee: 0 });
  await merchant.sell(await shop.newShopper(), 80);
  const [first] = await batch();
  for (let i = 0; i < 2; i++) {
    const failed = await close(first.id, 'failed', { reason: 'Conta encerrada' });
    assert.deepEqual([failed.body.status, failed.body.reason], ['failed', 'Conta encerrada']);
  }
  assert.equal((await close(first.id, 'paid', { reference: 'x' })).body.code, 'payout_closed');
  service.clock.advance(DAY_MS);
  const [second] = await batch();
  assert.deepEqual([second.merchant, second.amount], [merchant.slug, 80]);
  await close(second.id, 'paid', { reference: 'TED 9' });
  assert.deepEqual(await merchant.lines(), [
    ['payout', -80, 0],
    ['payout_failed', 80, 80],
    ['payout', -80, 0],
    ['sale', 80, 80],
  ]);
  const shown = (await staff('GET', `/admin/payouts/${second.id}`)).body;
  assert.deepEqual(
    shown.lines.map((line: Body) => [line.kind, line.amount, line.of_payout]),
    [['payout_failed', 80, first.id]],
  );
  assert.deepEqual(await shop.listMismatches(), []);
});

test('a return before the sale is due reduces only the payout of that sale', async () => {
  service.clock.set(MONDAY);
  const merchant = await newMerchant({ days: 2 });
  const buyer = await shop.newShopper();
  await merchant.sell(buyer, 50, { purchased_at: new Date(Date.parse(MONDAY) - 7 * DAY_MS).toISOString() });
  const { hash } = await merchant.sell(buyer, 100);
  await shop.returnWithoutPsp(buyer.id, hash, 100);
  const [today] = await batch();
  assert.equal(today.amount, 48.5, 'the sale of last week, whole');
  service.clock.advance(2 * DAY_MS);
  assert.deepEqual(await batch(), [], 'sold and returned: nothing');
  assert.deepEqual(await shop.listMismatches(), []);
});

test('returns after the payout are taken from the next payouts, with the exact fee', async () => {
  service.clock.set(MONDAY);
  const merchant = await newMerchant({ days: 0, fee: 3.3333 });
  const buyer = await shop.newShopper(100_000);
  const { hash } = await merchant.sell(buyer, 100);
  const [first] = await batch();
  assert.equal(first.amount, 96.67);
  await close(first.id, 'paid', { reference: 'TED 1' });
  service.clock.advance(DAY_MS);
  for (const part of [33.33, 33.33, 33.34]) await shop.returnWithoutPsp(buyer.id, hash, part);
  assert.deepEqual((await merchant.lines())[0]![2], -96.67, 'the merchant owes what was paid');
  assert.deepEqual(await batch(), [], 'none while it is below zero');
  await merchant.sell(buyer, 60);
  assert.deepEqual(await batch(), [], 'carried over');
  await merchant.sell(buyer, 60);
  const [next] = await batch();
  assert.equal(next.amount, 19.35, '120.00 less two fees of 1.99, less 96.67');
  assert.deepEqual(await shop.listMismatches(), []);
});

test('lists can be filtered by status, merchant and days, in pages, newest first', async () => {
  service.clock.set('2027-05-03T15:00:00.000Z');
  const merchant = await newMerchant({ days: 0, fee: 0 });
  const buyer = await shop.newShopper();
  const ids: string[] = [];
  for (let i = 0; i < 3; i++) {
    await merchant.sell(buyer, 10 + i);
    ids.unshift((await batch())[0].id);
    service.clock.advance(DAY_MS);
  }
  await close(ids[2]!, 'paid', { reference: 'TED' });
  const list = async (query: string) =>
    (await staff('GET', `/admin/payouts?merchant=${merchant.slug}${query}`)).body;
  const idsOf = (body: Body) => body.data.map(({ id }: Body) => id);
  assert.deepEqual(idsOf(await list('')), ids);
  assert.deepEqual(idsOf(await list('&status=paid')), [ids[2]]);
  assert.deepEqual(idsOf(await list('&from=2027-05-04&to=2027-05-04')), [ids[1]]);
  const page = await list('&limit=1&page=2');
  assert.deepEqual([idsOf(page), page.pagination.total], [[ids[1]], 3]);
  assert.deepEqual(idsOf((await staff('GET', '/admin/payouts?merchant=nobody')).body), []);
  assert.equal((await staff('GET', '/admin/payouts?status=x')).status, 400);
  assert.equal((await staff('GET', '/admin/payouts/pay_00000000000000000000000000')).status, 404);
  const { data } = await merchant.ask('/merchant/statement?from=2027-05-05&to=2027-05-05');
  assert.deepEqual(
    data.map((line: Body) => [line.kind, line.balance_after]),
    [
      ['payout', 0],
      ['sale', 12],
    ],
  );
  const second = await merchant.ask('/merchant/statement?limit=2&page=2');
  assert.deepEqual(
    [second.data[0].balance_after, second.data[1].balance_after, second.pagination.total],
    [0, 11, 6],
  );
});

test('CSV for the bank: all payouts, quoted, and without spreadsheet formulas', async () => {
  service.clock.set('2027-06-07T15:00:00.000Z');
  const merchant = await newMerchant({ days: 0, fee: 0 });
  await merchant.sell(await shop.newShopper(), 1234.5);
  const [{ id }] = await batch();
  await close(id, 'paid', { reference: '+TED,1' });
  const response = await staff('GET', `/admin/payouts?merchant=${merchant.slug}`, undefined, {
    headers: { accept: 'text/csv' },
  });
  assert.match(response.headers.get('content-type')!, /^text\/csv/);
  const at = '2027-06-07T15:00:00.000Z';
  assert.equal(
    response.text,
    'id,merchant,merchant_name,amount,status,due_on,created_at,paid_at,reference,failed_at,reason,pix_key,holder_name,tax_id,bank_number\r\n' +
      `${id},${merchant.slug},"'=Loja ""${merchants}"", Ltda",1234.50,paid,2027-06-07,${at},${at},"'+TED,1",,,,,,${id.slice(-20).toUpperCase()}\r\n`,
  );
});

test('payouts show the payout account: in full for finance, masked for lower roles, empty if none is set', async () => {
  service.clock.set('2027-06-14T15:00:00.000Z');
  const merchant = await newMerchant({ days: 0, fee: 0 });
  await merchant.sell(await shop.newShopper(), 10.5);
  await batch();
  const path = `/admin/merchants/${merchant.slug}/payout-account`;
  const account = { pix_key: 'caixa@loja.example', holder_name: 'Loja Ltda', tax_id: '11.222.333/0001-81' };
  const none = { pix_key: null, holder_name: null, tax_id: null, change: null };
  assert.deepEqual((await staff('GET', path)).body, none);
  const wrongResponse = await staff('PUT', path, { ...account, tax_id: '11222333000182' });
  assert.deepEqual([wrongResponse.status, wrongResponse.body.errors[0].pointer], [400, '/tax_id']);
  assert.equal((await staff('PUT', '/admin/merchants/nenhuma/payout-account', account)).status, 404);
  const set = await staff('PUT', path, account);
  assert.deepEqual(set.body, { ...account, tax_id: '11222333000181', change: null });
  assert.deepEqual((await staff('GET', path)).body, set.body);
  const csvAs = async (key: string) => {
    const response = await fetch(`${service.staffUrl}/admin/payouts?merchant=${merchant.slug}&csv=br`, {
      headers: { 'x-api-key': key },
    });
    const [head, line] = Buffer.from(await response.arrayBuffer())
      .toString()
      .split('\r\n');
    return { head: head!, cells: line!.split(';') };
  };
  const { head, cells } = await csvAs(OPERATOR_KEY);
  assert.match(head, /^\ufeffid;merchant;.*;pix_key;holder_name;tax_id;bank_number$/);
  assert.deepEqual(
    [cells[3], ...cells.slice(-4, -1)],
    ['10,50', 'caixa@loja.example', 'Loja Ltda', '11222333000181'],
  );
  const viewer = await newStaffUser(service, 'Vera', 'viewer');
  assert.equal((await service.staff('GET', path, { key: viewer.key })).status, 200);
  assert.deepEqual((await csvAs(viewer.key)).cells.slice(-4, -1), ['***', '***', '***']);
  const refusal = await service.staff('PUT', path, { key: viewer.key, body: account });
  assert.deepEqual([refusal.status, refusal.body.code], [403, 'role_missing']);
  const { body: trail } = await staff('GET', `/admin/audit-trail?subject=payout_account:${merchant.slug}`);
  assert.equal(trail.data.length, 1);
});

test('the statement as CSV has all lines, also in the Brazilian dialect', async () => {
  service.clock.set('2027-06-21T15:00:00.000Z');
  const merchant = await newMerchant({ days: 0, fee: 3 });
  await merchant.sell(await shop.newShopper(), 100);
  const csv = async (headers: Record<string, string>, query = '') => {
    const url = `${service.partnerUrl}/merchant/statement?limit=1${query}`;
    const response = await fetch(url, { headers: { 'x-api-key': merchant.key, ...headers } });
    assert.match(response.headers.get('content-type')!, /^text\/csv/);
    assert.match(response.headers.get('content-disposition')!, /filename="statement.csv"/);
    return Buffer.from(await response.arrayBuffer())
      .toString()
      .trimEnd()
      .split('\r\n');
  };
  const plain = await csv({ accept: 'text/csv' });
  assert.equal(
    plain[0],
    'id,kind,amount,checkout_hash,of_payout,due_on,occurred_at,settled_by,balance_after',
  );
  // Not one page: every line.
  const figures = (lines: string[], separator: string) =>
    lines.slice(1).map((line) => {
      const cells = line.split(separator);
      return [cells[1], cells[2], cells.at(-1)];
    });
  assert.deepEqual(figures(plain, ','), [
    ['fee', '-3.00', '97.00'],
    ['sale', '100.00', '100.00'],
  ]);
  for (const brazilian of [
    await csv({ accept: 'text/csv', 'accept-language': 'pt-BR' }),
    await csv({}, '&csv=br'),
  ]) {
    assert.match(brazilian[0]!, /^\ufeffid;kind;amount;/);
    assert.deepEqual(figures(brazilian, ';')[0], ['fee', '-3,00', '97,00']);
  }
  assert.equal((await csv({ accept: 'text/csv' }, '&to=2027-06-20')).length, 1, 'the heading alone');
  await batch(); // for the tests after it
});

test('the command line can create, list, show and mark payouts', async () => {
  service.clock.set('2027-08-02T15:00:00.000Z');
  const merchant = await newMerchant({ days: 0, fee: 0 });
  const buyer = await shop.newShopper();
  await merchant.sell(buyer, 25);
  await assert.rejects(run('payouts create'), /Use --yes to confirm/);
  const created = await run('payouts create', '--yes');
  const id = /pay_[0-9a-z]{26}/.exec(created)![0];
  assert.match(created, new RegExp(`${merchant.slug} +25.00 +pending`));
  assert.match(await run('payouts create', '--until', '2027-08-02', '--yes'), /^Nothing is due until/);
  assert.match(
    await run('payouts failed', id, '--reason', 'Conta encerrada', '--yes'),
    /is owed 25.00 again/,
  );
  const again = /pay_[0-9a-z]{26}/.exec(await run('payouts create', '--yes'))![0];
  assert.match(await run('payouts paid', again, '--reference', 'TED 7', '--yes'), /was paid 25.00/);
  const listed = await run('payouts list', '--merchant', merchant.slug, '--json');
  const statuses = listed
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line).status);
  assert.deepEqual(statuses.toSorted(), ['failed', 'paid']);
  const shown = JSON.parse(await run('payouts get', again, '--json'));
  assert.deepEqual([shown.reference, shown.lines[0].of_payout], ['TED 7', id]);
});

test('other merchants see none of it, and keys of other scopes get 403', async () => {
  service.clock.set(MONDAY);
  const merchant = await newMerchant({ days: 0 });
  await merchant.sell(await shop.newShopper(), 70);
  const [{ id }] = await batch();
  const stranger = await newMerchant();
  assert.equal((await merchant.ask(`/merchant/payouts/${id}`)).lines.length, 2);
  assert.equal((await service.get(`/merchant/payouts/${id}`, { key: stranger.key })).status, 404);
  assert.deepEqual((await stranger.ask('/merchant/payouts')).data, []);
  assert.deepEqual((await stranger.ask('/merchant/statement')).data, []);
  assert.equal((await service.get('/merchant/payouts')).status, 403);
});

test('the database rejects changes to lines, and the audit reports tampering', async () => {
  service.clock.set(MONDAY);
  const merchant = await newMerchant({ days: 0 });
  const buyer = await shop.newShopper();
  const { hash } = await merchant.sell(buyer, 100);
  const change = (statement: ReturnType<typeof sql>) => service.db.run(statement);
  await assert.rejects(
    change(sql`update merchant_lines set amount_cents = 1 where checkout_hash = ${hash}`),
    /append-only|append_only|cannot/i,
  );
  const [{ id }] = await batch();
  await assert.rejects(change(sql`update merchant_lines set payout_id = null where payout_id = ${id}`));
  assert.deepEqual(await shop.listMismatches(), []);
  await service.db.transaction(async (tx) => {
    await tx.run(sql`set local session_replication_role = replica`);
    await tx.run(sql`
      update merchant_lines set amount_cents = 9999 where checkout_hash = ${hash} and kind = 'sale'`);
  });
  const mismatches = await shop.listMismatches();
  assert.ok(mismatches.some((text) => text === `sale ${hash}: its sale is 9999, should be 10000`));
  assert.ok(mismatches.some((text) => text === `payout ${id}: settled_cents is 9699, should be 9700`));
});
