import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { HOUR_MS, MINUTE_MS } from '#core/values/duration.ts';
import { createCommandRunner, runCli } from '../../../test/commands.ts';
import { shareService } from '../../../test/harness.ts';
import { OPERATOR_KEY } from '../../../test/purchase-driver.ts';
import { assertRefused } from '../../../test/support/customers.ts';
import { openSession } from './sessions.ts';
import { findCredentials } from './store.ts';
import { computeCode, computeTimeStep, encodeBase32 } from './totp.ts';

const service = await shareService();
const run = createCommandRunner(service);
const PASSWORD = 'girafa-boia-longe';
const WRONG_PASSWORD = 'errada-errada';
const HOME_ADDRESS = '203.0.113.7';

const callAsAdmin = (method: string, path: string, body?: unknown) =>
  service.staff(method, path, { key: OPERATOR_KEY, ...(body !== undefined && { body }) });
const post = (path: string, body: unknown, address = HOME_ADDRESS) =>
  service.staff('POST', path, { key: null, body, headers: { 'x-forwarded-for': address } });
const callAs = (session: string) => (method: string, path: string, body?: unknown) =>
  service.staff(method, path, {
    key: null,
    headers: { authorization: `Bearer ${session}` },
    ...(body !== undefined && { body }),
  });
const extractToken = (url: string) => url.split('/').at(-1)!;

let userCount = 0;
async function newInvitedUser(role = 'support') {
  userCount += 1;
  const { status, body, text } = await callAsAdmin('POST', '/admin/staff', {
    name: `Pessoa ${userCount}`,
    role,
  });
  assert.equal(status, 201, text);
  return {
    id: body.id as string,
    token: extractToken(body.invite_url),
    email: `pessoa${userCount}@example.com`,
  };
}

/** Creates a user who has accepted the invitation and set up one-time codes. */
async function newEnrolledUser(role?: string) {
  const person = await newInvitedUser(role);
  const { body: login } = await post('/auth/accept', { ...pickTokenAndEmail(person), password: PASSWORD });
  const call = callAs(login.session);
  const { body: totp } = await call('POST', '/auth/totp');
  const secret = decodeBase32(totp.secret);
  const newCode = () => computeCode(secret, computeTimeStep(service.clock.now()));
  const { body: confirmation, text } = await call('POST', '/auth/totp/confirm', { code: newCode() });
  assert.equal(confirmation.recovery_codes?.length, 10, text);
  service.clock.advance(MINUTE_MS);
  return { ...person, newCode, recoveryCodes: confirmation.recovery_codes as string[], call };
}
const pickTokenAndEmail = ({ token, email }: { token: string; email: string }) => ({ token, email });

function decodeBase32(text: string): Buffer {
  const bits = [...text].map((letter) =>
    'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.indexOf(letter).toString(2).padStart(5, '0'),
  );
  return Buffer.from((bits.join('').match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
}

const logIn = async ({ email }: { email: string }, password = PASSWORD) =>
  post('/auth/login', { email, password });

test('one-time codes match the test vectors of RFC 6238', () => {
  const secret = Buffer.from('12345678901234567890');
  const VECTOR_DIGITS = 8;
  const vectors = [
    [59, '94287082'],
    [1111111109, '07081804'],
    [1234567890, '89005924'],
    [20000000000, '65353130'],
  ] as const;
  for (const [seconds, code] of vectors)
    assert.equal(computeCode(secret, computeTimeStep(new Date(seconds * 1000)), VECTOR_DIGITS), code);
  assert.equal(encodeBase32(Buffer.from('foobar')), 'MZXW6YTBOI');
});

test('an invited user sets a password and a second factor and signs in with both; the session has the role of the user', async () => {
  const person = await newEnrolledUser('content');
  const { body: login } = await logIn(person);
  assert.deepEqual([login.next, login.methods], ['second_factor', ['totp']]);
  const call = callAs(login.session);
  assertRefused(await call('GET', '/admin/me'), 403, 'second_factor_missing');
  assertRefused(await call('POST', '/auth/totp'), 403, 'second_factor_missing');
  assertRefused(await call('POST', '/auth/second-factor', { code: '000000' }), 422, 'factor_wrong');
  assert.equal((await call('POST', '/auth/second-factor', { code: person.newCode() })).status, 200);
  const me = await call('GET', '/admin/me');
  assert.deepEqual(me.body, { id: person.id, name: me.body.name, role: 'content', email: person.email });
  assertRefused(await call('POST', '/admin/payouts', {}), 403, 'role_missing');
  const changeResponse = await call('POST', '/admin/categories', {
    slug: `c-${userCount}`,
    name: `Categoria ${userCount}`,
  });
  assert.equal(changeResponse.status, 201, changeResponse.text);
  const { data } = (await callAsAdmin('GET', `/admin/audit-trail?actor=${person.id}`)).body;
  assert.ok(data.some(({ action }: { action: string }) => action === 'createCategory'));
  assert.ok(data.some(({ action }: { action: string }) => action === 'signInStaff'));
});

test('a one-time code and a recovery code work once, and not for another user', async () => {
  const person = await newEnrolledUser();
  const otherPerson = await newEnrolledUser();
  const sendCode = async (code: string | undefined) =>
    callAs((await logIn(person)).body.session)('POST', '/auth/second-factor', { code });
  const oneTimeCode = person.newCode();
  assert.equal((await sendCode(oneTimeCode)).status, 200);
  assertRefused(await sendCode(oneTimeCode), 422, 'factor_wrong');
  const [recoveryCode] = person.recoveryCodes;
  const [foreignCode] = otherPerson.recoveryCodes;
  assertRefused(await sendCode(foreignCode), 422, 'factor_wrong');
  assert.equal((await sendCode(recoveryCode)).status, 200);
  assertRefused(await sendCode(recoveryCode), 422, 'factor_wrong');
});

test('429 login_locked: five wrong passwords lock the e-mail from this IP address, five wrong codes lock the second factor', async () => {
  const person = await newEnrolledUser();
  for (let i = 0; i < 5; i++) assertRefused(await logIn(person, WRONG_PASSWORD), 401, 'invalid_credentials');
  assertRefused(await logIn(person), 429, 'login_locked');
  assertRefused(
    await post('/auth/login', { email: 'ninguem@example.com', password: PASSWORD }),
    401,
    'invalid_credentials',
  );
  service.clock.advance(16 * MINUTE_MS);
  const call = callAs((await logIn(person)).body.session);
  for (let i = 0; i < 5; i++)
    assertRefused(await call('POST', '/auth/second-factor', { code: '000000' }), 422, 'factor_wrong');
  assertRefused(await call('POST', '/auth/second-factor', { code: person.newCode() }), 429, 'login_locked');
});

test('strangers cannot lock a staff user out at a known IP address, and x-client-ip is ignored', async () => {
  const person = await newEnrolledUser();
  const logInAt = (address: string, password = PASSWORD) =>
    post('/auth/login', { email: person.email, password }, address);
  const MAX_FAILURES_PER_EMAIL = 20;
  // From four addresses, so that only the e-mail is locked.
  for (let i = 0; i < MAX_FAILURES_PER_EMAIL; i++) {
    const { status } = await logInAt(`198.51.100.${1 + (i % 4)}`, WRONG_PASSWORD);
    assert.equal(status, 401);
    service.clock.advance(3_000);
  }
  assertRefused(await logInAt('192.0.2.1'), 429, 'login_locked');
  assert.equal((await logInAt(HOME_ADDRESS)).status, 200, 'the address of the accepted invitation');

  const otherUser = await newEnrolledUser();
  const guess = (address: string) =>
    service.staff('POST', '/auth/login', {
      key: null,
      body: { email: otherUser.email, password: WRONG_PASSWORD },
      headers: { 'x-forwarded-for': '192.0.2.9', 'x-client-ip': address },
    });
  for (let i = 0; i < 5; i++) assertRefused(await guess(`203.0.113.${i}`), 401, 'invalid_credentials');
  assertRefused(await guess('203.0.113.99'), 429, 'login_locked');
});

test('an invitation works once, for 48 hours, and is replaced by a newer one', async () => {
  const person = await newInvitedUser();
  const getResponse = await post('/auth/invitation', { token: person.token });
  assert.equal(getResponse.body.role, 'support');
  const weakResponse = await post('/auth/accept', { ...pickTokenAndEmail(person), password: 'senha123' });
  assertRefused(weakResponse, 422, 'password_too_common');
  const form = { ...pickTokenAndEmail(person), password: PASSWORD };
  const responses = await Promise.all([post('/auth/accept', form), post('/auth/accept', form)]);
  assert.deepEqual(responses.map(({ status }) => status).sort(), [200, 410]);
  const lateUser = await newInvitedUser();
  service.clock.advance(49 * HOUR_MS);
  assertRefused(await post('/auth/invitation', { token: lateUser.token }), 410, 'invite_expired');
  const repeatedResponse = await callAsAdmin('POST', `/admin/staff/${lateUser.id}/invite`);
  assert.equal(repeatedResponse.status, 201, repeatedResponse.text);
  const takenForm = {
    token: extractToken(repeatedResponse.body.invite_url),
    email: person.email,
    password: PASSWORD,
  };
  assertRefused(await post('/auth/accept', takenForm), 409, 'email_taken');
});

test('a session ends after 30 idle minutes, after 12 hours, and immediately when its user is removed or reset', async () => {
  const { call } = await newEnrolledUser();
  assert.equal((await call('GET', '/admin/me')).status, 200);
  // The first session ends at the age of 12 hours, although it is never idle for 30 minutes.
  for (let minutes = 0; minutes < 11 * 60; minutes += 25) {
    service.clock.advance(25 * MINUTE_MS);
    assert.equal((await call('GET', '/admin/me')).status, 200, `${minutes}`);
  }
  service.clock.advance(29 * MINUTE_MS);
  await call('GET', '/admin/me');
  service.clock.advance(29 * MINUTE_MS);
  assertRefused(await call('GET', '/admin/me'), 401, 'session_ended');

  const idleUser = await newEnrolledUser();
  service.clock.advance(31 * MINUTE_MS);
  assertRefused(await idleUser.call('GET', '/admin/me'), 401, 'session_ended');

  const removedUser = await newEnrolledUser();
  await callAsAdmin('DELETE', `/admin/staff/${removedUser.id}`);
  assertRefused(await removedUser.call('GET', '/admin/me'), 401, 'session_ended');

  const resetUser = await newEnrolledUser();
  const printedUrl = await run('staff reset', resetUser.id);
  assertRefused(await resetUser.call('GET', '/admin/me'), 401, 'session_ended');
  assertRefused(await logIn(resetUser), 401, 'invalid_credentials');
  const form = { token: extractToken(printedUrl.trim()), email: resetUser.email, password: PASSWORD };
  assert.equal((await post('/auth/accept', form)).status, 200);
});

test('semana login prompts for the one-time code of a user who has set up one-time codes', async () => {
  const person = await newEnrolledUser('support');
  const home = await mkdtemp(join(tmpdir(), 'semana-login-'));
  after(() => rm(home, { recursive: true, force: true }));
  const env = { SEMANA_URL: service.staffUrl, XDG_CONFIG_HOME: home };
  const answerWith = (code: string) => async (question: string) =>
    ({ 'E-mail: ': person.email, 'Password: ': PASSWORD, 'One-time code: ': code })[question] ?? '';
  const wrongOutcome = await runCli(['login'], env, { ask: answerWith('000000') });
  assert.deepEqual([wrongOutcome.code, wrongOutcome.stdout], [1, '']);
  const loginOutcome = await runCli(['login'], env, { ask: answerWith(person.newCode()) });
  assert.equal(loginOutcome.code, 0, loginOutcome.stderr);
  assert.match((await runCli(['me', 'get'], env)).stdout, new RegExp(`id +${person.id}\n`));
});

test('sessions can be listed and ended, individually or all others; an API key has no session', async () => {
  const person = await newEnrolledUser();
  const login = (await logIn(person)).body;
  const callWithNewSession = callAs(login.session);
  await callWithNewSession('POST', '/auth/second-factor', { code: person.newCode() });
  const sessions = (await callWithNewSession('GET', '/auth/sessions')).body.data;
  assert.equal(sessions.length, 2);
  assert.deepEqual(
    sessions.map(({ is_current }: { is_current: boolean }) => is_current),
    [true, false],
  );
  assert.equal((await callWithNewSession('POST', '/auth/sessions/end')).status, 204);
  assertRefused(await person.call('GET', '/admin/me'), 401, 'session_ended');
  const { session_id } = login;
  const stranger = await newEnrolledUser();
  assert.equal((await stranger.call('POST', `/auth/sessions/${session_id}/end`)).status, 404);
  assert.equal((await callWithNewSession('POST', '/auth/logout')).status, 204);
  assertRefused(await callWithNewSession('GET', '/admin/me'), 401, 'session_ended');
  assertRefused(await callAsAdmin('GET', '/auth/sessions'), 409, 'session_needed');
  assert.equal((await callAsAdmin('GET', '/admin/me')).body.role, 'admin');
});

test('a second factor is required in live mode and optional in the sandbox', async () => {
  const { id } = await newInvitedUser();
  const person = (await findCredentials(service.db, id))!;
  const options = { browser: { address: '::1', agent: '' }, now: service.clock.now() };
  const openSessionIn = (mode: 'live' | 'sandbox') =>
    service.db.transaction((tx) => openSession(tx, person, { ...options, mode }));
  const liveSession = await openSessionIn('live');
  assert.equal(liveSession.next, 'enrol');
  assertRefused(await callAs(liveSession.session)('GET', '/admin/me'), 403, 'second_factor_missing');
  assert.equal((await callAs(liveSession.session)('POST', '/auth/totp')).status, 200);
  assert.equal((await callAs((await openSessionIn('sandbox')).session)('GET', '/admin/me')).status, 200);
});

test('in the sandbox one request opens a session with any role', async () => {
  for (const role of ['viewer', 'content', 'support', 'finance', 'admin']) {
    const { status, body } = await post('/sandbox/sessions', { role });
    assert.equal(status, 201);
    assert.equal((await callAs(body.session)('GET', '/admin/me')).body.role, role);
  }
});
