import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { DAY_MS } from '#core/values/duration.ts';
import { customerTransaction } from '#platform/database/customer-transaction.ts';
import { sql } from '#platform/database/db.ts';
import { type Mode, SettingsReader } from '#platform/settings.ts';
import { type CallOptions, type Node, openService } from '../../test/harness.ts';
import {
  ANA,
  assertRefused,
  BEHIND_PROXY,
  createOtherPartnerKey,
  getMe,
  ipAddressOptions,
  logIn,
  newCode,
  newCpf,
  newCustomer,
  newIpAddressOptions,
  newPhone,
  OPERATOR_KEY,
  refresh,
  type SentCode,
  toWrongCode,
  vault,
  waitForMessages,
} from '../../test/support/customers.ts';
import { decisionsSettings } from '../decisions/settings.ts';
import { decryptIdentity } from './identity.ts';
import { customersSettings } from './settings.ts';
import { findCustomerId, lockIdentity } from './store.ts';

const service = await openService(BEHIND_PROXY);
const otherNode = await service.startNode();

const UNKNOWN_REFERRAL_CODE = 'NOBODYS2';
const UNKNOWN_CHALLENGE_ID = 'otp_00000000000000000000000000';
const STRONG_PASSWORD = 'cinco palavras ao acaso';

type SignUpForm = SentCode & Record<string, unknown> & { cpf: string };

/** Returns the form of a new person who has requested a code. */
const newForm = async (overrides: Record<string, unknown> = {}): Promise<SignUpForm> => ({
  ...(await newCode(service, newPhone())),
  name: 'Elisa Prado',
  cpf: newCpf(),
  birth_date: '1990-05-31',
  email: 'Elisa@Example.com',
  terms: '2026-11',
  ...overrides,
});

const signUp = (form: unknown, options: CallOptions = newIpAddressOptions(), node: Node = service) =>
  node.post('/wallet/auth/signup', form, options);

const withIdempotencyKey = (key: string) => ({
  headers: { ...newIpAddressOptions().headers, 'idempotency-key': key },
});

const isRegistered = async (phone: string) => (await findCustomerId(service.db, phone)) !== undefined;

const listPointers = (errors: Array<{ pointer: string }>) => errors.map(({ pointer }) => pointer).sort();

test('201 creates a customer with the default limit and a session that works on every node; the customer can log in again', async () => {
  const form = await newForm({ name: '  Elisa Prado ', password: STRONG_PASSWORD });
  const { status, body, headers, text } = await signUp(form);
  assert.equal(status, 201, text);
  assert.equal(headers.get('cache-control'), 'no-store');
  const fieldNames = ['token', 'expires_at', 'expires_in', 'refresh_token', 'refresh_expires_at', 'customer'];
  assert.deepEqual(Object.keys(body), fieldNames);
  assert.deepEqual(body.customer, {
    id: body.customer.id,
    name: 'Elisa Prado',
    phone: form.phone,
    email: 'elisa@example.com',
    cpf: `***.${form.cpf.slice(3, 6)}.${form.cpf.slice(6, 9)}-**`,
    created_at: service.clock.now().toISOString(),
    credit: { limit: 500, used: 0, available: 500, blocked_by: null },
  });
  for (const node of [service, otherNode])
    assert.deepEqual((await getMe(node, body.token)).body, body.customer);
  assert.equal((await refresh(service, body.refresh_token)).status, 200);
  await logIn(service, { phone: form.phone, password: STRONG_PASSWORD });
  assert.equal(
    (await service.post('/wallet/auth/otp/login', await newCode(service, form.phone))).status,
    200,
  );
  const getResponse = await service.staff('GET', `/admin/customers/${body.customer.id}`, {
    key: OPERATOR_KEY,
  });
  assert.equal(getResponse.body.phone, form.phone);
  assert.equal((await getMe(service, body.token, await createOtherPartnerKey(service))).status, 403);
});

test('the limit is DEFAULT_CREDIT_LIMIT, an amount in reais; default 500.00 in the sandbox and 150.00 in live mode', async () => {
  const readLimit = (mode: Mode) => decisionsSettings.read(new SettingsReader({}, mode)).firstLimit;
  assert.deepEqual([readLimit('sandbox'), readLimit('live')], [50_000, 15_000]);
  const reader = new SettingsReader({ DEFAULT_CREDIT_LIMIT: '1,50' }, 'sandbox');
  decisionsSettings.read(reader);
  assert.match(reader.errors.join(), /^DEFAULT_CREDIT_LIMIT is '1,50'; it must be an amount in reais/);
  const node = await service.startNode({ env: { DEFAULT_CREDIT_LIMIT: '80.5' } });
  const { body } = await signUp(await newForm(), newIpAddressOptions(), node);
  assert.deepEqual(body.customer.credit, { limit: 80.5, used: 0, available: 80.5, blocked_by: null });
  await node.stop();
});

test('a wrong code, a code of another phone and a used code get the same response as in a login by code', async () => {
  const form = await newForm();
  assertRefused(await signUp({ ...form, ...toWrongCode(form) }), 401, 'invalid_credentials');
  assertRefused(await signUp({ ...form, phone: newPhone() }), 401, 'invalid_credentials');
  assertRefused(await signUp({ ...form, challenge_id: UNKNOWN_CHALLENGE_ID }), 401, 'invalid_credentials');
  assertRefused(await service.post('/wallet/auth/otp/login', toSentCode(form)), 409, 'not_registered');
  assert.equal((await signUp(form)).status, 201);
  assertRefused(await service.post('/wallet/auth/otp/login', toSentCode(form)), 401, 'invalid_credentials');
  assertRefused(await signUp(form), 401, 'invalid_credentials');
});

test('wrong codes in sign-ups and logins share the five attempts of a challenge; then the correct code is refused', async () => {
  const form = await newForm();
  for (let i = 1; i <= 3; i++)
    assertRefused(await signUp({ ...form, ...toWrongCode(form, i) }), 401, 'invalid_credentials');
  for (let i = 4; i <= 5; i++)
    assertRefused(
      await service.post('/wallet/auth/otp/login', toSentCode(toWrongCode(form, i)), newIpAddressOptions()),
      401,
      'invalid_credentials',
    );
  assertRefused(await signUp(form), 401, 'invalid_credentials');
  assert.ok(!(await isRegistered(form.phone)));
});

test('no response reveals data about a customer before the code is correct', async () => {
  const knownCustomer = await newCustomer(service);
  const usedForm = await newForm();
  assert.equal((await signUp(usedForm)).status, 201);
  const wrongCode = toWrongCode(await newCode(service, knownCustomer.phone));
  const invalidFields = {
    birth_date: '2020-01-01',
    referral_code: UNKNOWN_REFERRAL_CODE,
    password: 'senha123',
  };
  const form = { ...usedForm, ...wrongCode, ...invalidFields };
  assertRefused(await signUp(form), 401, 'invalid_credentials');
});

test('a refused sign-up creates no customer and leaves the code valid, so that the field can be corrected', async () => {
  const existingForm = await newForm();
  assert.equal((await signUp(existingForm)).status, 201);
  const form = await newForm();
  const refusals: Array<[invalidField: Record<string, unknown>, status: number, code: string]> = [
    [{ cpf: existingForm.cpf }, 409, 'cpf_registered'],
    [{ birth_date: '2015-01-01' }, 422, 'underage'],
    [{ referral_code: UNKNOWN_REFERRAL_CODE }, 422, 'referral_code_unknown'],
    [{ password: 'ElisaPrado1' }, 422, 'password_too_common'],
    [{ password: 'senha123' }, 422, 'password_too_common'],
    [{ birth_date: '2099-01-01' }, 400, 'validation_failed'],
  ];
  for (const [invalidField, status, code] of refusals)
    assertRefused(await signUp({ ...form, ...invalidField }), status, code);
  assert.ok(!(await isRegistered(form.phone)));
  assert.equal((await signUp(form)).status, 201);
});

test('409 phone_registered for an existing customer, who can log in with the same code', async () => {
  const { phone } = await newCustomer(service);
  const form = { ...(await newForm()), ...(await newCode(service, phone)) };
  assertRefused(await signUp(form), 409, 'phone_registered');
  assert.equal((await service.post('/wallet/auth/otp/login', toSentCode(form))).status, 200);
});

test('400 reports all errors together, each with its pointer', async () => {
  const nonsense = {
    phone: '11 8765-000',
    challenge_id: ' ',
    code: '12345',
    name: ' ',
    cpf: '123.456.789-00',
    birth_date: '2001-02-29',
    email: 'elisa',
    password: 'curta',
    referral_code: 7,
    terms: '',
    admin: true,
  };
  const { status, body } = await signUp(nonsense);
  assert.equal(`${status} ${body.code}`, '400 validation_failed');
  assert.deepEqual(
    listPointers(body.errors),
    Object.keys(nonsense)
      .map((name) => `/${name}`)
      .sort(),
  );
  const requiredFields = ['birth_date', 'challenge_id', 'code', 'cpf', 'email', 'name', 'phone', 'terms'];
  assert.deepEqual(
    listPointers((await signUp({})).body.errors),
    requiredFields.map((name) => `/${name}`),
  );
  const form = await newForm();
  for (const birth_date of ['1990-5-31', '31/05/1990', '1899-12-31', '9999-12-31', 19900531, null])
    assert.deepEqual(listPointers((await signUp({ ...form, birth_date })).body.errors), ['/birth_date']);
  for (const terms of ['a b', 'x'.repeat(41), '../2026', '2026\0'])
    assert.deepEqual(listPointers((await signUp({ ...form, terms })).body.errors), ['/terms']);
});

test('a person is 18 from midnight of the birthday in São Paulo', async () => {
  service.clock.set('2027-03-10T02:59:00Z'); // 23:59 of the day before
  const form = await newForm({ birth_date: '2009-03-10' });
  assertRefused(await signUp(form), 422, 'underage');
  service.clock.advance(59_999);
  assertRefused(await signUp(form), 422, 'underage');
  service.clock.advance(1);
  assert.equal((await signUp(form)).status, 201);
  service.clock.set('2027-03-10T02:59:00Z');
  const futureBirthResponse = await signUp(await newForm({ birth_date: '2027-03-10' }));
  assert.deepEqual(listPointers(futureBirthResponse.body.errors), ['/birth_date']);
});

test('a sign-up with the referral code from Ana’s link appears in her invitations', async () => {
  const { token } = await logIn(service, ANA);
  const referralBefore = (await service.get('/wallet/referral', { token })).body;
  assert.equal(referralBefore.link, `http://localhost:3003/convite/${referralBefore.code}`);
  const referral_code = referralBefore.link.split('/').at(-1);
  assert.equal((await signUp(await newForm({ name: 'Flávia Rocha', referral_code }))).status, 201);
  const { summary, invitations } = (await service.get('/wallet/referral', { token })).body;
  assert.equal(summary.invited, referralBefore.summary.invited + 1);
  assert.deepEqual([invitations[0].name, invitations[0].status], ['Flávia R***', 'registered']);
});

test('the accepted terms are stored permanently with time and IP address, and the birth date is encrypted', async () => {
  const form = await newForm({ terms: '2026-11.b' });
  const { id } = (await signUp(form, ipAddressOptions('203.0.113.77'))).body.customer;
  const acceptances = await service.db.rows(sql`
    select version, address, accepted_at from terms_acceptances where customer_id = ${id}`);
  assert.deepEqual(acceptances, [
    { version: '2026-11.b', address: '203.0.113.77', accepted_at: service.clock.now() },
  ]);
  for (const forbiddenChange of [
    sql`update terms_acceptances set version = 'x' where customer_id = ${id}`,
    sql`delete from terms_acceptances where customer_id = ${id}`,
  ])
    await assert.rejects(service.db.run(forbiddenChange), /append-only/);
  const identityRow = await customerTransaction(service.db, id, (tx) => lockIdentity(tx, id));
  assert.equal(decryptIdentity(vault, identityRow!).birth_date, '1990-05-31');
  assert.ok(!identityRow!.person_sealed.includes('1990-05-31'));
});

test('customer.registered is emitted once, as for a registration by staff', async () => {
  const { id } = (await signUp(await newForm())).body.customer;
  const events = await service.db.rows<{ type: string; data: unknown }>(
    sql`select type, data from events where customer_id = ${id}`,
  );
  const eventData = { customer_id: id, registered_at: service.clock.now().toISOString(), invited_with: null };
  assert.deepEqual(events, [{ type: 'customer.registered', data: eventData }]);
});

test('registration, event, terms and session have the same time while the clock advances, and no refused attempt is counted', async () => {
  const { clock } = service;
  const originalNow = clock.now;
  let readCount = 0;
  // Each reading of the clock is a millisecond later.
  clock.now = () => {
    readCount++;
    return new Date(originalNow().getTime() + readCount);
  };
  const addressOptions = ipAddressOptions('203.0.113.89');
  const { status, body } = await signUp(await newForm({ password: STRONG_PASSWORD }), addressOptions);
  clock.now = originalNow;
  assert.equal(status, 201);
  const { id } = body.customer;
  const times = await service.db.rows(sql`
    select created_at as at from customers where id = ${id}
    union select occurred_at from events where customer_id = ${id}
    union select accepted_at from terms_acceptances where customer_id = ${id}
    union select created_at from sessions where customer_id = ${id}`);
  assert.equal(times.length, 1);
  const countedAttempts = await service.db.rows(sql`
    select from attempt_windows where kind = 'signup_address' and subject = ${vault.hash('address', '203.0.113.89')}
      and cardinality(hits) > 0`);
  assert.equal(countedAttempts.length, 0);
});

test('of concurrent sign-ups with one code, one phone or one CPF on two nodes, one succeeds', async () => {
  const phone = newPhone();
  const codes = [await newCode(service, phone), await newCode(service, phone), await newCode(service, phone)];
  const firstForm = await newForm();
  const cpf = newCpf();
  const forms = await Promise.all(Array.from({ length: 3 }, () => newForm()));
  const races: Array<[forms: SignUpForm[], expectedCode: string]> = [
    [[firstForm, firstForm, firstForm, firstForm], 'phone_registered'],
    [codes.map((sentCode) => ({ ...firstForm, ...sentCode, cpf: newCpf() })), 'phone_registered'],
    [forms.map((form) => ({ ...form, cpf })), 'cpf_registered'],
  ];
  for (const [raceForms, expectedCode] of races) {
    const responses = await Promise.all(
      raceForms.map((form, i) => signUp(form, newIpAddressOptions(), i % 2 ? otherNode : service)),
    );
    const refusals = responses.filter(({ status }) => status !== 201);
    assert.equal(refusals.length, raceForms.length - 1, responses.map(({ text }) => text).join());
    for (const response of refusals) {
      // After the code was used, the response is only 401.
      if (response.status === 401) assertRefused(response, 401, 'invalid_credentials');
      else assertRefused(response, 409, expectedCode);
    }
  }
});

test('SIGNUPS_PER_ADDRESS limits sign-ups per day from one IP address, even concurrent ones; another address can sign up', async () => {
  const strictNode = await service.startNode({ env: { ...BEHIND_PROXY.env, SIGNUPS_PER_ADDRESS: '3' } });
  const addressOptions = ipAddressOptions('203.0.113.91');
  const forms = await Promise.all(Array.from({ length: 5 }, () => newForm()));
  const responses = await Promise.all(forms.map((form) => signUp(form, addressOptions, strictNode)));
  const refusals = responses.filter(({ status }) => status !== 201);
  assert.equal(refusals.length, 2);
  for (const response of refusals) {
    assertRefused(response, 429, 'rate_limited');
    assert.equal(response.headers.get('retry-after'), String(DAY_MS / 1_000));
  }
  const form = forms[responses.findIndex(({ status }) => status !== 201)]!;
  assert.ok(!(await isRegistered(form.phone)));
  assert.equal((await signUp(form, newIpAddressOptions(), strictNode)).status, 201);
  service.clock.advance(DAY_MS);
  assert.equal((await signUp(await newForm(), addressOptions, strictNode)).status, 201);
});

test('SIGNUPS_PER_ADDRESS is 5 in live mode and 1,000 in the sandbox', () => {
  const readLimit = (mode: Mode) => customersSettings.read(new SettingsReader({}, mode)).signUpsPerAddress;
  assert.deepEqual([readLimit('live'), readLimit('sandbox')], [5, 1_000]);
});

test('a repeated request with the same Idempotency-Key returns the same login, although its code is used', async () => {
  const form = await newForm({ password: STRONG_PASSWORD });
  const key = randomUUID();
  const concurrentResponses = await Promise.all(
    Array.from({ length: 5 }, (_, i) => signUp(form, withIdempotencyKey(key), i % 2 ? otherNode : service)),
  );
  for (const response of concurrentResponses)
    if (response.status !== 201) assertRefused(response, 409, 'idempotency_key_in_flight');
  const repeatedResponse = await signUp(form, withIdempotencyKey(key), otherNode);
  assert.equal(
    `${repeatedResponse.status} ${repeatedResponse.headers.get('idempotency-replayed')}`,
    '201 true',
  );
  const createResponses = concurrentResponses.filter(({ status }) => status === 201);
  assert.ok(createResponses.length > 0);
  for (const { body } of createResponses) assert.deepEqual(body, repeatedResponse.body);
  assert.ok(await isRegistered(form.phone));
  assert.equal((await getMe(service, repeatedResponse.body.token)).status, 200);
  assertRefused(
    await signUp({ ...form, name: 'Outra' }, withIdempotencyKey(key)),
    422,
    'idempotency_key_reused',
  );
  const otherPartnerOptions = { ...withIdempotencyKey(key), key: await createOtherPartnerKey(service) };
  assertRefused(await signUp(form, otherPartnerOptions), 401, 'invalid_credentials');
  const storedResponses = await service.db.rows<{ text: string }>(
    sql`select stored::text as text from idempotent_answers stored where key = ${key}`,
  );
  for (const secret of [
    repeatedResponse.body.token,
    repeatedResponse.body.refresh_token,
    form.cpf,
    form.phone,
    'Elisa',
    'palavras',
  ])
    assert.ok(!storedResponses[0]!.text.includes(secret), secret);

  const path = `/admin/customers/${repeatedResponse.body.customer.id}/export`;
  const exportResponse = await service.staff('GET', path, { key: OPERATOR_KEY });
  assert.match(exportResponse.body.tables.idempotent_answers[0].body, /Elisa Prado/);
  for (const token of [repeatedResponse.body.token, repeatedResponse.body.refresh_token])
    assert.ok(!exportResponse.text.includes(token), 'the export contains no usable token');
});

test('the Idempotency-Key of a refused request can be used again', async () => {
  const form = await newForm();
  const options = withIdempotencyKey(randomUUID());
  assertRefused(
    await signUp({ ...form, referral_code: UNKNOWN_REFERRAL_CODE }, options),
    422,
    'referral_code_unknown',
  );
  assert.equal((await signUp(form, options)).status, 201);
});

test('20 refused sign-ups an hour per phone and 60 per IP address prevent testing which CPFs are registered', async () => {
  const form = await newForm({ referral_code: UNKNOWN_REFERRAL_CODE });
  const assertTwentyRefused = async (refusedForm: SignUpForm, options?: CallOptions) => {
    // Sequential: concurrent requests would wait for locks of the same counters and could time out on a busy machine.
    for (let i = 0; i < 20; i++)
      assertRefused(await signUp({ ...refusedForm, cpf: newCpf() }, options), 422, 'referral_code_unknown');
  };
  await assertTwentyRefused(form);
  assertRefused(await signUp({ ...form, cpf: newCpf() }), 429, 'rate_limited');
  const addressOptions = ipAddressOptions('203.0.113.88');
  for (let i = 0; i < 3; i++)
    await assertTwentyRefused(await newForm({ referral_code: UNKNOWN_REFERRAL_CODE }), addressOptions);
  const nextForm = await newForm();
  assertRefused(await signUp(nextForm, addressOptions), 429, 'rate_limited');
  assert.equal((await signUp(nextForm)).status, 201, 'another address is not limited');
});

test('wrong codes count as failed logins of the IP address', async () => {
  const addressOptions = ipAddressOptions('203.0.113.90');
  const form = await newForm();
  const wrongForm = { ...form, challenge_id: UNKNOWN_CHALLENGE_ID };
  const MAX_FAILED_LOGINS_PER_ADDRESS = 30;
  for (let i = 0; i < MAX_FAILED_LOGINS_PER_ADDRESS; i++)
    assertRefused(await signUp(wrongForm, addressOptions), 401, 'invalid_credentials');
  assertRefused(await signUp(form, addressOptions), 429, 'rate_limited');
});

test('personal data and secrets of a sign-up are not logged', async () => {
  const form = await newForm({ name: 'Gil Tavares', password: 'senha secreta 42', email: 'gil@example.com' });
  const logLengthBefore = service.readLog().length;
  await signUp({ ...form, email: 'gil' });
  await signUp({ ...form, ...toWrongCode(form) });
  await signUp({ ...form, birth_date: '2020-07-09' });
  const { body } = await signUp(form, withIdempotencyKey(randomUUID()));
  const logText = service.readLog().slice(logLengthBefore);
  assert.ok(logText.includes('/wallet/auth/signup'));
  const secrets = [
    form.phone.slice(3),
    form.cpf,
    form.code,
    'Gil',
    'gil@',
    'senha secreta',
    '1990-05-31',
    '2020-07-09',
  ];
  for (const secret of [...secrets, body.token, body.refresh_token])
    assert.ok(!logText.includes(secret), secret);
  await waitForMessages(service, form.phone, 1);
});

function toSentCode({ phone, challenge_id, code }: SentCode): SentCode {
  return { phone, challenge_id, code };
}
