import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from '#platform/db.ts';
import { type Node, openService } from '../../../test/harness.ts';
import { lockCustomer } from '../lock-customer.ts';
import {
  assertRefused,
  assertSoonRefused,
  BRUNO,
  logIn,
  me,
  messagesTo,
  newCode,
  newCustomer,
  newPhone,
  OPERATOR_KEY,
} from '../testing.ts';

const service = await openService();
const neighbour = await service.join();
const MINUTE = 60_000;

const logInByCode = (node: Node, phone: string, code: string) =>
  node.post('/wallet/auth/otp/login', { phone, code });
const setPassword = (phone: string, code: string, password: string) =>
  service.post('/wallet/auth/password', { phone, code, password });
const otherThan = (code: string, n = 1) => String((Number(code) + n) % 1_000_000).padStart(6, '0');

test('a code reaches the phone, in Portuguese, and logs in; it works once', async () => {
  const code = await newCode(service, BRUNO.phone);
  const [message] = await messagesTo(service, BRUNO.phone);
  assert.match(code, /^\d{6}$/);
  assert.equal(message!.text, `Semana: ${code} é o seu código. Vale 5 minutos. Não o diga a ninguém.`);
  assert.ok(message!.text.length <= 70, 'one SMS');
  const answer = await logInByCode(neighbour, BRUNO.phone, code);
  assert.equal(answer.status, 200);
  assert.equal((await me(service, answer.body.token)).body.phone, BRUNO.phone);
  assertRefused(await logInByCode(service, BRUNO.phone, code), 401, 'invalid_credentials');
});

test('of logins that race with one code one succeeds', async () => {
  const { phone } = await newCustomer(service);
  const code = await newCode(service, phone);
  const answers = await Promise.all(
    Array.from({ length: 5 }, (_, i) => logInByCode(i % 2 ? neighbour : service, phone, code)),
  );
  assert.equal(answers.filter(({ status }) => status === 200).length, 1);
});

test('a code lives 5 minutes', async () => {
  const { phone } = await newCustomer(service);
  const code = await newCode(service, phone);
  service.clock.advance(5 * MINUTE - 1);
  assert.equal((await logInByCode(service, phone, code)).status, 200);
  service.clock.advance(MINUTE);
  const next = await newCode(service, phone);
  service.clock.advance(5 * MINUTE);
  assertRefused(await logInByCode(service, phone, next), 401, 'invalid_credentials');
});

test('a code takes 5 tries: the fifth may be right, a sixth may not', async () => {
  const { phone } = await newCustomer(service);
  const code = await newCode(service, phone);
  for (let i = 1; i <= 4; i++) {
    assertRefused(await logInByCode(service, phone, otherThan(code, i)), 401, 'invalid_credentials');
  }
  assert.equal((await logInByCode(neighbour, phone, code)).status, 200);
  service.clock.advance(MINUTE);
  const next = await newCode(service, phone);
  const guesses = await Promise.all(
    Array.from({ length: 20 }, (_, i) =>
      logInByCode(i % 2 ? neighbour : service, phone, otherThan(next, i + 1)),
    ),
  );
  for (const guess of guesses) assertRefused(guess, 401, 'invalid_credentials');
  const { tries } = (await service.db.row<{ tries: number }>(
    sql`select max(tries) as tries from login_codes`,
  ))!;
  assert.equal(tries, 5, 'twenty at once were five');
  assertRefused(await logInByCode(service, phone, next), 401, 'invalid_credentials');
});

test('a new code replaces the one before', async () => {
  const { phone } = await newCustomer(service);
  const first = await newCode(service, phone);
  service.clock.advance(MINUTE);
  let second = await newCode(service, phone);
  while (second === first) {
    service.clock.advance(MINUTE);
    second = await newCode(service, phone);
  }
  assertRefused(await logInByCode(service, phone, first), 401, 'invalid_credentials');
  assert.equal((await logInByCode(service, phone, second)).status, 200);
});

test('a code of one phone is none for another', async () => {
  const [one, other] = [await newCustomer(service), await newCustomer(service)];
  const code = await newCode(service, one.phone);
  await newCode(service, other.phone);
  const answer = await logInByCode(service, other.phone, code);
  if (answer.status === 200) return; // one chance in a million: both have the same digits
  assertRefused(answer, 401, 'invalid_credentials');
});

test('an unknown phone and a locked customer: the same 202, and no message', async () => {
  const locked = await newCustomer(service);
  await lockCustomer(service.db, locked.id, service.clock.now());
  for (const phone of [newPhone(), locked.phone]) {
    const answer = await service.post('/wallet/auth/otp', { phone });
    assert.equal(answer.status, 202);
    assert.deepEqual(Object.keys(answer.body), ['expires_at', 'resend_after']);
    assert.deepEqual(await messagesTo(service, phone), []);
    assertRefused(await logInByCode(service, phone, '000000'), 401, 'invalid_credentials');
  }
});

test('who is locked after the code was sent cannot use it', async () => {
  const { id, phone } = await newCustomer(service);
  const code = await newCode(service, phone);
  await lockCustomer(service.db, id, service.clock.now());
  assertRefused(await logInByCode(service, phone, code), 401, 'invalid_credentials');
  assertRefused(await setPassword(phone, code, 'another password'), 401, 'invalid_credentials');
});

test('a password is set with a code: the old one is dead, every session ends, the code is used up', async () => {
  const customer = await newCustomer(service);
  const session = await logIn(service, customer);
  const code = await newCode(service, customer.phone);
  const wrong = await setPassword(customer.phone, otherThan(code), 'a new password');
  assertRefused(wrong, 401, 'invalid_credentials');
  assert.equal((await me(service, session.token)).status, 200);

  const done = await setPassword(customer.phone, code, 'a new password');
  assert.deepEqual([done.status, done.text], [204, '']);
  assertRefused(await me(service, session.token), 401, 'token_invalid');
  await assertSoonRefused(() => me(neighbour, session.token), 401, 'token_invalid');
  const old = { phone: customer.phone, password: customer.password };
  assertRefused(await service.post('/wallet/auth/login', old), 401, 'invalid_credentials');
  await logIn(neighbour, { phone: customer.phone, password: 'a new password' });
  assertRefused(await setPassword(customer.phone, code, 'yet another one'), 401, 'invalid_credentials');
});

test('who had no password gets the first one this way', async () => {
  service.clock.advance(MINUTE);
  const code = await newCode(service, BRUNO.phone);
  assert.equal((await setPassword(BRUNO.phone, code, 'oito letras')).status, 204);
  await logIn(service, { phone: BRUNO.phone, password: 'oito letras' });
});

test('once sent, the database does not know the code: not in its row, not in a job', async () => {
  const { phone } = await newCustomer(service);
  const code = await newCode(service, phone);
  const rows = await service.db.rows<{ sealed: Buffer | null; code_hash: Buffer; text: string }>(
    sql`select sealed, code_hash, c::text as text from login_codes c`,
  );
  assert.ok(rows.every(({ sealed }) => sealed === null));
  assert.ok(rows.every(({ text }) => !text.includes(phone) && !text.includes(`,${code},`)));
  const jobs = await service.db.rows(
    sql`select 1 from graphile_worker.jobs where task_identifier = 'send_code'`,
  );
  assert.deepEqual(jobs, []);
});

test('the inbox is the operator’s: all messages newest first, in pages, not for partners', async () => {
  const all = await service.staff('GET', '/sandbox/messages?limit=2', { key: OPERATOR_KEY });
  assert.equal(all.body.data.length, 2);
  assert.deepEqual(Object.keys(all.body.data[0]), ['phone', 'text', 'code', 'sent_at']);
  assert.ok(all.body.pagination.total > 2);
  const times = all.body.data.map(({ sent_at }: { sent_at: string }) => Date.parse(sent_at));
  assert.ok(times[0] >= times[1]);
  const plus = await service.staff('GET', `/sandbox/messages?phone=${BRUNO.phone}`, { key: OPERATOR_KEY });
  assert.ok(plus.body.data.length > 0, 'a + that was not escaped is understood');
  assert.equal((await service.staff('GET', '/sandbox/messages')).body.code, 'scope_missing');
  assert.equal((await service.get('/sandbox/messages', { key: OPERATOR_KEY })).status, 404);
});
