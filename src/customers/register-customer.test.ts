import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { Value } from 'typebox/value';
import { DAY_MS, MINUTE_MS } from '#core/values/duration.ts';
import { sql } from '#platform/database/db.ts';
import { openService, shareService } from '../../test/harness.ts';
import {
  ANA,
  assertRefused,
  getMe,
  logIn,
  newCode,
  newCpf,
  newPhone,
  OPERATOR_KEY,
} from '../../test/support/customers.ts';
import { OperatorCustomer } from './schemas.ts';
import { findCustomerId } from './store.ts';

const service = await shareService();

/** A phone gets at most one code in this time. */
const CODE_INTERVAL_MS = MINUTE_MS;

type RegistrationForm = Record<string, unknown> & { phone: string; cpf: string };

/** Returns the form of a new person. */
const newForm = (overrides: Record<string, unknown> = {}): RegistrationForm => ({
  name: 'Davi Melo',
  phone: newPhone(),
  email: 'Davi@Example.com',
  cpf: newCpf(),
  ...overrides,
});

const register = (body: unknown, headers: Record<string, string> = {}) =>
  service.staff('POST', '/admin/customers', { key: OPERATOR_KEY, body, headers });

const getCustomer = (idOrPhone: string) =>
  service.staff('GET', `/admin/customers/${encodeURIComponent(idOrPhone)}`, { key: OPERATOR_KEY });

const isRegistered = async (phone: string) => (await findCustomerId(service.db, phone)) !== undefined;

test('201 returns the customer with the fields of /wallet/me, who can log in immediately', async () => {
  const form = newForm({ name: '  Davi Melo ', credit_limit: 1500.5, password: 'cinco palavras ao acaso' });
  const { status, headers, body, text } = await register(form);
  assert.equal(status, 201, text);
  const { referral_code, locked_at, erased_at, phone_change, ...customer } = body;
  assert.match(referral_code, /^[2345789AFHJKMPRUWXY]{8}$/);
  assert.deepEqual([locked_at, erased_at, phone_change], [null, null, null]);
  assert.deepEqual(customer, {
    id: customer.id,
    name: 'Davi Melo',
    phone: form.phone,
    email: 'davi@example.com',
    cpf: `***.${form.cpf.slice(3, 6)}.${form.cpf.slice(6, 9)}-**`,
    created_at: service.clock.now().toISOString(),
    credit: { limit: 1500.5, used: 0, available: 1500.5 },
  });
  const { token } = await logIn(service, { phone: form.phone, password: 'cinco palavras ao acaso' });
  const ownCredit = { ...customer.credit, blocked_by: null };
  assert.deepEqual((await getMe(service, token)).body, { ...customer, credit: ownCredit });

  assert.equal(headers.get('location'), `/admin/customers/${customer.id}`);
  for (const idOrPhone of [customer.id, form.phone]) {
    const getResponse = await getCustomer(idOrPhone);
    assert.deepEqual([getResponse.status, getResponse.body], [200, body]);
    assert.ok(Value.Check(OperatorCustomer, getResponse.body));
  }
});

test('without a limit and a password, login works by code only, and the credit policy decides on the limit at the first login', async () => {
  const form = newForm();
  const { body } = await register(form);
  assert.deepEqual(body.credit, { limit: 0, used: 0, available: 0 });
  const phoneCheck = await service.post('/wallet/auth/phone-check', { phone: form.phone });
  assert.deepEqual(phoneCheck.body.login_methods, ['otp']);
  service.clock.advance(CODE_INTERVAL_MS);
  const { body: session } = await service.post('/wallet/auth/otp/login', await newCode(service, form.phone));
  assert.equal(session.customer.credit.limit, 500);
  const { data } = (
    await service.staff('GET', `/admin/credit-decisions?customer=${body.id}`, { key: OPERATOR_KEY })
  ).body;
  assert.deepEqual([data[0].moment, data[0].outcome, data.length], ['signup', 'approved', 1]);
  service.clock.advance(CODE_INTERVAL_MS);
  await service.staff('PATCH', `/admin/customers/${body.id}`, {
    key: OPERATOR_KEY,
    body: { credit_limit: 0 },
  });
  const secondLoginResponse = await service.post(
    '/wallet/auth/otp/login',
    await newCode(service, form.phone),
  );
  assert.equal(secondLoginResponse.body.customer.credit.limit, 0, 'the credit policy decides once');
});

test('429: a staff user registers a limited number of customers in a day', async () => {
  const cappedService = await openService({ env: { CUSTOMERS_PER_STAFF_USER: '2' } });
  const registerOne = () =>
    cappedService.staff('POST', '/admin/customers', { key: OPERATOR_KEY, body: newForm() });
  const statuses = (await Promise.all([registerOne(), registerOne(), registerOne()])).map(
    ({ status }) => status,
  );
  assert.deepEqual(statuses.toSorted(), [201, 201, 429]);
  cappedService.clock.advance(DAY_MS);
  assert.equal((await registerOne()).status, 201);
});

test('the example of openapi.json is accepted once', async () => {
  const { body } = await service.staff('GET', '/openapi.json', { key: null });
  const { requestBody, responses } = body.paths['/admin/customers'].post;
  const { example } = requestBody.content['application/json'];
  assert.equal((await register(example)).status, 201);
  assertRefused(await register(example), 409, 'phone_taken');
  const readProblemName = (status: number) => responses[status].$ref.split('/').at(-1);
  assert.match(readProblemName(409), /PhoneTakenCpfTaken/);
  assert.match(readProblemName(422), /ReferralCodeUnknown/);
});

test('409 phone_taken and 409 cpf_taken: punctuation of the CPF is ignored, and the existing customer does not change', async () => {
  const form = newForm();
  const existingCustomer = (await register(form)).body;
  assertRefused(await register(newForm({ phone: form.phone, name: 'Outra' })), 409, 'phone_taken');
  const { cpf } = form;
  const formattedCpf = `${cpf.slice(0, 3)}.${cpf.slice(3, 6)}.${cpf.slice(6, 9)}-${cpf.slice(9)}`;
  assertRefused(await register(newForm({ cpf: formattedCpf, name: 'Outra' })), 409, 'cpf_taken');
  assert.deepEqual((await getCustomer(form.phone)).body, existingCustomer);
});

test('422 password_too_common creates no customer', async () => {
  for (const password of ['brasil123', 'GilTavares1']) {
    const form = newForm({ name: 'Gil Tavares', password });
    assertRefused(await register(form), 422, 'password_too_common');
    assert.equal((await getCustomer(form.phone)).status, 404);
  }
});

test('400 reports all errors together, each with its pointer', async () => {
  const nonsense = {
    name: ' ',
    phone: '11 8765-000',
    email: 'ana',
    cpf: '123.456.789-00',
    credit_limit: 10.005,
    password: 'curta',
    referral_code: 7,
    admin: true,
  };
  const { status, body } = await register(nonsense);
  assert.equal(`${status} ${body.code}`, '400 validation_failed');
  const pointers = body.errors.map(({ pointer }: { pointer: string }) => pointer);
  assert.deepEqual(
    pointers.sort(),
    Object.keys(nonsense)
      .map((name) => `/${name}`)
      .sort(),
  );
  const missingPointers = (await register({})).body.errors.map(({ pointer }: { pointer: string }) => pointer);
  assert.deepEqual(missingPointers.sort(), ['/cpf', '/email', '/name', '/phone']);
  for (const credit_limit of [-1, 1e21, '100']) {
    const refusal = await register(newForm({ credit_limit }));
    assert.equal(refusal.status, 400, String(credit_limit));
    assert.equal(refusal.body.errors[0].pointer, '/credit_limit');
  }
  for (const cpf of ['11111111111', '1234567890', 'x'.repeat(11), 12345678909])
    assert.equal((await register(newForm({ cpf }))).status, 400);
});

test('422 referral_code_unknown creates no customer and no event', async () => {
  const form = newForm({ referral_code: 'NOBODYS2' });
  const eventCountBefore = await countRegistrationEvents();
  assertRefused(await register(form), 422, 'referral_code_unknown');
  assert.ok(!(await isRegistered(form.phone)));
  assert.equal(await countRegistrationEvents(), eventCountBefore);
  assert.equal((await register({ ...form, referral_code: undefined })).status, 201);
});

test('a registration with Ana’s referral code appears in her invitations', async () => {
  const { token } = await logIn(service, ANA);
  const referralBefore = (await service.get('/wallet/referral', { token })).body;
  const codeAsSpoken = `${referralBefore.code.slice(0, 4)}-${referralBefore.code.slice(4).toLowerCase()}`;
  assert.equal((await register(newForm({ name: 'Elisa Prado', referral_code: codeAsSpoken }))).status, 201);
  const { summary, invitations } = (await service.get('/wallet/referral', { token })).body;
  assert.equal(summary.invited, referralBefore.summary.invited + 1);
  const { name, status } = invitations[0];
  assert.deepEqual([name, status], ['Elisa P***', 'registered']);
});

test('concurrent identical requests with one Idempotency-Key create one customer', async () => {
  const form = newForm({ password: 'cinco palavras ao acaso' });
  const headers = { 'idempotency-key': randomUUID() };
  const responses = await Promise.all(Array.from({ length: 6 }, () => register(form, headers)));
  for (const response of responses)
    if (response.status !== 201) assertRefused(response, 409, 'idempotency_key_in_flight');
  const createdBodies = responses.filter(({ status }) => status === 201).map(({ body }) => body);
  assert.ok(createdBodies.length > 0);
  const repeatedResponse = await register(form, headers);
  assert.equal(
    `${repeatedResponse.status} ${repeatedResponse.headers.get('idempotency-replayed')}`,
    '201 true',
  );
  assert.equal(repeatedResponse.headers.get('location'), `/admin/customers/${repeatedResponse.body.id}`);
  for (const body of createdBodies) assert.deepEqual(body, repeatedResponse.body);
  assert.ok(await isRegistered(form.phone));
  assertRefused(await register({ ...form, credit_limit: 1 }, headers), 422, 'idempotency_key_reused');
  assert.equal(await countRegistrationEvents(repeatedResponse.body.id), 1);
});

test('concurrent registrations without a key: one succeeds, the others get 409 phone taken', async () => {
  const form = newForm();
  const statuses = await Promise.all(Array.from({ length: 6 }, async () => (await register(form)).status));
  assert.deepEqual(statuses.sort(), [201, 409, 409, 409, 409, 409]);
  assert.ok(await isRegistered(form.phone));
});

test('customer.registered is emitted once, with the customer id only', async () => {
  const form = newForm({ name: 'Flávia Rocha' });
  const { id } = (await register(form)).body;
  const events = await service.db.rows<{ type: string; data: unknown }>(
    sql`select type, data from events where customer_id = ${id}`,
  );
  const registered_at = service.clock.now().toISOString();
  const eventData = { customer_id: id, registered_at, invited_with: null };
  assert.deepEqual(events, [{ type: 'customer.registered', data: eventData }]);
});

test('personal data and secrets are neither logged nor stored as a hash that could be guessed', async () => {
  const form = newForm({ name: 'Gil Tavares', password: 'senha secreta 42' });
  const headers = { 'idempotency-key': randomUUID() };
  assert.equal((await register(form, headers)).status, 201);
  await getCustomer(form.phone);
  await register({ ...form, email: 'nada' });
  const logText = service.readLog();
  assert.ok(logText.includes('/admin/customers/:id'));
  for (const secret of [form.phone.slice(3), form.cpf, 'Gil Tavares', 'senha secreta'])
    assert.ok(!logText.includes(secret), secret);
  const plainRequest = JSON.stringify(['POST', '/admin/customers', form]);
  const storedResponses = await service.db.rows(sql`
    select from idempotent_answers
    where request_hash = sha256(convert_to(${plainRequest}, 'UTF8')) or body like ${`%${form.cpf}%`}`);
  assert.equal(storedResponses.length, 0);
});

test('GET /admin/customers/:id gets 404 for an unknown customer, and returns the time of a lock', async () => {
  for (const idOrPhone of ['cus_none', newPhone(), '\0', ' '])
    assertRefused(await getCustomer(idOrPhone), 404, 'not_found');
  const { id } = (await register(newForm())).body;
  const lockedAt = service.clock.now();
  await service.db.run(sql`update customers set locked_at = ${lockedAt} where id = ${id}`);
  assert.equal((await getCustomer(id)).body.locked_at, lockedAt.toISOString());
});

async function countRegistrationEvents(customerId: string | null = null): Promise<number> {
  const row = await service.db.row<{ count: number }>(sql`
    select count(*) from events
    where type = 'customer.registered' and customer_id = coalesce(${customerId}::text, customer_id)`);
  return row!.count;
}

test('a refused registration reserves neither the phone nor the CPF', async () => {
  const firstForm = newForm();
  assert.equal((await register(firstForm)).status, 201);
  const secondForm = newForm();
  assertRefused(await register({ ...secondForm, cpf: firstForm.cpf }), 409, 'cpf_taken');
  assertRefused(await register({ ...secondForm, phone: firstForm.phone }), 409, 'phone_taken');
  assert.equal((await register(secondForm)).status, 201);
});

test('of concurrent registrations with the same phone or the same CPF, one succeeds', async () => {
  for (const sharedField of ['phone', 'cpf'] as const) {
    const { [sharedField]: sharedValue } = newForm();
    const responses = await Promise.all(
      Array.from({ length: 5 }, () => register(newForm({ [sharedField]: sharedValue }))),
    );
    assert.deepEqual(responses.map(({ status }) => status).toSorted(), [201, 409, 409, 409, 409]);
  }
});
