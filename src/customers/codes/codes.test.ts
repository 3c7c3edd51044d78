import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MINUTE_MS } from '#core/values/duration.ts';
import { sql } from '#platform/database/db.ts';
import { type Node, openService, waitForLockWaits } from '../../../test/harness.ts';
import {
  assertRefused,
  assertSoonRefused,
  BEHIND_PROXY,
  BRUNO,
  getMe,
  ipAddressOptions,
  listMessages,
  lockCustomer,
  logIn,
  newCode,
  newCustomer,
  newIpAddressOptions,
  newPhone,
  OPERATOR_KEY,
  type SentCode,
  toWrongCode,
} from '../../../test/support/customers.ts';

const service = await openService(BEHIND_PROXY);
const otherNode = await service.startNode();

const requestCode = (phone: string, options = newIpAddressOptions()) =>
  service.post('/wallet/auth/otp', { phone }, options);
const logInByCode = (node: Node, sentCode: SentCode) =>
  node.post('/wallet/auth/otp/login', sentCode, newIpAddressOptions());
const setPassword = (sentCode: SentCode, password: string) =>
  service.post('/wallet/auth/password', { ...sentCode, password }, newIpAddressOptions());

test('a code is sent to the phone in Portuguese, logs in, and works once', async () => {
  const sentCode = await newCode(service, BRUNO.phone);
  const [message] = await listMessages(service, BRUNO.phone);
  assert.match(sentCode.code, /^\d{6}$/);
  assert.equal(
    message!.text,
    `Semana: ${sentCode.code} é o seu código. Vale 5 minutos. Não o diga a ninguém.`,
  );
  assert.ok(message!.text.length <= 70, 'one SMS');
  const response = await logInByCode(otherNode, sentCode);
  assert.equal(response.status, 200);
  assert.equal((await getMe(service, response.body.token)).body.phone, BRUNO.phone);
  assertRefused(await logInByCode(service, sentCode), 401, 'invalid_credentials');
});

test('of concurrent logins with the same code, one succeeds', async () => {
  const { phone } = await newCustomer(service);
  const sentCode = await newCode(service, phone);
  const responses = await Promise.all(
    Array.from({ length: 5 }, (_, i) => logInByCode(i % 2 ? otherNode : service, sentCode)),
  );
  assert.equal(responses.filter(({ status }) => status === 200).length, 1);
});

for (const [endpoint, extraFields] of Object.entries({
  'otp/login': {},
  password: { password: 'cinco palavras ao acaso' },
}))
  test(`using a code for ${endpoint} while another node confirms a phone change does not deadlock`, async () => {
    const { id, phone } = await newCustomer(service);
    const path = `/admin/customers/${id}`;
    await service.staff('PATCH', path, { key: OPERATOR_KEY, body: { phone: newPhone() } });
    const staffUser = { person_id: 'stf_second', role: 'support' } as const;
    const { secret: key } = await service.newKey({ scopes: ['operator'], ...staffUser });
    const sentCode = await newCode(service, phone);
    // Both requests wait for the lock until the transaction ends, so they are awaited after it.
    const { pendingChange, pendingLogin } = await service.db.transaction(async (tx) => {
      await tx.run(sql`select from customers where id = ${id} for update`);
      const changeRequest = otherNode.staff('POST', `${path}/phone-change/confirm`, { key });
      await waitForLockWaits(service, 1);
      const loginRequest = service.post(
        `/wallet/auth/${endpoint}`,
        { ...sentCode, ...extraFields },
        newIpAddressOptions(),
      );
      await waitForLockWaits(service, 2);
      return { pendingChange: changeRequest, pendingLogin: loginRequest };
    });
    assert.equal((await pendingChange).status, 200);
    assertRefused(await pendingLogin, 401, 'invalid_credentials');
  });

test('a code expires after 5 minutes', async () => {
  const { phone } = await newCustomer(service);
  const sentCode = await newCode(service, phone);
  service.clock.advance(5 * MINUTE_MS - 1);
  assert.equal((await logInByCode(service, sentCode)).status, 200);
  const nextCode = await newCode(service, phone);
  service.clock.advance(5 * MINUTE_MS);
  assertRefused(await logInByCode(service, nextCode), 401, 'invalid_credentials');
});

test('a code accepts 5 attempts: the fifth can succeed, a sixth cannot', async () => {
  const { phone } = await newCustomer(service);
  const sentCode = await newCode(service, phone);
  for (let i = 1; i <= 4; i++) {
    assertRefused(await logInByCode(service, toWrongCode(sentCode, i)), 401, 'invalid_credentials');
  }
  assert.equal((await logInByCode(otherNode, sentCode)).status, 200);
  const nextCode = await newCode(service, phone);
  const guessResponses = await Promise.all(
    Array.from({ length: 20 }, (_, i) =>
      logInByCode(i % 2 ? otherNode : service, toWrongCode(nextCode, i + 1)),
    ),
  );
  for (const guessResponse of guessResponses) assertRefused(guessResponse, 401, 'invalid_credentials');
  const { tries } = (await service.db.row<{ tries: number }>(
    sql`select max(tries) as tries from login_challenges`,
  ))!;
  assert.equal(tries, 5, 'twenty concurrent attempts counted as five');
  assertRefused(await logInByCode(service, nextCode), 401, 'invalid_credentials');
});

test('a code is valid only for its challenge, and wrong attempts at one challenge do not affect another', async () => {
  const { phone } = await newCustomer(service);
  const [firstCode, secondCode] = [await newCode(service, phone), await newCode(service, phone)];
  assert.notEqual(firstCode.challenge_id, secondCode.challenge_id);
  for (let i = 1; i <= 6; i++)
    assertRefused(await logInByCode(service, toWrongCode(secondCode, i)), 401, 'invalid_credentials');
  if (firstCode.code !== secondCode.code) {
    const swappedCode = { ...firstCode, code: secondCode.code };
    assertRefused(await logInByCode(service, swappedCode), 401, 'invalid_credentials');
  }
  const unknownChallenge = { ...firstCode, challenge_id: 'otp_00000000000000000000000000' };
  assertRefused(await logInByCode(service, unknownChallenge), 401, 'invalid_credentials');
  assertRefused(await logInByCode(service, secondCode), 401, 'invalid_credentials');
  assert.equal((await logInByCode(service, firstCode)).status, 200);
});

test('a code of one phone is refused for another phone', async () => {
  const [customer, otherCustomer] = [await newCustomer(service), await newCustomer(service)];
  const sentCode = await newCode(service, customer.phone);
  assertRefused(
    await logInByCode(service, { ...sentCode, phone: otherCustomer.phone }),
    401,
    'invalid_credentials',
  );
  assert.equal((await logInByCode(service, sentCode)).status, 200);
});

test('a phone has three valid codes at a time: a new request invalidates the oldest code of the same IP address only', async () => {
  const { phone } = await newCustomer(service);
  const addressOptions = ipAddressOptions('203.0.113.1');
  const sentCodes: SentCode[] = [];
  for (let i = 0; i < 4; i++) {
    sentCodes.push(await newCode(service, phone, addressOptions));
    service.clock.advance(MINUTE_MS);
  }
  const [invalidatedCode, oldestValidCode] = sentCodes;
  assertRefused(await logInByCode(service, invalidatedCode!), 401, 'invalid_credentials');
  const otherAddressResponse = await requestCode(phone);
  assertRefused(otherAddressResponse, 429, 'otp_too_soon');
  assert.equal(otherAddressResponse.headers.get('retry-after'), '120', 'until the oldest code expires');
  assert.equal((await logInByCode(service, oldestValidCode!)).status, 200);
  assert.equal((await requestCode(phone)).status, 202, 'a used code frees a slot');
});

test('of concurrent code requests from many IP addresses, three succeed', async () => {
  const phone = newPhone();
  const responses = await Promise.all(Array.from({ length: 8 }, () => requestCode(phone)));
  assert.equal(responses.filter(({ status }) => status === 202).length, 3);
});

test('an unregistered phone gets the same response and a code: the correct code gets 409 not_registered and stays valid for a sign-up', async () => {
  const phone = newPhone();
  const [knownResponse, unknownResponse] = [await requestCode(BRUNO.phone), await requestCode(phone)];
  assert.equal(unknownResponse.status, 202);
  assert.deepEqual(Object.keys(unknownResponse.body), ['challenge_id', 'expires_at', 'resend_after']);
  assert.deepEqual(Object.keys(unknownResponse.body), Object.keys(knownResponse.body));
  const [message] = await listMessages(service, phone);
  const sentCode = { phone, challenge_id: unknownResponse.body.challenge_id, code: message!.code };
  for (let i = 1; i <= 4; i++)
    assertRefused(await logInByCode(service, toWrongCode(sentCode, i)), 401, 'invalid_credentials');
  for (let i = 0; i < 3; i++) assertRefused(await logInByCode(service, sentCode), 409, 'not_registered');
  assertRefused(await setPassword(sentCode, 'cinco palavras ao acaso'), 409, 'not_registered');
  assertRefused(await logInByCode(service, toWrongCode(sentCode, 5)), 401, 'invalid_credentials');
  assertRefused(await logInByCode(service, sentCode), 401, 'invalid_credentials');
});

test('a code request for a locked customer gets the same 202, but sends no message', async () => {
  const lockedCustomer = await newCustomer(service);
  await lockCustomer(service.db, lockedCustomer.id, service.clock.now());
  const response = await requestCode(lockedCustomer.phone);
  assert.equal(response.status, 202);
  assert.deepEqual(await listMessages(service, lockedCustomer.phone), []);
});

test('a customer who is locked after the code was sent cannot use it', async () => {
  const { id, phone } = await newCustomer(service);
  const sentCode = await newCode(service, phone);
  await lockCustomer(service.db, id, service.clock.now());
  assertRefused(await setPassword(sentCode, 'another password'), 401, 'invalid_credentials');
  assertRefused(await logInByCode(service, sentCode), 401, 'invalid_credentials');
});

test('codes are sent only to mobile numbers of the countries in OTP_COUNTRIES', async () => {
  for (const phone of ['+551132345678', '+351912345678', '+12025550123']) {
    assertRefused(await requestCode(phone), 422, 'phone_not_supported');
  }
  const twoCountryNode = await service.startNode({ env: { OTP_COUNTRIES: 'BR,PT' } });
  const requestWithTwoCountries = (phone: string) =>
    twoCountryNode.post('/wallet/auth/otp', { phone }, newIpAddressOptions());
  assert.equal((await requestWithTwoCountries('+351912345678')).status, 202);
  assert.equal((await requestWithTwoCountries(newPhone())).status, 202);
  assertRefused(await requestWithTwoCountries('+351212345678'), 422, 'phone_not_supported');
  await twoCountryNode.stop();
});

test('setting a password with a code invalidates the old password, ends all sessions and consumes the code', async () => {
  const customer = await newCustomer(service);
  const session = await logIn(service, customer);
  const sentCode = await newCode(service, customer.phone);
  const wrongResponse = await setPassword(toWrongCode(sentCode), 'a new password');
  assertRefused(wrongResponse, 401, 'invalid_credentials');
  assert.equal((await getMe(service, session.token)).status, 200);

  const changeResponse = await setPassword(sentCode, 'a new password');
  assert.deepEqual([changeResponse.status, changeResponse.text], [204, '']);
  assertRefused(await getMe(service, session.token), 401, 'token_invalid');
  await assertSoonRefused(() => getMe(otherNode, session.token), 401, 'token_invalid');
  const oldCredentials = { phone: customer.phone, password: customer.password };
  assertRefused(await service.post('/wallet/auth/login', oldCredentials), 401, 'invalid_credentials');
  await logIn(otherNode, { phone: customer.phone, password: 'a new password' });
  assertRefused(await setPassword(sentCode, 'yet another one'), 401, 'invalid_credentials');
});

test('a customer without a password can set one with a code', async () => {
  const sentCode = await newCode(service, BRUNO.phone);
  assert.equal((await setPassword(sentCode, 'oito letras')).status, 204);
  await logIn(service, { phone: BRUNO.phone, password: 'oito letras' });
});

test('common passwords and the customer’s own data are refused with 422 password_too_common; the code stays valid', async () => {
  const { phone } = await newCustomer(service, { name: 'Davi Teste' });
  const sentCode = await newCode(service, phone);
  for (const password of [
    'senha123',
    '12345678',
    phone.slice(3),
    'DaviTeste1',
    'davi@example.com',
    'flamengo10',
  ])
    assertRefused(await setPassword(sentCode, password), 422, 'password_too_common');
  assertRefused(await setPassword(toWrongCode(sentCode), 'DaviTeste1'), 401, 'invalid_credentials');
  assert.equal((await setPassword(sentCode, 'semana-demo-1')).status, 204);
});

test('after sending, the database contains the code neither in a row nor in a job', async () => {
  const { phone } = await newCustomer(service);
  const { code } = await newCode(service, phone);
  const rowTexts = await service.db.rows<{ text: string }>(
    sql`select challenge::text as text from login_challenges challenge union all select message::text from phone_messages message`,
  );
  const rowsWithContent = await service.db.rows(sql`select 1 from phone_messages where parts is not null`);
  assert.deepEqual(rowsWithContent, [], 'the encrypted content is deleted');
  assert.ok(rowTexts.every(({ text }) => !text.includes(phone) && !text.includes(`,${code},`)));
  const jobs = await service.db.rows(
    sql`select 1 from graphile_worker.jobs where task_identifier = 'send_urgent_message'`,
  );
  assert.deepEqual(jobs, []);
});

test('staff can list all sandbox messages in pages, newest first', async () => {
  const allResponse = await service.staff('GET', '/sandbox/messages?limit=2', { key: OPERATOR_KEY });
  assert.equal(allResponse.body.data.length, 2);
  assert.deepEqual(Object.keys(allResponse.body.data[0]), [
    'phone',
    'channel',
    'template',
    'step',
    'text',
    'code',
    'link',
    'sent_at',
  ]);
  assert.ok(allResponse.body.pagination.total > 2);
  const [newestMessage, olderMessage] = allResponse.body.data;
  assert.ok(newestMessage.sent_at >= olderMessage.sent_at);
  const unescapedResponse = await service.staff('GET', `/sandbox/messages?phone=${BRUNO.phone}`, {
    key: OPERATOR_KEY,
  });
  assert.ok(unescapedResponse.body.data.length > 0, 'an unescaped + is accepted');
  assert.equal((await service.staff('GET', '/sandbox/messages')).body.code, 'scope_missing');
  assert.equal((await service.get('/sandbox/messages', { key: OPERATOR_KEY })).status, 403);
});
