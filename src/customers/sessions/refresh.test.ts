import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DAY_MS, MINUTE_MS } from '#core/values/duration.ts';
import { sql } from '#platform/database/db.ts';
import { shareService } from '../../../test/harness.ts';
import {
  ANA,
  assertRefused,
  assertSoonRefused,
  createOtherPartnerKey,
  getMe,
  lockCustomer,
  logIn,
  logOut,
  newCustomer,
  refresh,
  vault,
} from '../../../test/support/customers.ts';
import { createRefreshToken } from './sessions.ts';

const service = await shareService();
const otherNode = await service.startNode();

const readEndReason = async (refreshToken: string) => {
  const [customerId, id] = refreshToken.split('.');
  const row = await service.db.row<{ ended_reason: string | null }>(
    sql`select ended_reason from sessions where customer_id = ${customerId} and id = ${id}`,
  );
  return row!.ended_reason;
};

test('a refresh responds like a login, in the same session, with the next refresh token', async () => {
  const firstLogin = await logIn(service, ANA);
  service.clock.advance(20 * MINUTE_MS);
  assertRefused(await getMe(service, firstLogin.token), 401, 'token_expired');
  const { status, body } = await refresh(otherNode, firstLogin.refresh_token);
  assert.equal(status, 200);
  assert.deepEqual(Object.keys(body), [
    'token',
    'expires_at',
    'expires_in',
    'refresh_token',
    'refresh_expires_at',
    'customer',
  ]);
  assert.notEqual(body.refresh_token, firstLogin.refresh_token);
  assert.deepEqual(
    body.refresh_token.split('.').slice(0, 2),
    firstLogin.refresh_token.split('.').slice(0, 2),
  );
  assert.equal((await getMe(service, body.token)).status, 200);
});

test('using a refresh token twice ends the session and invalidates its tokens on every node', async () => {
  const firstLogin = await logIn(service, ANA);
  const secondLogin = (await refresh(service, firstLogin.refresh_token)).body;
  const thirdLogin = (await refresh(otherNode, secondLogin.refresh_token)).body;
  assert.equal((await getMe(otherNode, thirdLogin.token)).status, 200);

  assertRefused(await refresh(service, firstLogin.refresh_token), 401, 'token_invalid');
  assert.equal(await readEndReason(firstLogin.refresh_token), 'refresh_reused');
  for (const { token } of [firstLogin, secondLogin, thirdLogin]) {
    assertRefused(await getMe(service, token), 401, 'token_invalid');
    await assertSoonRefused(() => getMe(otherNode, token), 401, 'token_invalid');
  }
  assertRefused(await refresh(otherNode, thirdLogin.refresh_token), 401, 'token_invalid');
});

test('of concurrent refreshes with one token, one succeeds, and the session ends', async () => {
  for (let round = 0; round < 5; round++) {
    const { refresh_token } = await logIn(service, ANA);
    const responses = await Promise.all(
      Array.from({ length: 2 + round }, (_, i) => refresh(i % 2 ? otherNode : service, refresh_token)),
    );
    const [grantedResponse, ...otherGrantedResponses] = responses.filter(({ status }) => status === 200);
    assert.deepEqual(otherGrantedResponses, []);
    for (const response of responses) {
      if (response.status !== 200) assertRefused(response, 401, 'token_invalid');
    }
    assert.equal(await readEndReason(refresh_token), 'refresh_reused');
    assertRefused(await refresh(service, grantedResponse!.body.refresh_token), 401, 'token_invalid');
    for (const node of [service, otherNode]) {
      await assertSoonRefused(() => getMe(node, grantedResponse!.body.token), 401, 'token_invalid');
    }
  }
});

test('a refresh can be repeated with the same Idempotency-Key until the new token is used; with another key it ends the session', async () => {
  const firstLogin = await logIn(service, ANA);
  const refreshWithKey = (key: string, token = firstLogin.refresh_token) =>
    service.post('/wallet/auth/refresh', { refresh_token: token }, { headers: { 'idempotency-key': key } });
  const responses = await Promise.all([refreshWithKey('one'), refreshWithKey('one'), refreshWithKey('one')]);
  assert.deepEqual(
    responses.map(({ status }) => status),
    [200, 200, 200],
  );
  assert.equal(new Set(responses.map(({ body }) => body.refresh_token)).size, 1);
  assert.equal(responses.filter(({ headers }) => headers.get('idempotency-replayed') === 'true').length, 2);
  const nextToken = responses[0]!.body.refresh_token;
  assert.equal((await refreshWithKey('one')).body.refresh_token, nextToken);
  const thirdResponse = await refreshWithKey('one', nextToken);
  assert.equal((await getMe(service, thirdResponse.body.token)).status, 200);
  // The successor was used, so another use of the first token is a reuse.
  assertRefused(await refreshWithKey('one'), 401, 'token_invalid');
  assertRefused(await refreshWithKey('two', thirdResponse.body.refresh_token), 401, 'token_invalid');

  const otherLogin = await logIn(service, ANA);
  assert.equal((await refreshWithKey('one', otherLogin.refresh_token)).status, 200);
  assertRefused(await refreshWithKey('two', otherLogin.refresh_token), 401, 'token_invalid');
});

test('a refresh token expires after 30 days, and so does the next one', async () => {
  const firstLogin = await logIn(service, ANA);
  service.clock.advance(30 * DAY_MS - 1);
  const secondResponse = await refresh(service, firstLogin.refresh_token);
  assert.equal(secondResponse.status, 200);
  service.clock.advance(30 * DAY_MS);
  assertRefused(await refresh(service, secondResponse.body.refresh_token), 401, 'token_expired');
});

test('a refresh or logout with the key of another partner gets 403 and changes nothing', async () => {
  const otherPartnerKey = await createOtherPartnerKey(service);
  const session = await logIn(service, ANA);
  assertRefused(
    await refresh(service, session.refresh_token, otherPartnerKey),
    403,
    'token_partner_mismatch',
  );
  assertRefused(await logOut(service, session.refresh_token, otherPartnerKey), 403, 'token_partner_mismatch');
  assert.equal((await getMe(service, session.token)).status, 200);
  assert.equal((await refresh(service, session.refresh_token)).status, 200);
});

test('a forged refresh token does not end a session: 401 for a refresh, 204 for a logout', async () => {
  const session = await logIn(service, ANA);
  const [customerId, sessionId, secret, mac] = session.refresh_token.split('.') as [
    string,
    string,
    string,
    string,
  ];
  const changeFirstCharacter = (text: string) =>
    text.startsWith('A') ? `B${text.slice(1)}` : `A${text.slice(1)}`;
  const tokenOfUnknownSession = createRefreshToken(vault, {
    principalId: customerId,
    sessionId: 'ses_00000000000000000000000000',
  });
  for (const forgedToken of [
    'x',
    `${customerId}.${sessionId}.${changeFirstCharacter(secret)}.${mac}`,
    `${customerId}.${sessionId}.${secret}.${changeFirstCharacter(mac)}`,
    tokenOfUnknownSession,
  ]) {
    assertRefused(await refresh(service, forgedToken), 401, 'token_invalid');
    assert.equal((await logOut(service, forgedToken)).status, 204);
  }
  assert.equal((await getMe(service, session.token)).status, 200);
  assert.equal((await refresh(service, session.refresh_token)).status, 200);
});

test('a repeated logout gets 204, and the refresh token is invalid', async () => {
  const session = await logIn(service, ANA);
  for (const node of [service, otherNode, service]) {
    const { status, text } = await logOut(node, session.refresh_token);
    assert.deepEqual([status, text], [204, '']);
  }
  assertRefused(await refresh(service, session.refresh_token), 401, 'token_invalid');
  assert.equal(await readEndReason(session.refresh_token), 'logout');
});

test('logout with an already exchanged refresh token ends the session too', async () => {
  const firstLogin = await logIn(service, ANA);
  const secondLogin = (await refresh(service, firstLogin.refresh_token)).body;
  assert.equal((await logOut(service, firstLogin.refresh_token)).status, 204);
  assertRefused(await getMe(service, secondLogin.token), 401, 'token_invalid');
});

test('customers can list their sessions, most recently refreshed first, and end them; sessions of others are not found', async () => {
  const customer = await newCustomer(service);
  const [firstLogin, secondLogin] = [await logIn(service, customer), await logIn(service, customer)];
  const listSessions = async (token: string) => (await service.get('/wallet/sessions', { token })).body.data;
  const [, id] = firstLogin.refresh_token.split('.');
  service.clock.advance(MINUTE_MS);
  const currentLogin = (await refresh(service, firstLogin.refresh_token)).body;
  const sessions = await listSessions(currentLogin.token);
  assert.deepEqual(
    sessions.map((session: { is_current: boolean }) => session.is_current),
    [true, false],
  );
  assert.equal(Date.parse(sessions[0].refreshed_at) - Date.parse(sessions[0].created_at), 60_000);
  const endSession = (token: string, sessionId: string) =>
    service.post(`/wallet/sessions/${sessionId}/end`, undefined, { token });
  assertRefused(await endSession((await logIn(service, ANA)).token, id!), 404, 'not_found');
  for (let i = 0; i < 2; i++) assert.equal((await endSession(secondLogin.token, id!)).status, 204);
  assertRefused(await getMe(service, currentLogin.token), 401, 'token_invalid');
  await assertSoonRefused(() => getMe(otherNode, currentLogin.token), 401, 'token_invalid');
  assert.equal((await listSessions(secondLogin.token)).length, 1);
});

test('a lock concurrent with logins and refreshes leaves no open session', async () => {
  for (let round = 0; round < 5; round++) {
    const customer = await newCustomer(service);
    const { refresh_token } = await logIn(service, customer);
    const { phone, password } = customer;
    const logInAgain = () => service.post('/wallet/auth/login', { phone, password });
    const [, responses] = await Promise.all([
      new Promise((resolve) => setTimeout(resolve, round * 25)).then(() =>
        lockCustomer(service.db, customer.id, service.clock.now()),
      ),
      Promise.all([logInAgain(), refresh(otherNode, refresh_token), logInAgain()]),
    ]);
    for (const response of responses.filter(({ status }) => status === 200)) {
      await assertSoonRefused(() => getMe(otherNode, response.body.token), 401, 'token_invalid');
    }
    const openSessions = await service.db.rows(
      sql`select id from sessions where customer_id = ${customer.id} and ended_at is null`,
    );
    assert.equal(openSessions.length, 0);
  }
});

test('the database contains only hashes of refresh tokens', async () => {
  const { refresh_token } = await logIn(service, ANA);
  const sessionRows = await service.db.rows<{ text: string }>(sql`select s::text as text from sessions s`);
  const secret = refresh_token.split('.')[2]!;
  assert.ok(sessionRows.length > 0 && sessionRows.every(({ text }) => !text.includes(secret)));
});
