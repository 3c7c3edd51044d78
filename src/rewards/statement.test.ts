/** Pages of GET /wallet/cashback/ledger. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DAY_MS } from '#core/values/duration.ts';
import { sql } from '#platform/database/db.ts';
import { openService } from '../../test/harness.ts';
import { createCashbackDriver } from '../../test/support/cashback-driver.ts';

const service = await openService();
const cashbackDriver = createCashbackDriver(service);

type Line = { id: string; amount: number; balance_after: number; kind: string };

const START = '2027-03-01T15:00:00.000Z';
const RESTRICT_VIOLATION = '23001';
const UNIQUE_VIOLATION = '23505';
service.clock.set(START);
const customer = await cashbackDriver.createCustomer();
const LINE_COUNT = 25;
for (let i = 0; i < LINE_COUNT; i++) {
  service.clock.advance(DAY_MS);
  await cashbackDriver.buyAndPay(customer, { amount: 100 + i });
}
const ALL_LINES: Line[] = (await cashbackDriver.getStatement(customer, '?limit=100')).data;

const parseLinks = (link: string): Record<string, string> =>
  Object.fromEntries([...link.matchAll(/<([^>]+)>; rel="(\w+)"/g)].map(([, url, rel]) => [rel, url]));

/** Follows `next` from the first page, with an action between any two pages. */
async function listAllPages(
  limit: number,
  betweenPages: () => Promise<unknown> = async () => undefined,
): Promise<Line[]> {
  const lines: Line[] = [];
  let path: string | undefined = `/wallet/cashback/ledger?limit=${limit}`;
  while (path) {
    const { body, headers } = await cashbackDriver.getAsCustomer(customer, path);
    lines.push(...body.data);
    const { next } = parseLinks(headers.get('link')!);
    path = next?.replace(service.partnerUrl, '');
    await betweenPages();
  }
  return lines;
}

test('lines are newest first, and each balance is the previous one plus the amount', async () => {
  assert.equal(ALL_LINES.length, LINE_COUNT);
  for (const [i, line] of ALL_LINES.entries()) {
    const balanceBefore = ALL_LINES[i + 1]?.balance_after ?? 0;
    assert.equal(Math.round((balanceBefore + line.amount) * 100), Math.round(line.balance_after * 100));
  }
  assert.equal(ALL_LINES[0]!.balance_after, (await cashbackDriver.getBalance(customer)).available);
});

test('pages of any size have the same lines and balances', async () => {
  for (const limit of [1, 7, LINE_COUNT - 1, LINE_COUNT, LINE_COUNT + 1, 100])
    assert.deepEqual(await listAllPages(limit), ALL_LINES, `limit ${limit}`);
});

test('following Link while lines are added neither repeats nor misses a line', async () => {
  const [pageSize, pageCount] = [7, 4];
  const listedLines = await listAllPages(pageSize, () => cashbackDriver.buyAndPay(customer));
  assert.deepEqual(listedLines, ALL_LINES);
  const { data, pagination } = await cashbackDriver.getStatement(customer, '?limit=5');
  assert.equal(pagination.total, LINE_COUNT + pageCount, 'one line was added after each page');
  assert.deepEqual(data[pageCount], ALL_LINES[0]);
});

test('following Link while cashback expires, before and after the job writes it, neither repeats nor misses a line', async () => {
  const statementBefore = (await cashbackDriver.getStatement(customer, '?limit=100')).data;
  service.clock.set(new Date(Date.parse(START) + 185 * DAY_MS).toISOString()); // Lots are valid for 180 days.
  const firstResponse = await cashbackDriver.getAsCustomer(customer, '/wallet/cashback/ledger?limit=4');
  const { next } = parseLinks(firstResponse.headers.get('link')!);
  assert.equal(firstResponse.body.pagination.total, statementBefore.length + 4, 'four lots have expired');
  assert.deepEqual(
    firstResponse.body.data.map((line: Line) => line.kind),
    ['expired', 'expired', 'expired', 'expired'],
  );
  const secondResponse = await cashbackDriver.getAsCustomer(customer, next!.replace(service.partnerUrl, ''));
  assert.deepEqual(secondResponse.body.data, statementBefore.slice(0, 4));
  await cashbackDriver.expireDueCashback();
  service.clock.advance(DAY_MS);
  assert.deepEqual(
    (await cashbackDriver.getAsCustomer(customer, next!.replace(service.partnerUrl, ''))).body,
    secondResponse.body,
  );
  const repeatedResponse = await cashbackDriver.getAsCustomer(
    customer,
    `/wallet/cashback/ledger?limit=4&up_to=${statementBefore.length + 4}`,
  );
  assert.deepEqual(
    repeatedResponse.body.data,
    firstResponse.body.data,
    'written expiries equal the computed ones',
  );
  service.clock.set(new Date(Date.parse(START) + 30 * DAY_MS).toISOString()); // for the following tests
});

test('a page past the end is empty with 200; up_to past the end includes all lines', async () => {
  const { data, pagination } = await cashbackDriver.getStatement(customer, '?page=999999999&limit=100');
  assert.deepEqual([data, pagination.page], [[], 999_999_999]);
  const { total } = pagination;
  assert.equal((await cashbackDriver.getStatement(customer, '?up_to=1000000000')).pagination.total, total);
  assert.deepEqual((await cashbackDriver.getStatement(customer, '?up_to=0')).data, []);
});

test('400 lists all errors of page, limit and up_to together', async () => {
  const response = await cashbackDriver.getAsCustomer(
    customer,
    '/wallet/cashback/ledger?page=0&limit=101&up_to=-1',
  );
  assert.equal(response.status, 400);
  assert.deepEqual(
    response.body.errors.map(({ pointer }: { pointer: string }) => pointer),
    ['/page', '/limit', '/up_to'],
  );
  for (const upTo of ['x', '1.5', '1000000001', ''])
    assert.equal(
      (await cashbackDriver.getAsCustomer(customer, `/wallet/cashback/ledger?up_to=${upTo}`)).status,
      400,
      upTo,
    );
});

test('a customer sees only their own lines', async () => {
  const otherCustomer = await cashbackDriver.createCustomer();
  assert.equal((await cashbackDriver.getStatement(otherCustomer)).pagination.total, 0);
  assert.equal((await cashbackDriver.getBalance(otherCustomer)).available, 0);
});

test('the database rejects changes of lines, and a second line for a posting', async () => {
  await cashbackDriver.buyAndPay(customer);
  const { id } = (await cashbackDriver.getStatement(customer)).data[0];
  await assert.rejects(service.db.run(sql`update cashback_movements set amount_cents = 1 where id = ${id}`), {
    code: RESTRICT_VIOLATION,
  });
  await assert.rejects(service.db.run(sql`delete from cashback_movements`), { code: RESTRICT_VIOLATION });
  await assert.rejects(service.db.run(sql`truncate cashback_movements cascade`), {
    code: RESTRICT_VIOLATION,
  });
  // A line gets the amount of its posting, and a posting can have only one line.
  await assert.rejects(
    service.db.run(sql`
      insert into cashback_movements (customer_id, id, posting_id, kind, amount_cents, balance_after_cents, position,
                                      description, occurred_at, expires_on)
      select customer_id, 'made up', posting_id, kind, 999999, 999999, 999999, 'x', now(), expires_on
      from cashback_movements where id = ${id}`),
    { code: UNIQUE_VIOLATION },
  );
  assert.deepEqual(await cashbackDriver.listMismatches(), []);
});
