import assert from 'node:assert/strict';
import { test } from 'node:test';
import { HOUR_MS } from '#core/values/duration.ts';
import { sql } from '#platform/database/db.ts';
import type { Role } from '#platform/http/access.ts';
import { createCommandRunner } from '../../../test/commands.ts';
import { enqueueTask, eventually, openService } from '../../../test/harness.ts';
import {
  ANA,
  assertRefused,
  assertSoonRefused,
  getMe,
  hashCheaply,
  listMessages,
  logIn,
  newCode,
  newCpf,
  newCustomer,
  newPhone,
  OPERATOR_KEY,
  openSessionFor,
  refresh,
  toWrongCode,
} from '../../../test/support/customers.ts';

const service = await openService();
const otherNode = await service.startNode();
const run = createCommandRunner(service);

const callStaffApi = (method: string, path: string, body?: unknown, key = OPERATOR_KEY) =>
  service.staff(method, path, { key, ...(body !== undefined && { body }) });

const staffKeys = new Map<string, Promise<string>>();
const getStaffKey = (id: string, role: Role = 'support') => {
  const staffKey = staffKeys.get(id) ?? createStaffKey(id, role);
  staffKeys.set(id, staffKey);
  return staffKey;
};
async function createStaffKey(id: string, role: Role): Promise<string> {
  const { secret } = await service.newKey({ scopes: ['operator'], person_id: id, role });
  return secret;
}

const newCustomerWithPassword = () => newCustomer(service, { passwordHash: hashCheaply(ANA.password) });
const readCustomer = async (id: string) => (await callStaffApi('GET', `/admin/customers/${id}`)).body;
const readAuditTrail = async (id: string) =>
  (await callStaffApi('GET', `/admin/audit-trail?subject=customer:${id}`)).body.data;
const readTimelineText = async (id: string) =>
  (await callStaffApi('GET', `/admin/customers/${id}/story`)).body.data
    .map(({ text }: { text: string }) => text)
    .join('\n');
const requestChange = async (id: string, phone: string, staffId = 'stf_requester') =>
  callStaffApi(
    'PATCH',
    `/admin/customers/${id}`,
    { phone, reason: 'Perdeu o celular' },
    await getStaffKey(staffId),
  );
const decideChange = async (id: string, action: string, staffId: string, body?: unknown) =>
  callStaffApi('POST', `/admin/customers/${id}/phone-change/${action}`, body, await getStaffKey(staffId));
const enqueueSweep = () => enqueueTask(service, 'phone_changes_sweep');
const waitForPhone = (id: string, phone: string) =>
  eventually(`the phone is ${phone}`, async () => (await readCustomer(id)).phone === phone);

test('a phone change takes effect after 24 hours: sessions end, the old phone gets a message and can log in until then', async () => {
  const customer = await newCustomerWithPassword();
  const { id, password } = customer;
  const { token } = await openSessionFor(service, customer);
  const phone = newPhone();
  const requestResponse = await requestChange(id, phone);
  assert.equal(requestResponse.status, 200, requestResponse.text);
  assert.equal(requestResponse.body.phone, customer.phone);
  const { counts_at, asked_at, ...otherFields } = requestResponse.body.phone_change;
  assert.deepEqual(otherFields, { phone, asked_by: 'stf_requester' });
  assert.equal(Date.parse(counts_at) - Date.parse(asked_at), 24 * HOUR_MS);
  assert.deepEqual((await readCustomer(id)).phone_change, requestResponse.body.phone_change);
  assertRefused(await getMe(service, token), 401, 'token_invalid');
  await assertSoonRefused(() => getMe(otherNode, token), 401, 'token_invalid');
  const [message] = await listMessages(service, customer.phone);
  assert.match(
    message!.text,
    new RegExp(`trocar o celular .* final ${phone.slice(-4)}\\. Vale em .* cancele`),
  );
  assertRefused(await service.post('/wallet/auth/login', { phone, password }), 401, 'invalid_credentials');
  const sentCode = await newCode(service, customer.phone);
  const newSession = await logIn(service, customer);
  const viewerResponse = await callStaffApi(
    'GET',
    `/admin/customers/${id}`,
    undefined,
    await getStaffKey('stf_viewer', 'viewer'),
  );
  assert.equal(viewerResponse.body.phone_change.phone, `+55 ** *****-${phone.slice(-4)}`);
  assert.match(await run('customers get', id), new RegExp(phone.replace('+', '\\+')));
  assert.match(
    await readTimelineText(id),
    /pediu a troca do telefone, que vale a partir de \d\d\/\d\d\/\d{4} às/,
  );

  service.clock.advance(23 * HOUR_MS);
  const laterCustomer = await newCustomerWithPassword();
  await requestChange(laterCustomer.id, newPhone());
  assert.equal((await readCustomer(id)).phone, customer.phone);
  service.clock.advance(HOUR_MS);
  await enqueueSweep();
  await waitForPhone(id, phone);
  assert.equal((await readCustomer(id)).phone_change, null);
  assert.equal(
    (await readCustomer(laterCustomer.id)).phone,
    laterCustomer.phone,
    'requested an hour ago, so still pending',
  );
  assertRefused(await refresh(service, newSession.refresh_token), 401, 'token_invalid');
  assertRefused(await service.post('/wallet/auth/otp/login', sentCode), 401, 'invalid_credentials');
  assertRefused(
    await service.post('/wallet/auth/login', { phone: customer.phone, password }),
    401,
    'invalid_credentials',
  );
  await logIn(service, { phone, password });
  const [doneMessage] = await listMessages(service, customer.phone);
  assert.match(doneMessage!.text, /agora é o de final/);
  const [appliedEntry, requestEntry] = await readAuditTrail(id);
  assert.deepEqual([appliedEntry.actor, appliedEntry.action], ['semana', 'applyPhoneChange']);
  assert.deepEqual(
    [requestEntry.actor, requestEntry.action, requestEntry.reason],
    ['stf_requester', 'changeCustomer', 'Perdeu o celular'],
  );
  assert.ok(
    !JSON.stringify([appliedEntry, requestEntry]).includes(phone),
    'the audit trail masks the new phone',
  );
  assert.match(await readTimelineText(id), /A troca do telefone passou a valer\./);
});

test('a second person can confirm a phone change early, the requester cannot', async () => {
  const customer = await newCustomerWithPassword();
  const phone = newPhone();
  await requestChange(customer.id, phone);
  assertRefused(await decideChange(customer.id, 'confirm', 'stf_requester'), 409, 'second_person_needed');
  assert.equal((await readCustomer(customer.id)).phone, customer.phone);
  const { token } = await openSessionFor(service, customer);
  const confirmResponse = await decideChange(customer.id, 'confirm', 'stf_second', {
    reason: 'Documento conferido',
  });
  assert.equal(confirmResponse.status, 200, confirmResponse.text);
  assert.deepEqual([confirmResponse.body.phone, confirmResponse.body.phone_change], [phone, null]);
  assertRefused(await getMe(service, token), 401, 'token_invalid');
  const [entry] = await readAuditTrail(customer.id);
  assert.deepEqual([entry.actor, entry.action], ['stf_second', 'confirmPhoneChange']);
  assert.match(
    await readTimelineText(customer.id),
    /confirmou a troca do telefone\. Motivo: Documento conferido\./,
  );
  assertRefused(await decideChange(customer.id, 'confirm', 'stf_second'), 409, 'no_phone_change');
  assert.equal((await decideChange(newPhone(), 'confirm', 'stf_second')).status, 404);
});

test('a code sent to the old phone confirms a phone change early, once', async () => {
  const customer = await newCustomerWithPassword();
  const phone = newPhone();
  assertRefused(await decideChange(customer.id, 'code', 'stf_requester'), 409, 'no_phone_change');
  await requestChange(customer.id, phone);
  const sendResponse = await decideChange(customer.id, 'code', 'stf_requester');
  assert.equal(sendResponse.status, 202, sendResponse.text);
  const code = (await listMessages(service, customer.phone)).find((message) => message.code)!.code;
  const sentCode = { phone: customer.phone, challenge_id: sendResponse.body.challenge_id, code };
  const toProof = ({ challenge_id, code: digits }: typeof sentCode) => ({
    proof: { challenge_id, code: digits },
  });
  const wrongResponse = await decideChange(
    customer.id,
    'confirm',
    'stf_requester',
    toProof(toWrongCode(sentCode, 1)),
  );
  assertRefused(wrongResponse, 422, 'code_wrong');
  const otherCode = await newCode(service, phone);
  assertRefused(
    await decideChange(customer.id, 'confirm', 'stf_requester', toProof(otherCode)),
    422,
    'code_wrong',
  );
  const responses = await Promise.all(
    [1, 2, 3].map(() => decideChange(customer.id, 'confirm', 'stf_requester', toProof(sentCode))),
  );
  assert.equal(
    responses.filter(({ status }) => status === 200).length,
    1,
    responses.map(({ text }) => text).join(),
  );
  assert.equal((await readCustomer(customer.id)).phone, phone);
});

test('staff, the customer and the command line can cancel a phone change: the phone stays, even after 24 hours', async () => {
  for (const cancel of [
    (id: string) => decideChange(id, 'cancel', 'stf_requester', { reason: 'Engano' }),
    async (id: string) => {
      const { token } = await openSessionFor(service, {
        phone: (await readCustomer(id)).phone,
        password: ANA.password,
      });
      const pendingChange = await service.get('/wallet/phone-change', { token });
      assert.match(pendingChange.body.phone_change.phone_ends_in, /^\d{4}$/);
      const response = await service.post('/wallet/phone-change/cancel', undefined, { token });
      assert.deepEqual((await service.get('/wallet/phone-change', { token })).body, { phone_change: null });
      assertRefused(
        await service.post('/wallet/phone-change/cancel', undefined, { token }),
        409,
        'no_phone_change',
      );
      return { ...response, status: response.status === 204 ? 200 : response.status };
    },
    async (id: string) => {
      await run('customers phone-change cancel', id);
      return { status: 200, text: '' };
    },
  ]) {
    const customer = await newCustomerWithPassword();
    await requestChange(customer.id, newPhone());
    const cancelResponse = await cancel(customer.id);
    assert.equal(cancelResponse.status, 200, cancelResponse.text);
    service.clock.advance(25 * HOUR_MS);
    await enqueueSweep();
    assert.deepEqual((await readCustomer(customer.id)).phone, customer.phone);
    assert.equal((await readCustomer(customer.id)).phone_change, null);
    assert.match(await readTimelineText(customer.id), /cancelou a troca do telefone/);
    assertRefused(await decideChange(customer.id, 'cancel', 'stf_requester'), 409, 'no_phone_change');
  }
});

test('a newer phone change replaces the pending one and starts a new delay of 24 hours', async () => {
  const { id, phone: oldPhone } = await newCustomerWithPassword();
  const [firstPhone, secondPhone] = [newPhone(), newPhone()];
  await requestChange(id, firstPhone);
  service.clock.advance(20 * HOUR_MS);
  assert.equal((await requestChange(id, secondPhone, 'stf_second')).body.phone_change.phone, secondPhone);
  service.clock.advance(5 * HOUR_MS);
  await enqueueSweep();
  const responses = await Promise.all([requestChange(id, newPhone()), requestChange(id, newPhone())]);
  assert.deepEqual(
    responses.map(({ status }) => status),
    [200, 200],
  );
  assert.equal((await readCustomer(id)).phone, oldPhone);
  const waitingChanges = await service.db.rows(
    sql`select from phone_changes where customer_id = ${id} and status = 'waiting'`,
  );
  assert.equal(waitingChanges.length, 1);
});

test('if another customer registers the phone first, a confirmation gets 409, and the change is dropped after 24 hours with a message', async () => {
  const customer = await newCustomerWithPassword();
  const phone = newPhone();
  await requestChange(customer.id, phone);
  const form = { name: 'Eva Reis', phone, email: 'eva@example.com', cpf: newCpf() };
  assert.equal(
    (await callStaffApi('POST', '/admin/customers', form)).status,
    201,
    'the new phone is not reserved',
  );
  assertRefused(await decideChange(customer.id, 'confirm', 'stf_second'), 409, 'phone_taken');
  assertRefused(await requestChange(customer.id, phone), 409, 'phone_taken');
  service.clock.advance(24 * HOUR_MS);
  await enqueueSweep();
  await eventually(
    'the phone change is dropped',
    async () => (await readCustomer(customer.id)).phone_change === null,
  );
  assert.equal((await readCustomer(customer.id)).phone, customer.phone);
  assert.match((await listMessages(service, customer.phone))[0]!.text, /não mudou: .* já é de outra conta/);
  assert.match(await readTimelineText(customer.id), /não valeu: o número novo já é de outro cliente/);
});

test('of two customers with a pending change to the same phone, one gets it', async () => {
  const [firstCustomer, secondCustomer] = [await newCustomerWithPassword(), await newCustomerWithPassword()];
  const phone = newPhone();
  for (const { id } of [firstCustomer, secondCustomer])
    assert.equal((await requestChange(id, phone)).status, 200);
  const responses = await Promise.all(
    [firstCustomer, secondCustomer].map(({ id }) => decideChange(id, 'confirm', 'stf_second')),
  );
  assert.deepEqual(responses.map(({ status }) => status).toSorted(), [200, 409]);
});

test('concurrent sweeps, a confirmation and a cancellation close each phone change once', async () => {
  const customers = [
    await newCustomerWithPassword(),
    await newCustomerWithPassword(),
    await newCustomerWithPassword(),
  ];
  const [, confirmedCustomer, cancelledCustomer] = customers;
  for (const { id } of customers) await requestChange(id, newPhone());
  service.clock.advance(24 * HOUR_MS);
  const [, , confirmResponse, cancelResponse] = await Promise.all([
    enqueueSweep(),
    enqueueSweep(),
    decideChange(confirmedCustomer!.id, 'confirm', 'stf_second'),
    decideChange(cancelledCustomer!.id, 'cancel', 'stf_second'),
  ]);
  for (const { status, text } of [confirmResponse, cancelResponse])
    assert.ok([200, 409].includes(status), text);
  for (const { id } of customers) {
    await eventually(
      'the phone change is closed',
      async () => (await readCustomer(id)).phone_change === null,
    );
    const decisionEntries = (await readAuditTrail(id)).filter(({ action }: { action: string }) =>
      /PhoneChange/.test(action),
    );
    assert.equal(decisionEntries.length, 1);
  }
});

test('the old phone of a locked customer gets a message too, and an erasure deletes the phone change', async () => {
  const customer = await newCustomerWithPassword();
  await callStaffApi('POST', `/admin/customers/${customer.id}/lock`);
  const phone = newPhone();
  await requestChange(customer.id, phone);
  assert.match((await listMessages(service, customer.phone))[0]!.text, /trocar o celular/);
  const exportResponse = await callStaffApi('GET', `/admin/customers/${customer.id}/export`);
  assert.equal(exportResponse.body.tables.phone_changes[0].to, phone);
  await run('reencrypt', '--all');
  assert.equal((await readCustomer(customer.id)).phone_change.phone, phone);
  const eraseResponse = await callStaffApi('POST', `/admin/customers/${customer.id}/erase`, {
    reason: 'Pedido',
  });
  assert.equal(eraseResponse.status, 200, eraseResponse.text);
  const rows = await service.db.rows(sql`select from phone_changes where customer_id = ${customer.id}`);
  assert.equal(rows.length, 0);
  const maskedEnd = phone.slice(-2).padStart(7, '*');
  assert.ok(!JSON.stringify(await readAuditTrail(customer.id)).includes(maskedEnd));
});

test('a phone change on the command line is delayed too, and the requester cannot confirm it', async () => {
  const { id, phone: oldPhone } = await newCustomerWithPassword();
  const phone = newPhone();
  assert.match(await run('customers update', id, '--phone', phone, '--yes', '--json'), /counts_at/);
  assert.match((await listMessages(service, oldPhone))[0]!.text, /trocar o celular/);
  await assert.rejects(run('customers phone-change confirm', id), /Another person/);
  assert.equal((await decideChange(id, 'confirm', 'stf_second')).status, 200);
  await requestChange(id, oldPhone);
  assert.match(await run('customers phone-change confirm', id, '--reason', 'Conferido'), /phone/);
  assert.equal((await readCustomer(id)).phone, oldPhone);
});
