import assert from 'node:assert/strict';
import { test } from 'node:test';
import { HOUR_MS, MINUTE_MS } from '#core/duration.ts';
import { commandRunner } from '../../../test/commands.ts';
import { openService } from '../../../test/harness.ts';
import { OPERATOR_KEY } from '../../../test/shop.ts';
import { assertRefused } from '../../../test/support/customers.ts';
import { openSession } from './sessions.ts';
import { findPerson } from './store.ts';
import { base32, codeAt, stepAt } from './totp.ts';

const service = await openService();
const run = commandRunner(service);
const PASSWORD = 'girafa-boia-longe';

const admin = (method: string, path: string, body?: unknown) =>
  service.staff(method, path, { key: OPERATOR_KEY, ...(body !== undefined && { body }) });
const open = (path: string, body: unknown, address = '203.0.113.7') =>
  service.staff('POST', path, { key: null, body, headers: { 'x-client-ip': address } });
const as = (session: string) => (method: string, path: string, body?: unknown) =>
  service.staff(method, path, {
    key: null,
    headers: { authorization: `Bearer ${session}` },
    ...(body !== undefined && { body }),
  });
const tokenIn = (url: string) => url.split('/').at(-1)!;

let people = 0;
async function invited(role = 'support') {
  people += 1;
  const { status, body, text } = await admin('POST', '/admin/staff', { name: `Pessoa ${people}`, role });
  assert.equal(status, 201, text);
  return { id: body.id as string, token: tokenIn(body.invite_url), email: `pessoa${people}@example.com` };
}

/** Somebody who has accepted, with one-time codes. */
async function enrolled(role?: string) {
  const person = await invited(role);
  const { body: entered } = await open('/auth/accept', { ...pick(person), password: PASSWORD });
  const call = as(entered.session);
  const { body: totp } = await call('POST', '/auth/totp');
  const secret = fromBase32(totp.secret);
  const code = () => codeAt(secret, stepAt(service.clock.now()));
  const { body: added, text } = await call('POST', '/auth/totp/confirm', { code: code() });
  assert.equal(added.recovery_codes?.length, 10, text);
  service.clock.advance(MINUTE_MS);
  return { ...person, code, recovery: added.recovery_codes as string[], call };
}
const pick = ({ token, email }: { token: string; email: string }) => ({ token, email });

function fromBase32(text: string): Buffer {
  const bits = [...text].map((one) =>
    'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.indexOf(one).toString(2).padStart(5, '0'),
  );
  return Buffer.from((bits.join('').match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
}

const logIn = async ({ email }: { email: string }, password = PASSWORD) =>
  open('/auth/login', { email, password });

test('one-time codes are those of RFC 6238', () => {
  const secret = Buffer.from('12345678901234567890');
  const vectors = [
    [59, '94287082'],
    [1111111109, '07081804'],
    [1234567890, '89005924'],
    [20000000000, '65353130'],
  ] as const;
  for (const [seconds, code] of vectors)
    assert.equal(codeAt(secret, stepAt(new Date(seconds * 1000)), 8), code);
  assert.equal(base32(Buffer.from('foobar')), 'MZXW6YTBOI');
});

test('an invited person chooses password and second factor, and signs in with both: the session has exactly their role', async () => {
  const person = await enrolled('support');
  const { body: entered } = await logIn(person);
  assert.deepEqual([entered.next, entered.methods], ['second_factor', ['totp']]);
  const call = as(entered.session);
  assertRefused(await call('GET', '/admin/me'), 403, 'second_factor_missing');
  assertRefused(await call('POST', '/auth/totp'), 403, 'second_factor_missing');
  assertRefused(await call('POST', '/auth/second-factor', { code: '000000' }), 422, 'factor_wrong');
  assert.equal((await call('POST', '/auth/second-factor', { code: person.code() })).status, 200);
  const me = await call('GET', '/admin/me');
  assert.deepEqual(me.body, { id: person.id, name: me.body.name, role: 'support', email: person.email });
  assertRefused(await call('POST', '/admin/payouts', {}), 403, 'role_missing');
  const changed = await call('POST', '/admin/categories', {
    slug: `c-${people}`,
    name: `Categoria ${people}`,
  });
  assert.equal(changed.status, 201, changed.text);
  const { data } = (await admin('GET', `/admin/audit-trail?actor=${person.id}`)).body;
  assert.ok(data.some(({ action }: { action: string }) => action === 'createCategory'));
  assert.ok(data.some(({ action }: { action: string }) => action === 'signInStaff'));
});

test('a one-time code counts once, a recovery code once, and neither for somebody else', async () => {
  const person = await enrolled();
  const other = await enrolled();
  const begin = async () => as((await logIn(person)).body.session);
  const code = person.code();
  assert.equal((await (await begin())('POST', '/auth/second-factor', { code })).status, 200);
  assertRefused(await (await begin())('POST', '/auth/second-factor', { code }), 422, 'factor_wrong');
  const [mine] = person.recovery;
  const [theirs] = other.recovery;
  assertRefused(await (await begin())('POST', '/auth/second-factor', { code: theirs }), 422, 'factor_wrong');
  assert.equal((await (await begin())('POST', '/auth/second-factor', { code: mine })).status, 200);
  assertRefused(await (await begin())('POST', '/auth/second-factor', { code: mine }), 422, 'factor_wrong');
});

test('429 login_locked: five wrong passwords lock this e-mail from this address, five wrong codes the second factor', async () => {
  const person = await enrolled();
  for (let i = 0; i < 5; i++) assertRefused(await logIn(person, 'errada-errada'), 401, 'invalid_credentials');
  assertRefused(await logIn(person), 429, 'login_locked');
  assertRefused(
    await open('/auth/login', { email: 'ninguem@example.com', password: PASSWORD }),
    401,
    'invalid_credentials',
  );
  service.clock.advance(16 * MINUTE_MS);
  const call = as((await logIn(person)).body.session);
  for (let i = 0; i < 5; i++)
    assertRefused(await call('POST', '/auth/second-factor', { code: '000000' }), 422, 'factor_wrong');
  assertRefused(await call('POST', '/auth/second-factor', { code: person.code() }), 429, 'login_locked');
});

test('an invitation works once, for 48 hours, and no longer once another was made', async () => {
  const person = await invited();
  const shown = await open('/auth/invitation', { token: person.token });
  assert.equal(shown.body.role, 'support');
  const weak = await open('/auth/accept', { ...pick(person), password: 'senha123' });
  assertRefused(weak, 422, 'password_too_common');
  const form = { ...pick(person), password: PASSWORD };
  const both = await Promise.all([open('/auth/accept', form), open('/auth/accept', form)]);
  assert.deepEqual(both.map(({ status }) => status).sort(), [200, 410]);
  const late = await invited();
  service.clock.advance(49 * HOUR_MS);
  assertRefused(await open('/auth/invitation', { token: late.token }), 410, 'invite_expired');
  const again = await admin('POST', `/admin/staff/${late.id}/invite`);
  assert.equal(again.status, 201, again.text);
  const taken = { token: tokenIn(again.body.invite_url), email: person.email, password: PASSWORD };
  assertRefused(await open('/auth/accept', taken), 409, 'email_taken');
});

test('a session ends after 30 minutes of nothing, after 12 hours, and at once when its person is removed or reset', async () => {
  const { call } = await enrolled();
  assert.equal((await call('GET', '/admin/me')).status, 200);
  for (let minutes = 0; minutes < 11 * 60; minutes += 25) {
    service.clock.advance(25 * MINUTE_MS);
    assert.equal((await call('GET', '/admin/me')).status, 200, `${minutes}`);
  }
  service.clock.advance(29 * MINUTE_MS);
  await call('GET', '/admin/me');
  service.clock.advance(29 * MINUTE_MS);
  assertRefused(await call('GET', '/admin/me'), 401, 'session_ended');

  const idle = await enrolled();
  service.clock.advance(31 * MINUTE_MS);
  assertRefused(await idle.call('GET', '/admin/me'), 401, 'session_ended');

  const removed = await enrolled();
  await admin('DELETE', `/admin/staff/${removed.id}`);
  assertRefused(await removed.call('GET', '/admin/me'), 401, 'session_ended');

  const lost = await enrolled();
  const printed = await run('staff reset', lost.id);
  assertRefused(await lost.call('GET', '/admin/me'), 401, 'session_ended');
  assertRefused(await logIn(lost), 401, 'invalid_credentials');
  const form = { token: tokenIn(printed.trim()), email: lost.email, password: PASSWORD };
  assert.equal((await open('/auth/accept', form)).status, 200);
});

test('sessions are listed and ended, one by one or all others; a key has none', async () => {
  const person = await enrolled();
  const entered = (await logIn(person)).body;
  const second = as(entered.session);
  await second('POST', '/auth/second-factor', { code: person.code() });
  const listed = (await second('GET', '/auth/sessions')).body.data;
  assert.equal(listed.length, 2);
  assert.deepEqual(
    listed.map(({ is_current }: { is_current: boolean }) => is_current),
    [true, false],
  );
  assert.equal((await second('POST', '/auth/sessions/end')).status, 204);
  assertRefused(await person.call('GET', '/admin/me'), 401, 'session_ended');
  const { session_id } = entered;
  const stranger = await enrolled();
  assert.equal((await stranger.call('POST', `/auth/sessions/${session_id}/end`)).status, 404);
  assert.equal((await second('POST', '/auth/logout')).status, 204);
  assertRefused(await second('GET', '/admin/me'), 401, 'session_ended');
  assertRefused(await admin('GET', '/auth/sessions'), 409, 'session_needed');
  assert.equal((await admin('GET', '/admin/me')).body.role, 'admin');
});

test('in live mode nobody gets in without a second factor; in the sandbox one may go without', async () => {
  const { id } = await invited();
  const person = (await findPerson(service.db, id))!;
  const given = { browser: { address: '::1', agent: '' }, now: service.clock.now() };
  const enter = (mode: 'live' | 'sandbox') =>
    service.db.transaction((tx) => openSession(tx, person, { ...given, mode }));
  const live = await enter('live');
  assert.equal(live.next, 'enrol');
  assertRefused(await as(live.session)('GET', '/admin/me'), 403, 'second_factor_missing');
  assert.equal((await as(live.session)('POST', '/auth/totp')).status, 200);
  assert.equal((await as((await enter('sandbox')).session)('GET', '/admin/me')).status, 200);
});

test('in the sandbox one click is a session of any role', async () => {
  for (const role of ['viewer', 'content', 'support', 'finance', 'admin']) {
    const { status, body } = await open('/sandbox/sessions', { role });
    assert.equal(status, 201);
    assert.equal((await as(body.session)('GET', '/admin/me')).body.role, role);
  }
});
