import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from '#platform/database/db.ts';
import { openService } from '../../test/harness.ts';
import {
  ANA,
  assertRefused,
  listMessages,
  newCode,
  newCustomer,
  newPhone,
  OPERATOR_KEY,
  openSessionFor,
  type SentCode,
  toWrongCode,
} from '../../test/support/customers.ts';

const service = await openService();
const MAX_EXPORTS_PER_DAY = 10;
const callStaffApi = (method: string, path: string, body?: unknown) =>
  service.staff(method, path, { key: OPERATOR_KEY, ...(body !== undefined && { body }) });
const readAuditTrail = async (id: string) =>
  (await callStaffApi('GET', `/admin/audit-trail?subject=customer:${id}`)).body.data;
const toProof = ({ challenge_id, code }: SentCode) => ({ challenge_id, code });

async function newLoggedInCustomer() {
  const customer = await newCustomer(service);
  const { token } = await openSessionFor(service, customer);
  return { ...customer, token };
}

test('GET /wallet/export has the same tables as the staff export, without staff-only fields', async () => {
  const { id, token } = await newLoggedInCustomer();
  await callStaffApi('PATCH', `/admin/customers/${id}`, { name: 'Davi Melo', reason: 'Parece nervoso' });
  const ownResponse = await service.get('/wallet/export', { token });
  assert.equal(ownResponse.status, 200, ownResponse.text);
  assert.equal(ownResponse.body.customer_id, id);
  assert.equal(ownResponse.body.tables.customers[0].name, 'Davi Melo');
  assert.ok(!ownResponse.text.includes('nervoso'));
  assert.ok(!/argon2|password_hash|refresh_hash|sealed/.test(ownResponse.text), 'no secrets');
  const staffExport = await callStaffApi('GET', `/admin/customers/${id}/export`);
  assert.deepEqual(Object.keys(ownResponse.body.tables), Object.keys(staffExport.body.tables));
  assert.match(staffExport.text, /Parece nervoso/);
  const [staffExportEntry, ownExportEntry] = await readAuditTrail(id);
  assert.notEqual(staffExportEntry.actor, id);
  assert.deepEqual(
    [ownExportEntry.actor, ownExportEntry.action, ownExportEntry.address],
    [id, 'exportOwnData', null],
  );
  for (let i = 1; i < MAX_EXPORTS_PER_DAY; i++)
    assert.equal((await service.get('/wallet/export', { token })).status, 200);
  assertRefused(await service.get('/wallet/export', { token }), 429, 'rate_limited');
});

test('support can end one or all sessions of a customer: tokens are refused, and audit trail and timeline record it', async () => {
  const { id, phone, password, token } = await newLoggedInCustomer();
  const otherLogin = await openSessionFor(service, { phone, password });
  const path = `/admin/customers/${id}/sessions`;
  assert.equal(
    (await callStaffApi('GET', '/admin/customers/cus_00000000000000000000000000/sessions')).status,
    404,
  );
  const { data } = (await callStaffApi('GET', path)).body;
  assert.equal(data.length, 2);
  const [endedSession, remainingSession] = data;
  assert.equal(
    (await callStaffApi('POST', `${path}/${endedSession.id}/end`, { reason: 'Celular perdido' })).status,
    204,
  );
  assert.deepEqual(
    (await callStaffApi('GET', path)).body.data.map((session: { id: string }) => session.id),
    [remainingSession.id],
  );
  const unknownSession = `${path}/ses_00000000000000000000000000/end`;
  assert.equal((await callStaffApi('POST', unknownSession)).status, 404);
  assert.equal((await callStaffApi('POST', `${path}/end`)).status, 204);
  assert.deepEqual((await callStaffApi('GET', path)).body.data, []);
  for (const sessionToken of [token, otherLogin.token])
    assert.equal((await service.get('/wallet/me', { token: sessionToken })).status, 401);
  const [endAllEntry, endOneEntry] = await readAuditTrail(id);
  assert.deepEqual(
    [endAllEntry.action, endOneEntry.action, endOneEntry.reason],
    ['endCustomerSessions', 'endCustomerSession', 'Celular perdido'],
  );
  assert.match((await callStaffApi('GET', `/admin/customers/${id}/story`)).text, /encerrou todas as sessões/);
});

test('PUT /wallet/email requires a code sent to the phone, which works once', async () => {
  const { id, phone, token } = await newLoggedInCustomer();
  const sentCode = await newCode(service, phone);
  const changeEmail = (phoneCode: SentCode, email: string) =>
    service.call('PUT', '/wallet/email', { token, body: { email, ...toProof(phoneCode) } });
  assertRefused(await changeEmail(toWrongCode(sentCode, 1), 'novo@example.com'), 422, 'code_wrong');
  assertRefused(await changeEmail(await newCode(service, newPhone()), 'novo@example.com'), 422, 'code_wrong');
  const changeResponse = await changeEmail(sentCode, 'Novo@Example.com');
  assert.equal(changeResponse.body.email, 'novo@example.com', changeResponse.text);
  assertRefused(await changeEmail(sentCode, 'outro@example.com'), 422, 'code_wrong');
  const [entry] = await readAuditTrail(id);
  assert.deepEqual([entry.actor, entry.after], [id, { email: 'n***@example.com' }]);
});

test('PUT /wallet/phone requires codes sent to both phones, takes effect immediately, ends all sessions and opens a new one', async () => {
  const customer = await newLoggedInCustomer();
  const otherLogin = await openSessionFor(service, customer);
  const phone = newPhone();
  // Staff have requested a change to yet another phone, which the change by the customer replaces.
  await callStaffApi('PATCH', `/admin/customers/${customer.id}`, { phone: newPhone() });
  const { token } = await openSessionFor(service, customer);
  const [currentCode, newPhoneCode] = [await newCode(service, customer.phone), await newCode(service, phone)];
  const changePhone = (newNumber: string, codeOfNewPhone: SentCode, codeOfCurrentPhone: SentCode) =>
    service.call('PUT', '/wallet/phone', {
      token,
      body: { phone: newNumber, ...toProof(codeOfNewPhone), current: toProof(codeOfCurrentPhone) },
    });
  const wrongCurrentCodeResponse = await changePhone(phone, newPhoneCode, newPhoneCode);
  assertRefused(wrongCurrentCodeResponse, 422, 'code_wrong');
  assert.equal(wrongCurrentCodeResponse.body.errors[0].pointer, '/current/code');
  const wrongNewCodeResponse = await changePhone(phone, currentCode, currentCode);
  assertRefused(wrongNewCodeResponse, 422, 'code_wrong');
  assert.equal(wrongNewCodeResponse.body.errors[0].pointer, '/code');
  const anaCode = await newCode(service, ANA.phone);
  assertRefused(await changePhone(ANA.phone, anaCode, currentCode), 409, 'phone_taken');
  const changeResponse = await changePhone(phone, newPhoneCode, currentCode);
  assert.equal(changeResponse.status, 200, changeResponse.text);
  assert.equal(changeResponse.body.customer.phone, phone);
  const getMe = (sessionToken: string) => service.get('/wallet/me', { token: sessionToken });
  assert.equal((await getMe(changeResponse.body.token)).body.phone, phone);
  for (const oldToken of [token, otherLogin.token])
    assertRefused(await getMe(oldToken), 401, 'token_invalid');
  assert.match((await listMessages(service, customer.phone))[0]!.text, /agora é o de final/);
  const customerView = (await callStaffApi('GET', `/admin/customers/${customer.id}`)).body;
  assert.deepEqual(
    [customerView.phone, customerView.phone_change],
    [phone, null],
    'the pending change of staff is replaced',
  );
});

test('an erasure lists open debts and is refused, for the customer and for staff; after the purchase is returned it erases the identity', async () => {
  const customer = await newLoggedInCustomer();
  const { id, token } = customer;
  const checkoutForm = { customer: id, merchant: 'padaria-flor-do-trigo', amount: 40, installments: 2 };
  const sellResponse = await callStaffApi('POST', '/admin/checkouts', checkoutForm);
  assert.equal(sellResponse.status, 201, sellResponse.text);
  const erasureCheck = await service.get('/wallet/erase', { token });
  assert.deepEqual(erasureCheck.body.stopped_by, [{ code: 'purchases_open', text: 'Há compras em aberto.' }]);
  const sentCode = await newCode(service, customer.phone);
  const erase = (phoneCode: SentCode) =>
    service.post('/wallet/erase', toProof(phoneCode), { token, headers: { 'accept-language': 'pt-BR' } });
  assertRefused(await erase(toWrongCode(sentCode, 1)), 422, 'code_wrong');
  const refusal = await erase(sentCode);
  assertRefused(refusal, 409, 'money_owed');
  assert.equal(refusal.body.detail, 'Há compras em aberto.');
  assert.deepEqual(refusal.body.stopped_by, [
    { code: 'purchases_open', checkouts: [sellResponse.body.hash] },
  ]);
  const staffRefusal = await callStaffApi('POST', `/admin/customers/${id}/erase`, { reason: 'Pedido' });
  assertRefused(staffRefusal, 409, 'money_owed');
  assert.deepEqual(staffRefusal.body.stopped_by, refusal.body.stopped_by);

  await callStaffApi('POST', `/admin/checkouts/${sellResponse.body.hash}/returns`, {
    amount: 40,
    reason: 'Engano',
  });
  assert.deepEqual((await service.get('/wallet/erase', { token })).body.stopped_by, []);
  assert.equal((await erase(sentCode)).status, 204, 'the refused request did not consume the code');
  assertRefused(await service.get('/wallet/me', { token }), 401, 'token_invalid');
  const customerView = (await callStaffApi('GET', `/admin/customers/${id}`)).body;
  assert.deepEqual([customerView.name, customerView.phone], ['apagado', 'apagado']);
  const [entry] = await readAuditTrail(id);
  assert.deepEqual([entry.actor, entry.action, entry.reason], [id, 'eraseOwnAccount', 'Pedido do titular']);
});

test('negative cashback and a pending return prevent an erasure', async () => {
  const { id, token } = await newLoggedInCustomer();
  await service.db.transaction(async (tx) => {
    // Skips the foreign key, because there is no posting.
    await tx.run(sql`set local session_replication_role = 'replica'`);
    await tx.run(sql`
      insert into cashback_movements
        (customer_id, position, id, posting_id, kind, amount_cents, balance_after_cents, earned_after_cents, description,
         occurred_at)
      values (${id}, 1, 'csh_1', 0, 'adjusted', -500, -500, 0, 'Estorno', ${service.clock.now()})`);
  });
  await service.db.run(sql`
    insert into waiting_returns
      (id, merchant_id, merchant_slug, merchant_name, customer_id, checkout_hash, amount_cents, reason, asked_at, asked_by)
    values ('ret_waits', 1, 'loja', 'Loja', ${id}, 'checkout-hash-1', 100, 'Troca', ${service.clock.now()}, 'key_1')`);
  const { body } = await callStaffApi('POST', `/admin/customers/${id}/erase`, { reason: 'Pedido' });
  assert.deepEqual(body.stopped_by, [
    { code: 'return_waiting', checkouts: ['checkout-hash-1'] },
    { code: 'cashback_below_zero', amount: 5 },
  ]);
  assert.equal((await service.get('/wallet/erase', { token })).body.stopped_by.length, 2);
});
