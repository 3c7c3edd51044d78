import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DAY_MS } from '#core/duration.ts';
import { sql } from '#platform/database/db.ts';
import { openService } from '../../test/harness.ts';
import { OPERATOR_KEY } from '../../test/shop.ts';
import { assertRefused } from '../../test/support/customers.ts';
import { openTill } from '../../test/till.ts';

const service = await openService({ env: { FOUR_EYES_AMOUNT: '50.00' } });
const till = openTill(service);

async function newPerson(name: string, role: string) {
  const { body } = await service.staff('POST', '/admin/staff', { key: OPERATOR_KEY, body: { name, role } });
  return body as { id: string; key: string };
}

const as = (key: string, method: string, path: string, body?: unknown) =>
  service.staff(method, path, { key, ...(body !== undefined && { body }) });
const second = await newPerson('Davi Prado', 'finance');
const adjust = (customer: string, amount: number) =>
  till.staff('POST', `/admin/cashback/${customer}/adjust`, { amount, reason: 'Desculpas pelo atraso' });
const balance = async (customer: string) =>
  (await till.staff('GET', `/admin/cashback/${customer}`)).body.available as number;
const approve = (id: string, key = second.key) => as(key, 'POST', `/admin/approvals/${id}/approve`);

test('over the amount it waits for a second person, who does it at once; up to it nothing waits', async () => {
  const { id } = await till.newShopper();
  assert.deepEqual((await till.staff('GET', '/admin/four-eyes')).body, { above: 50 });
  assert.equal((await adjust(id, 50)).status, 201);
  const held = await adjust(id, 50.01);
  assert.equal(held.status, 202);
  const { approval } = held.body;
  assert.deepEqual(
    [approval.kind, approval.amount, approval.status, approval.subject, approval.asked_by.name],
    ['cashback_adjustment', 50.01, 'waiting', id, 'Demo admin'],
  );
  assert.equal(await balance(id), 50);
  const listed = await as(second.key, 'GET', '/admin/approvals?status=waiting');
  assert.ok(listed.body.data.some((one: { id: string }) => one.id === approval.id));
  const { totals, data } = (await till.staff('GET', '/admin/approvals?kind=cashback_adjustment')).body;
  assert.equal(
    totals.amount,
    data.reduce((sum: number, one: { amount: number }) => sum + one.amount, 0),
  );
  assert.deepEqual((await till.staff('GET', '/admin/approvals?kind=payout')).body.data, []);
  const done = await approve(approval.id);
  assert.equal(done.status, 200, done.text);
  assert.deepEqual([done.body.approval.status, done.body.approval.decided_by.id], ['approved', second.id]);
  assert.equal(done.body.result.available, 100.01);
  assert.equal(await balance(id), 100.01);
  assertRefused(await approve(approval.id), 409, 'approval_closed');
  const { body: trail } = await till.staff('GET', `/admin/audit-trail?subject=cashback:${id}`);
  assert.equal(trail.data[0].actor, second.id, 'who let it through did it');
  const row = await service.db.row<{ kept: boolean }>(
    sql`select request_sealed is not null as kept from approvals where id = ${approval.id}`,
  );
  assert.equal(row!.kept, false, 'the request is gone once it is closed');
});

test('nobody approves what they asked for; who asked may take it back; asked twice it is one', async () => {
  const { id } = await till.newShopper();
  const [one, other] = await Promise.all([adjust(id, 60), adjust(id, 60)]);
  assert.equal(one.body.approval.id, other.body.approval.id);
  const { approval } = one.body;
  assertRefused(await approve(approval.id, OPERATOR_KEY), 409, 'own_approval');
  const refused = await till.staff('POST', `/admin/approvals/${approval.id}/refuse`, { reason: 'Engano' });
  assert.deepEqual([refused.body.status, refused.body.outcome], ['refused', 'Engano']);
  assertRefused(await approve(approval.id), 409, 'approval_closed');
  assert.equal(await balance(id), 0);
});

test('two who approve at once do it once', async () => {
  const { id } = await till.newShopper();
  const third = await newPerson('Noa Reis', 'finance');
  const { approval } = (await adjust(id, 70)).body;
  const answers = await Promise.all([approve(approval.id), approve(approval.id, third.key)]);
  assert.deepEqual(answers.map(({ status }) => status).toSorted(), [200, 409]);
  assert.equal(await balance(id), 70);
});

test('a role that may not do it may not approve it, and a forged header lets nothing through', async () => {
  const { id } = await till.newShopper();
  const support = await newPerson('Lia Melo', 'support');
  const { approval } = (await adjust(id, 80)).body;
  assertRefused(await approve(approval.id, support.key), 403, 'role_missing');
  const forged = await service.staff('POST', `/admin/cashback/${id}/adjust`, {
    key: OPERATOR_KEY,
    body: { amount: 81, reason: 'x' },
    headers: { 'x-approval': approval.id },
  });
  assert.equal(forged.status, 202);
});

test('409 act_failed: what can no longer be done says why, and stays failed', async () => {
  const shopper = await till.newShopper();
  const { hash, installments } = await till.sell(shopper, { amount: 90 });
  const held = await till.staff('POST', `/admin/checkouts/${hash}/write-off`, { reason: 'Acordo' });
  assert.deepEqual([held.status, held.body.approval.amount], [202, 90]);
  const { txid, id } = await till.charge(shopper, installments[0].id, 'settle');
  await till.payCode(txid);
  await till.whenStatus(shopper, id, 'paid');
  const failed = await approve(held.body.approval.id);
  assertRefused(failed, 409, 'act_failed');
  const { body } = await till.staff('GET', `/admin/approvals/${held.body.approval.id}`);
  assert.deepEqual([body.status, body.outcome], ['failed', failed.body.detail]);
});

test('a limit, a payout account and payouts wait too; a lower limit does not', async () => {
  const { id } = await till.newShopper(1_000);
  const limit = (credit_limit: number) => till.staff('PATCH', `/admin/customers/${id}`, { credit_limit });
  assert.equal((await limit(900)).status, 200);
  const held = await limit(2_000);
  assert.equal(held.status, 202);
  assert.equal((await approve(held.body.approval.id)).body.result.credit.limit, 2_000);
  const account = { pix_key: 'conta@padaria.example', holder_name: 'Padaria', tax_id: '11222333000181' };
  const path = '/admin/merchants/padaria-flor-do-trigo/payout-account';
  const put = await till.staff('PUT', path, account);
  assert.deepEqual([put.status, put.body.approval.amount], [202, null]);
  assert.equal((await approve(put.body.approval.id)).body.result.pix_key, account.pix_key);
  const shopper = await till.newShopper();
  await till.sell(shopper, { amount: 500 });
  service.clock.advance(10 * DAY_MS);
  const payouts = await till.staff('POST', '/admin/payouts', {});
  assert.equal(payouts.status, 202, payouts.text);
  const { result } = (await approve(payouts.body.approval.id)).body;
  assert.ok(result.data.length > 0);
});

test('what nobody decides expires after seven days', async () => {
  const { id } = await till.newShopper();
  const { approval } = (await adjust(id, 99)).body;
  service.clock.advance(8 * DAY_MS);
  await service.housekeep();
  assertRefused(await approve(approval.id), 409, 'approval_closed');
  const { body } = await till.staff('GET', `/admin/approvals/${approval.id}`);
  assert.deepEqual([body.status, body.decided_by], ['expired', null]);
});
