/** The summary of a day for a merchant. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MINUTE_MS } from '#core/values/duration.ts';
import { sql } from '#platform/database/db.ts';
import { openService } from '../../test/harness.ts';
import { logInMember, TILL_KEY } from '../../test/members.ts';
import { createPixDriver } from '../../test/pix-driver.ts';
import {
  ANA,
  assertRefused,
  BEHIND_PROXY,
  newPhone,
  OPERATOR_KEY,
  openSessionFor,
} from '../../test/support/customers.ts';

const service = await openService(BEHIND_PROXY);
const pixDriver = createPixDriver(service);
/** Tuesday, 21:30 in São Paulo. */
const TUESDAY = '2027-03-03T00:30:00.000Z';
service.clock.set(TUESDAY);

const slug = 'loja-do-dia';
await service.db.run(sql`
  insert into merchants (slug, name, name_key, category_slug, merchant_fee_percent, payout_days)
  values (${slug}, 'Loja do Dia', ${slug}, 'padarias', 10, 2)`);

async function newMember(role: string, merchant = slug) {
  const phone = newPhone();
  const body = { name: 'Rita Lemos', phone, role };
  const path = `/admin/merchants/${merchant}/members`;
  assert.equal((await service.staff('POST', path, { key: OPERATOR_KEY, body })).status, 201);
  return { phone, get: await signIn(phone) };
}
/** Tokens are valid for minutes, so tests that advance days sign in again. */
async function signIn(phone: string) {
  const { token } = await logInMember(service, phone);
  return (path: string) => service.get(path, { key: TILL_KEY, token });
}
const owner = await newMember('owner');
const clerk = await newMember('clerk');

test('a summary has the sales, returns and offers of the São Paulo day, and the next payout', async () => {
  assert.deepEqual((await owner.get('/merchant/summary')).body, {
    sales: 0,
    sold: 0,
    returned: 0,
    waiting: 0,
    next_payout: null,
  });
  const customer = await pixDriver.createCustomer();
  const firstCheckout = await pixDriver.sell(customer, { merchant: slug, amount: 100 });
  await pixDriver.sell(customer, { merchant: slug, amount: 50.5 });
  const returnsPath = `/admin/checkouts/${firstCheckout.hash}/returns`;
  const returnResponse = await service.staff('POST', returnsPath, {
    key: OPERATOR_KEY,
    body: { amount: 20, reason: 'Não serviu' },
  });
  assert.equal(returnResponse.status, 201, returnResponse.text);
  const expectedSummary = {
    sales: 2,
    sold: 150.5,
    returned: 20,
    waiting: 0,
    // 150.50 less the return of 20.00 and the fee of a tenth, due on the second business day.
    next_payout: { amount: 117.45, due_on: '2027-03-04' },
  };
  assert.deepEqual((await owner.get('/merchant/summary')).body, expectedSummary);
  assert.deepEqual((await owner.get('/merchant/summary?on=2027-03-02')).body, expectedSummary);
  const nextDaySummary = { ...expectedSummary, sales: 0, sold: 0, returned: 0 };
  assert.deepEqual((await owner.get('/merchant/summary?on=2027-03-03')).body, nextDaySummary);
  assert.equal((await owner.get('/merchant/summary?on=nonsense')).status, 400);
});

test('a clerk sees only the summary of today, without payouts', async () => {
  const { body } = await clerk.get('/merchant/summary');
  assert.deepEqual([body.sales, body.sold, body.next_payout], [2, 150.5, null]);
  assertRefused(await clerk.get('/merchant/summary?on=2027-03-01'), 403, 'role_missing');
  assertRefused(await clerk.get('/merchant/sales-by-day'), 403, 'role_missing');
});

test('waiting counts pending offers', async () => {
  service.clock.advance(MINUTE_MS);
  const { token } = await logInMember(service, clerk.phone);
  const options = { key: TILL_KEY, token };
  const createResponse = await service.post('/merchant/offers', { amount: 30, installments: 2 }, options);
  assert.equal(createResponse.status, 201, createResponse.text);
  assert.equal((await service.get('/merchant/summary', options)).body.waiting, 1);
  await service.post(`/merchant/offers/${createResponse.body.id}/cancel`, undefined, options);
  assert.equal((await service.get('/merchant/summary', options)).body.waiting, 0);
});

test('the next payout is the pending payout, or else the next due amount, never before today', async () => {
  service.clock.set('2027-03-05T15:00:00.000Z');
  const get = await signIn(owner.phone);
  assert.deepEqual((await get('/merchant/summary')).body.next_payout, {
    amount: 117.45,
    due_on: '2027-03-05',
  });
  const batchResponse = await service.staff('POST', '/admin/payouts', { key: OPERATOR_KEY, body: {} });
  const [payout] = batchResponse.body.data.filter(({ merchant }: { merchant: string }) => merchant === slug);
  await pixDriver.sell(await pixDriver.createCustomer(), { merchant: slug, amount: 10 });
  assert.deepEqual((await get('/merchant/summary')).body.next_payout, {
    amount: 117.45,
    due_on: '2027-03-04',
  });
  const paidOptions = { key: OPERATOR_KEY, body: { reference: 'TED 1' } };
  await service.staff('POST', `/admin/payouts/${payout.id}/paid`, paidOptions);
  // The sale of 10.00 without the fee of a tenth.
  assert.deepEqual((await get('/merchant/summary')).body.next_payout, { amount: 9, due_on: '2027-03-09' });
});

test('sales by day include every day of the period, in order', async () => {
  service.clock.advance(MINUTE_MS);
  const get = await signIn(owner.phone);
  const { body } = await get('/merchant/sales-by-day?from=2027-03-01&to=2027-03-05');
  assert.deepEqual(
    body.data.map(({ day, sales, sold, returned }: Record<string, unknown>) => [day, sales, sold, returned]),
    [
      ['2027-03-01', 0, 0, 0],
      ['2027-03-02', 2, 150.5, 20],
      ['2027-03-03', 0, 0, 0],
      ['2027-03-04', 0, 0, 0],
      ['2027-03-05', 1, 10, 0],
    ],
  );
  assert.equal((await get('/merchant/sales-by-day')).body.data.length, 30);
  for (const invalidValue of ['from=2027-03-06&to=2027-03-05', 'from=2026-01-01&to=2027-03-05'])
    assertRefused(await get(`/merchant/sales-by-day?${invalidValue}`), 400, 'validation_failed');
});

test('a till key without token, a customer’s token and another merchant’s owner see nothing', async () => {
  const stranger = await newMember('owner', 'otica-lume');
  const { token } = await openSessionFor(service, ANA);
  for (const path of ['/merchant/summary', '/merchant/sales-by-day']) {
    assertRefused(await service.get(path, { key: TILL_KEY }), 401, 'token_missing');
    assertRefused(await service.get(path, { key: TILL_KEY, token }), 401, 'token_invalid');
  }
  assert.equal((await stranger.get('/merchant/summary')).body.sales, 0);
  const { data } = (await stranger.get('/merchant/sales-by-day')).body;
  assert.ok(data.every(({ sales }: { sales: number }) => sales === 0));
});
