import assert from 'node:assert/strict';
import { test } from 'node:test';
import { saoPauloDay } from '#core/values/day.ts';
import { DAY_MS } from '#core/values/duration.ts';
import { sql } from '#platform/database/db.ts';
import { enqueue, isDueOrRunning } from '#platform/jobs/jobs.ts';
import { eventually, openService } from '../../../test/harness.ts';
import { createPixDriver } from '../../../test/pix-driver.ts';
import { OPERATOR_KEY } from '../../../test/purchase-driver.ts';
import { assertRefused } from '../../../test/support/customers.ts';
import { newStaffUser } from '../../../test/support/staff.ts';

const service = await openService({ env: { FOUR_EYES_AMOUNT: '50.00' } });
const pixDriver = createPixDriver(service);

const call = (key: string, method: string, path: string, body?: unknown) =>
  service.staff(method, path, { key, ...(body !== undefined && { body }) });
const approver = await newStaffUser(service, 'Davi Prado', 'finance');
const riskUser = await newStaffUser(service, 'Rita Alves', 'risk');
const adjustCashback = (customer: string, amount: number) =>
  pixDriver.callStaff('POST', `/admin/cashback/${customer}/adjust`, {
    amount,
    reason: 'Desculpas pelo atraso',
  });
const readBalance = async (customer: string) =>
  (await pixDriver.callStaff('GET', `/admin/cashback/${customer}`)).body.available as number;
const approve = (id: string, key = approver.key) => call(key, 'POST', `/admin/approvals/${id}/approve`);

test('an action above the threshold is held until a second person approves it; up to the threshold it is executed immediately', async () => {
  const { id } = await pixDriver.createCustomer();
  assert.deepEqual((await pixDriver.callStaff('GET', '/admin/four-eyes')).body, { above: 50 });
  assert.equal((await adjustCashback(id, 50)).status, 201);
  const response = await adjustCashback(id, 50.01);
  assert.equal(response.status, 202);
  const { approval } = response.body;
  assert.deepEqual(
    [approval.kind, approval.amount, approval.status, approval.subject.id, approval.asked_by.name],
    ['cashback_adjustment', 50.01, 'waiting', id, 'Demo admin'],
  );
  assert.deepEqual(approval.change, [{ field: 'cashback', before: 50, after: 100.01 }]);
  assert.equal(new Date(approval.expires_at).getTime() - new Date(approval.asked_at).getTime(), 7 * DAY_MS);
  assert.equal(await readBalance(id), 50);
  const listResponse = await call(approver.key, 'GET', '/admin/approvals?status=waiting');
  assert.ok(listResponse.body.data.some((item: { id: string }) => item.id === approval.id));
  const { totals, data } = (await pixDriver.callStaff('GET', '/admin/approvals?kind=cashback_adjustment'))
    .body;
  assert.equal(
    totals.amount,
    data.reduce((sum: number, item: { amount: number }) => sum + item.amount, 0),
  );
  assert.deepEqual((await pixDriver.callStaff('GET', '/admin/approvals?kind=payout')).body.data, []);
  const approveResponse = await approve(approval.id);
  assert.equal(approveResponse.status, 200, approveResponse.text);
  assert.deepEqual(
    [approveResponse.body.approval.status, approveResponse.body.approval.decided_by.id],
    ['approved', approver.id],
  );
  assert.equal(approveResponse.body.result.available, 100.01);
  assert.equal(await readBalance(id), 100.01);
  assertRefused(await approve(approval.id), 409, 'approval_closed');
  const { body: trail } = await pixDriver.callStaff('GET', `/admin/audit-trail?subject=cashback:${id}`);
  assert.deepEqual(
    [trail.data[0].actor_name, trail.data[0].approved_by, trail.data[0].approved_by_name],
    ['Demo admin', approver.id, 'Davi Prado'],
    'the action is the requester’s, and the approver is recorded too',
  );
  const row = await service.db.row<{ isStored: boolean }>(
    sql`select request_sealed is not null as "isStored" from approvals where id = ${approval.id}`,
  );
  assert.equal(row!.isStored, false, 'the stored request is deleted when the approval is closed');
});

test('a requester cannot approve their own action but can cancel it; a repeated request is one approval', async () => {
  const { id } = await pixDriver.createCustomer();
  const [firstResponse, secondResponse] = await Promise.all([adjustCashback(id, 60), adjustCashback(id, 60)]);
  assert.equal(firstResponse.body.approval.id, secondResponse.body.approval.id);
  const { approval } = firstResponse.body;
  assertRefused(await approve(approval.id, OPERATOR_KEY), 409, 'own_approval');
  const refusedResponse = await pixDriver.callStaff('POST', `/admin/approvals/${approval.id}/refuse`, {
    reason: 'Engano',
  });
  assert.deepEqual([refusedResponse.body.status, refusedResponse.body.outcome], ['refused', 'Engano']);
  assertRefused(await approve(approval.id), 409, 'approval_closed');
  assert.equal(await readBalance(id), 0);
});

test('concurrent approvals execute the action once', async () => {
  const { id } = await pixDriver.createCustomer();
  const otherApprover = await newStaffUser(service, 'Noa Reis', 'finance');
  const { approval } = (await adjustCashback(id, 70)).body;
  const responses = await Promise.all([approve(approval.id), approve(approval.id, otherApprover.key)]);
  assert.deepEqual(responses.map(({ status }) => status).toSorted(), [200, 409]);
  assert.equal(await readBalance(id), 70);
});

test('approving requires the role of the action, and the id of an approval is no credential', async () => {
  const { id } = await pixDriver.createCustomer();
  const support = await newStaffUser(service, 'Lia Melo', 'support');
  const { approval } = (await adjustCashback(id, 80)).body;
  assertRefused(await approve(approval.id, support.key), 403, 'role_missing');
  const forgedResponse = await service.staff('POST', `/admin/cashback/${id}/adjust`, {
    key: null,
    body: { amount: 81, reason: 'x' },
    headers: { authorization: `Bearer ${approval.id}` },
  });
  assertRefused(forgedResponse, 401, 'session_ended');
});

test('409 act_failed: an action that is no longer possible returns the reason, and the approval stays failed', async () => {
  const customer = await pixDriver.createCustomer();
  const { hash, installments } = await pixDriver.sell(customer, { amount: 90 });
  const response = await pixDriver.callStaff('POST', `/admin/checkouts/${hash}/write-off`, {
    reason: 'Acordo',
  });
  assert.deepEqual([response.status, response.body.approval.amount], [202, 90]);
  const { txid, id } = await pixDriver.createCharge(customer, installments[0].id, 'settle');
  await pixDriver.payCharge(txid);
  await pixDriver.waitForStatus(customer, id, 'paid');
  const refusedResponse = await approve(response.body.approval.id);
  assertRefused(refusedResponse, 409, 'act_failed');
  const { body } = await pixDriver.callStaff('GET', `/admin/approvals/${response.body.approval.id}`);
  assert.deepEqual([body.status, body.outcome], ['failed', refusedResponse.body.detail]);
});

test('a higher limit, a payout account and payouts require an approval; a lower limit does not', async () => {
  const { id } = await pixDriver.createCustomer({ limitReais: 1_000 });
  const setLimit = (credit_limit: number) =>
    pixDriver.callStaff('PATCH', `/admin/customers/${id}`, { credit_limit });
  assert.equal((await setLimit(900)).status, 200);
  const response = await setLimit(2_000);
  assert.equal(response.status, 202);
  assertRefused(await approve(response.body.approval.id), 403, 'role_missing');
  assert.equal((await approve(response.body.approval.id, riskUser.key)).body.result.credit.limit, 2_000);
  const account = { pix_key: 'conta@padaria.example', holder_name: 'Padaria', tax_id: '11222333000181' };
  const path = '/admin/merchants/padaria-flor-do-trigo/payout-account';
  const accountResponse = await pixDriver.callStaff('PUT', path, account);
  assert.deepEqual([accountResponse.status, accountResponse.body.approval.amount], [202, null]);
  assert.equal((await approve(accountResponse.body.approval.id)).body.result.pix_key, account.pix_key);
  const customer = await pixDriver.createCustomer();
  await pixDriver.sell(customer, { amount: 500 });
  service.clock.advance(10 * DAY_MS);
  const payoutResponse = await pixDriver.callStaff('POST', '/admin/payouts', {});
  assert.equal(payoutResponse.status, 202, payoutResponse.text);
  const { result } = (await approve(payoutResponse.body.approval.id)).body;
  assert.ok(result.data.length > 0);
});

test('an undecided approval expires after seven days', async () => {
  const { id } = await pixDriver.createCustomer();
  const { approval } = (await adjustCashback(id, 99)).body;
  service.clock.advance(8 * DAY_MS);
  await service.runHousekeeping();
  assertRefused(await approve(approval.id), 409, 'approval_closed');
  const { body } = await pixDriver.callStaff('GET', `/admin/approvals/${approval.id}`);
  assert.deepEqual([body.status, body.decided_by], ['expired', null]);
});

test('422 approval_mixed: a change of a limit must not contain other fields, so its approval changes no phone', async () => {
  const { id } = await pixDriver.createCustomer({ limitReais: 100 });
  const body = { credit_limit: 5_000, phone: '+5511999990001' };
  const mixedResponse = await pixDriver.callStaff('PATCH', `/admin/customers/${id}`, body);
  assertRefused(mixedResponse, 422, 'approval_mixed');
  assert.deepEqual(mixedResponse.body.fields, ['phone']);
  const heldResponse = await pixDriver.callStaff('PATCH', `/admin/customers/${id}`, {
    credit_limit: 5_000,
    reason: 'Renda',
  });
  assert.deepEqual(
    [heldResponse.status, heldResponse.body.approval.change],
    [202, [{ field: 'credit_limit', before: 100, after: 5_000 }]],
  );
});

test('409 approval_stale: a payout batch pays exactly what the approval listed, or nothing', async () => {
  const customer = await pixDriver.createCustomer();
  await pixDriver.sell(customer, { amount: 150 });
  const until = saoPauloDay(service.clock.now().getTime() + 10 * DAY_MS);
  const heldResponse = await pixDriver.callStaff('POST', '/admin/payouts', { until });
  const { amount, change } = heldResponse.body.approval;
  assert.equal(
    amount,
    change.reduce((sum: number, line: { after: number }) => sum + line.after, 0),
  );
  const otherCustomer = await pixDriver.createCustomer();
  await pixDriver.sell(otherCustomer, { amount: 400 });
  const countPayouts = async () =>
    (await pixDriver.callStaff('GET', '/admin/payouts?limit=1')).body.pagination.total;
  const countBefore = await countPayouts();
  assertRefused(await approve(heldResponse.body.approval.id), 409, 'approval_stale');
  assert.equal(await countPayouts(), countBefore);
  const repeatedResponse = await pixDriver.callStaff('POST', '/admin/payouts', { until });
  assert.ok(repeatedResponse.body.approval.amount > amount);
  assert.equal((await approve(repeatedResponse.body.approval.id)).status, 200);
});

test('an action whose approval was interrupted by a crash is performed once, even long afterwards', async () => {
  const { id } = await pixDriver.createCustomer();
  const { approval } = (await adjustCashback(id, 70)).body;
  // The state between the commit of the approval and the action.
  await service.db.run(sql`
    update approvals set status = 'approved', decided_by = ${approver.id}, decided_at = ${service.clock.now()} where id = ${approval.id}`);
  service.clock.advance(40 * DAY_MS);
  await service.runHousekeeping();
  const node = await service.startNode();
  const maxAttempts = 1;
  const enqueueJob = () =>
    service.db.transaction((tx) => enqueue(tx, 'perform_approved_act', { id: approval.id }, maxAttempts));
  const isDone = async () => {
    const row = await service.db.row<{ done: boolean }>(
      sql`select done_at is not null as done from approvals where id = ${approval.id}`,
    );
    return row!.done && !(await isDueOrRunning(service.db, 'perform_approved_act'));
  };
  await Promise.all([enqueueJob(), enqueueJob()]);
  await eventually('the action is performed', isDone);
  await enqueueJob();
  await eventually('the action is performed', isDone);
  assert.equal(await readBalance(id), 70);
  await node.stop();
});

test('409 approval_pending: while an action on a resource is pending, no other action on it starts', async () => {
  const { id } = await pixDriver.createCustomer({ limitReais: 100 });
  const { approval } = (await adjustCashback(id, 60)).body;
  const refusedResponse = await adjustCashback(id, 10);
  assertRefused(refusedResponse, 409, 'approval_pending');
  assert.equal(refusedResponse.body.approval, approval.id);
  assertRefused(await adjustCashback(id, 61), 409, 'approval_pending');
  const readCustomer = () => pixDriver.callStaff('GET', `/admin/customers/${id}`);
  assert.deepEqual((await readCustomer()).body.approval, approval);
  assertRefused(
    await pixDriver.callStaff('PATCH', `/admin/customers/${id}`, { credit_limit: 900 }),
    409,
    'approval_pending',
  );
  await pixDriver.callStaff('POST', `/admin/approvals/${approval.id}/refuse`, { reason: 'Engano' });
  assert.equal('approval' in (await readCustomer()).body, false);
  assert.equal((await adjustCashback(id, 10)).status, 201);
});

test('amounts of one kind of action are added up by person and day, so an action cannot be split to avoid the approval', async () => {
  const person = await newStaffUser(service, 'Iara Dias', 'finance');
  const statuses: number[] = [];
  for (const amount of [19.99, -19.99, 19.99]) {
    const { id } = await pixDriver.createCustomer();
    // A negative adjustment requires a balance.
    if (amount < 0)
      await pixDriver.callStaff('POST', `/admin/cashback/${id}/adjust`, { amount: 20, reason: 'x' });
    const { status } = await call(person.key, 'POST', `/admin/cashback/${id}/adjust`, {
      amount,
      reason: 'x',
    });
    statuses.push(status);
  }
  // The sums of the day are 19.99, 39.98 and, above the threshold of 50.00, 59.97.
  assert.deepEqual(statuses, [201, 201, 202]);
  const customers = await Promise.all([1, 2, 3].map(() => pixDriver.createCustomer()));
  const otherPerson = await newStaffUser(service, 'Rui Dias', 'finance');
  const responses = await Promise.all(
    customers.map(({ id }) =>
      call(otherPerson.key, 'POST', `/admin/cashback/${id}/adjust`, { amount: 40, reason: 'x' }),
    ),
  );
  assert.equal(responses.filter(({ status }) => status === 201).length, 1, 'also if they are concurrent');
  service.clock.advance(DAY_MS);
  const { id } = await pixDriver.createCustomer();
  assert.equal(
    (await call(otherPerson.key, 'POST', `/admin/cashback/${id}/adjust`, { amount: 40, reason: 'x' })).status,
    201,
  );
});

test('an owner, a role that moves money, a return by PIX and a limit of a new customer require an approval', async () => {
  const requestAction = async (method: string, path: string, body: unknown) => {
    const { status, body: response, text } = await pixDriver.callStaff(method, path, body);
    assert.equal(status, 202, text);
    return response.approval;
  };
  const owner = { name: 'Eu Mesmo', phone: '+5511977770001', role: 'owner' };
  const ownerApproval = await requestAction('POST', '/admin/merchants/otica-lume/members', owner);
  assert.deepEqual(
    ownerApproval.change.map(({ field, after }: { field: string; after: string }) => [field, after]),
    Object.entries({ role: 'owner', name: owner.name, phone: owner.phone }),
  );
  const viewer = await newStaffUser(service, 'Vera Lima', 'viewer');
  const maskedText = (await call(viewer.key, 'GET', `/admin/approvals/${ownerApproval.id}`)).text;
  assert.ok(!maskedText.includes(owner.phone) && !maskedText.includes(owner.name));
  const roleApproval = await requestAction('POST', '/admin/staff', { name: 'Duda Reis', role: 'finance' });
  assert.equal(
    (await approve(roleApproval.id, (await newStaffUser(service, 'Ada', 'admin')).key)).status,
    200,
  );
  await requestAction('PATCH', `/admin/staff/${viewer.id}`, { role: 'admin' });
  assert.equal(
    (await pixDriver.callStaff('PATCH', `/admin/staff/${viewer.id}`, { role: 'content' })).status,
    200,
  );
  const customer = await pixDriver.createCustomer();
  const { hash, installments } = await pixDriver.sell(customer, { amount: 90 });
  const { txid, id } = await pixDriver.createCharge(customer, installments[0].id, 'settle');
  await pixDriver.payCharge(txid);
  await pixDriver.waitForStatus(customer, id, 'paid');
  const returnApproval = await requestAction('POST', `/admin/checkouts/${hash}/returns`, {
    reason: 'Desistiu',
  });
  assert.equal(returnApproval.amount, 90);
  const approveResponse = await approve(returnApproval.id);
  assert.equal(approveResponse.status, 200, approveResponse.text);
  const customerInput = { name: 'Nova Pessoa', phone: '+5511966660001', cpf: '529.982.247-25' };
  const limitApproval = await requestAction('POST', '/admin/customers', {
    ...customerInput,
    birth_date: '1990-01-01',
    email: 'nova@example.com',
    credit_limit: 50_000,
  });
  assert.equal(limitApproval.amount, 50_000);
  const support = await newStaffUser(service, 'Sara Reis', 'support');
  const form = { ...customerInput, phone: '+5511966660002', email: 'outra@example.com', credit_limit: 500 };
  assertRefused(await call(support.key, 'POST', '/admin/customers', form), 403, 'role_missing');
});

test('403 approver_too_new: a requester cannot approve as a person whom they have just invited or reset', async () => {
  const colleague = await newStaffUser(service, 'Caio Luz', 'finance');
  const { id } = await pixDriver.createCustomer();
  const { approval } = (await adjustCashback(id, 60)).body;
  assert.equal((await pixDriver.callStaff('POST', `/admin/staff/${colleague.id}/invite`)).status, 201);
  assertRefused(await approve(approval.id, colleague.key), 403, 'approver_too_new');
  service.clock.advance(DAY_MS);
  assert.equal((await approve(approval.id, colleague.key)).status, 200);
});
