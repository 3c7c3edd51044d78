/** A return that would leave a merchant owing more than MERCHANT_FLOOR waits for approval. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DAY_MS } from '#core/values/duration.ts';
import { sql } from '#platform/database/db.ts';
import { createCommandRunner } from '../../../test/commands.ts';
import { openService } from '../../../test/harness.ts';
import { createPurchaseDriver, newPhone, OPERATOR_KEY } from '../../../test/purchase-driver.ts';
import { assertRefused } from '../../../test/support/customers.ts';

const service = await openService();
const otherNode = await service.startNode();
const driver = createPurchaseDriver(service);
const run = createCommandRunner(service);
const MONDAY = '2027-03-01T15:00:00.000Z';
const WEEK_MS = 7 * DAY_MS;
let merchantCount = 0;

type ReturnOptions = { amount?: number; node?: typeof otherNode };

// biome-ignore lint/suspicious/noExplicitAny: tests look into bodies freely
type Body = any;

const callStaffApi = (method: string, path: string, body?: unknown) =>
  service.staff(method, path, { key: OPERATOR_KEY, ...(body !== undefined && { body }) });

/** Creates a merchant with a fee of 3 % and sales of these amounts, which are paid out, so that its balance is 0. */
async function newPaidMerchant(...amounts: number[]) {
  service.clock.set(MONDAY);
  const slug = `piso-${++merchantCount}`;
  const row = await service.db.row<{ id: number }>(sql`
    insert into merchants (slug, name, name_key, category_slug, merchant_fee_percent)
    values (${slug}, ${slug}, ${slug}, 'padarias', 3) returning id`);
  const { secret: key } = await service.newKey({ scopes: ['merchant'], merchant_id: row!.id });
  const sales = [];
  for (const amount of amounts) {
    const customer = await driver.createCustomer();
    const { hash } = await driver.sell(customer, { merchant: slug, amount });
    sales.push({ customer, hash });
  }
  service.clock.advance(WEEK_MS);
  const { body } = await callStaffApi('POST', '/admin/payouts', {});
  for (const { id } of body.data)
    await callStaffApi('POST', `/admin/payouts/${id}/paid`, { reference: `TED ${id}` });
  const post = (path: string, body: object = {}, node: typeof otherNode = service) =>
    node.post(path, body, { key });
  return {
    slug,
    sales,
    requestReturn: (hash: string, { amount, node = service }: ReturnOptions = {}) =>
      post(`/merchant/checkouts/${hash}/returns`, { reason: 'Não serviu', ...(amount && { amount }) }, node),
    previewReturn: (hash: string) =>
      post(`/merchant/checkouts/${hash}/returns?dry_run=true`, { reason: 'Não serviu' }),
    requestOffer: () => post('/merchant/offers', { phone: newPhone(), amount: 100, installments: 1 }),
    readBalance: async () =>
      (await service.get('/merchant/statement?limit=1', { key })).body.data[0].balance_after,
    listMerchantReturns: async (status: string) =>
      (await service.get(`/merchant/returns?status=${status}`, { key })).body.data,
  };
}
const assertAuditAgrees = async (id: string) => assert.deepEqual(await driver.listMismatches(id), []);

test('202: the return waits and no money moves; once approved it is carried out, and the merchant cannot create offers', async () => {
  const { slug, sales, requestReturn, previewReturn, requestOffer, readBalance, listMerchantReturns } =
    await newPaidMerchant(4000);
  const { customer, hash } = sales[0]!;
  const preview = await previewReturn(hash);
  assert.equal(preview.status, 200, preview.text);
  assert.deepEqual(
    [
      preview.body.would_wait,
      preview.body.merchant,
      preview.body.amount,
      preview.body.checkout.amounts.returned,
    ],
    // 4000.00 without the fee of 3 %, which is refunded.
    [true, { owed_before: 0, owed_after: -3880 }, 4000, 4000],
  );
  const requestResponse = await requestReturn(hash);
  assert.equal(requestResponse.status, 202, requestResponse.text);
  const { id, status } = requestResponse.body.return;
  assert.equal(status, 'waiting');
  assert.equal(await readBalance(), 0);
  assert.equal((await driver.getCheckout(hash)).amounts.returned, 0);
  const listReturns = async () =>
    (await driver.getCheckout(hash)).returns.map((purchaseReturn: Body) => [
      purchaseReturn.id,
      purchaseReturn.status,
      purchaseReturn.amount,
      purchaseReturn.reason,
    ]);
  assert.deepEqual(await listReturns(), [[id, 'waiting', 4000, 'Não serviu']]);
  assert.equal((await listMerchantReturns('waiting'))[0].id, id);
  const waitingReturns = (await callStaffApi('GET', `/admin/returns?status=waiting&merchant=${slug}`)).body
    .data;
  assert.deepEqual(
    waitingReturns.map((waitingReturn: Body) => [
      waitingReturn.id,
      waitingReturn.amount,
      waitingReturn.merchant.slug,
      waitingReturn.customer_id,
    ]),
    [[id, 4000, slug, customer.id]],
  );
  assertRefused(await requestReturn(hash, { amount: 1 }), 409, 'return_waiting');
  assert.equal((await requestOffer()).status, 201, 'the merchant owes nothing yet');
  const approve = () => callStaffApi('POST', `/admin/returns/${id}/approve`);
  const approvals = await Promise.all([approve(), approve(), approve()]);
  assert.deepEqual(approvals.map((response) => response.status).toSorted(), [200, 409, 409]);
  assertRefused(await approve(), 409, 'return_closed');
  assert.equal(await readBalance(), -3880);
  assert.equal((await driver.getCheckout(hash)).amounts.returned, 4000);
  assert.deepEqual(await listReturns(), [[id, 'made', 4000, 'Não serviu']]);
  assert.equal((await listMerchantReturns('made'))[0].id, id);
  assertRefused(await requestOffer(), 409, 'merchant_owes');
  await driver.sell(await driver.createCustomer(), { merchant: slug, amount: 4000 });
  assert.equal((await requestOffer()).status, 201, 'new sales have reduced the debt');
  await assertAuditAgrees(customer.id);
});

test('a return within the limit is carried out immediately; two concurrent returns cannot exceed the limit together', async () => {
  const { sales, requestReturn, readBalance } = await newPaidMerchant(500, 500);
  const responses = await Promise.all([
    requestReturn(sales[0]!.hash),
    requestReturn(sales[1]!.hash, { node: otherNode }),
  ]);
  assert.deepEqual(responses.map(({ status }) => status).toSorted(), [201, 202]);
  assert.equal(await readBalance(), -485); // 500.00 without the fee of 3 %
  for (const { customer } of sales) await assertAuditAgrees(customer.id);
});

test('a refused return moves no money and can be requested again; approving fails with 422 if the purchase changed, and the return keeps waiting', async () => {
  const { sales, requestReturn, readBalance, listMerchantReturns } = await newPaidMerchant(2000);
  const { customer, hash } = sales[0]!;
  const firstReturn = (await requestReturn(hash)).body.return;
  const refusal = await callStaffApi('POST', `/admin/returns/${firstReturn.id}/refuse`, {
    reason: 'Combine antes',
  });
  assert.equal(refusal.status, 200, refusal.text);
  assert.equal((await listMerchantReturns('refused'))[0].refusal, 'Combine antes');
  assertRefused(await callStaffApi('POST', `/admin/returns/${firstReturn.id}/approve`), 409, 'return_closed');
  const secondReturn = (await requestReturn(hash)).body.return;
  assert.equal((await driver.requestReturn(hash, 100)).status, 201, 'finance returns a part itself');
  assertRefused(
    await callStaffApi('POST', `/admin/returns/${secondReturn.id}/approve`),
    422,
    'value_out_of_range',
  );
  assert.equal((await listMerchantReturns('waiting'))[0].id, secondReturn.id);
  assert.equal(await readBalance(), -97); // 100.00 without the fee of 3 %
  await run('returns refuse', secondReturn.id, '--reason', 'Mudou');
  const thirdReturn = (await requestReturn(hash)).body.return;
  assert.equal(thirdReturn.amount, 1900);
  assert.match(await run('returns list', '--status', 'waiting'), new RegExp(thirdReturn.id));
  await run('returns approve', thirdReturn.id, '--yes');
  assert.equal(await readBalance(), -1940); // 2000.00 without the fee
  await assertAuditAgrees(customer.id);
});
