import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { test } from 'node:test';
import { base64url, exportJWK, generateKeyPair, importJWK, SignJWT, UnsecuredJWT } from 'jose';
import { sql } from '#platform/database/db.ts';
import { eventually, openService } from '../../../test/harness.ts';
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
  vault,
} from '../../../test/support/customers.ts';

const service = await openService();
const otherNode = await service.startNode();
const { token } = await logIn(service, ANA);
const [header, payload, signature] = token.split('.') as [string, string, string];
const claims = JSON.parse(Buffer.from(payload, 'base64url').toString()) as Record<string, unknown>;
const protectedHeader = JSON.parse(Buffer.from(header, 'base64url').toString()) as {
  alg: string;
  kid: string;
};
const encode = (value: object) => base64url.encode(JSON.stringify(value));

/** Reads the service's own signing key, as if it had leaked. */
async function readSigningKey() {
  const row = await service.db.row<{ private_sealed: Buffer; private_key_version: number }>(
    sql`select private_sealed, private_key_version from signing_keys where kid = ${protectedHeader.kid}`,
  );
  const ciphertext = { bytes: row!.private_sealed, version: row!.private_key_version };
  return importJWK(JSON.parse(vault.decrypt(ciphertext, protectedHeader.kid)), 'EdDSA');
}
const signToken = async (claimChanges: object, headerChanges: object = {}) =>
  new SignJWT({ ...claims, ...claimChanges } as never)
    .setProtectedHeader({ ...protectedHeader, ...headerChanges })
    .sign(await readSigningKey());

/** Checks both nodes, the first twice: a refusal must not depend on whether the token is cached. */
async function assertTokenRefused(text: string, code = 'token_invalid', status = 401): Promise<void> {
  for (const node of [service, service]) assertRefused(await getMe(node, text), status, code);
  await assertSoonRefused(() => getMe(otherNode, text), status, code);
}

test('a valid token is accepted by every node', async () => {
  for (const node of [service, service, otherNode, otherNode])
    assert.equal((await getMe(node, token)).status, 200);
  assert.equal(
    (await getMe(service, await signToken({}))).status,
    200,
    'tokens signed by this test are valid too',
  );
});

test('a missing or empty token gets 401 token_missing', async () => {
  assertRefused(await service.get('/wallet/me'), 401, 'token_missing');
  assertRefused(await service.get('/wallet/me', { token: '' }), 401, 'token_missing');
});

test('the API key is checked before the token', async () => {
  assert.equal((await service.get('/wallet/me', { key: null, token })).body.code, 'api_key_missing');
  assert.equal((await service.get('/wallet/me', { key: 'wrong', token })).body.code, 'api_key_invalid');
});

test('a malformed token gets 401 token_invalid', async () => {
  for (const text of ['x', 'a.b.c', '..', `${header}.${payload}`, `${token}.x`, `Bearer ${token}`]) {
    await assertTokenRefused(text);
  }
});

test('the problem of a token that starts with Bearer explains the format', async () => {
  const refusal = assertRefused(
    await service.get('/wallet/me', { token: `Bearer ${token}` }),
    401,
    'token_invalid',
  );
  assert.match(refusal.detail, /without 'Bearer'/);
});

test('a modified payload gets 401 token_invalid', async () => {
  const otherCustomer = await newCustomer(service);
  const forgedPayload = encode({ ...claims, sub: otherCustomer.id });
  await assertTokenRefused(`${header}.${forgedPayload}.${signature}`);
  const laterExpiry = encode({ ...claims, exp: Number(claims.exp) + 3600 });
  await assertTokenRefused(`${header}.${laterExpiry}.${signature}`);
});

test('a modified or missing signature gets 401 token_invalid', async () => {
  const changedSignature = Buffer.from(signature, 'base64url');
  changedSignature[0]! ^= 1;
  await assertTokenRefused(`${header}.${payload}.${changedSignature.toString('base64url')}`);
  await assertTokenRefused(`${header}.${payload}.`);
});

test('alg none gets 401 token_invalid', async () => {
  await assertTokenRefused(new UnsecuredJWT(claims as never).encode());
  for (const alg of ['none', 'None', 'NONE', '']) {
    await assertTokenRefused(`${encode({ ...protectedHeader, alg })}.${payload}.`);
    await assertTokenRefused(`${encode({ ...protectedHeader, alg })}.${payload}.${signature}`);
  }
});

test('alg HS256 with the public key as the secret gets 401 token_invalid', async () => {
  const { keys } = (await service.get('/.well-known/jwks.json')).body;
  const forgedHeader = encode({ ...protectedHeader, alg: 'HS256' });
  for (const secret of [Buffer.from(keys[0].x, 'base64url'), keys[0].x, JSON.stringify(keys[0])]) {
    const mac = createHmac('sha256', secret).update(`${forgedHeader}.${payload}`).digest('base64url');
    await assertTokenRefused(`${forgedHeader}.${payload}.${mac}`);
  }
});

test('a token signed with a foreign key gets 401 token_invalid, whatever its kid', async () => {
  const foreignKeys = await generateKeyPair('EdDSA', { extractable: true });
  const jwk = await exportJWK(foreignKeys.publicKey);
  for (const forgedHeader of [
    protectedHeader,
    { ...protectedHeader, kid: 'theirs' },
    { alg: 'EdDSA' },
    { ...protectedHeader, jwk },
    { ...protectedHeader, jku: 'https://example.com/jwks.json' },
  ]) {
    const forgedToken = new SignJWT(claims as never).setProtectedHeader(forgedHeader);
    await assertTokenRefused(await forgedToken.sign(foreignKeys.privateKey));
  }
});

test('another algorithm or another token type gets 401 token_invalid', async () => {
  const es256Keys = await generateKeyPair('ES256');
  const forgedToken = new SignJWT(claims as never).setProtectedHeader({ ...protectedHeader, alg: 'ES256' });
  await assertTokenRefused(await forgedToken.sign(es256Keys.privateKey));
  await assertTokenRefused(await signToken({}, { typ: 'at+jwt' }));
});

test('a correctly signed token without a required claim gets 401 token_invalid', async () => {
  for (const claimName of ['sub', 'aud', 'sid', 'exp', 'iat', 'iss']) {
    await assertTokenRefused(await signToken({ [claimName]: undefined }));
  }
});

test('a token with the key of another partner gets 403 token_partner_mismatch', async () => {
  const otherPartnerKey = await createOtherPartnerKey(service);
  for (let i = 0; i < 2; i++)
    assertRefused(await getMe(service, token, otherPartnerKey), 403, 'token_partner_mismatch');
  assert.equal(
    (await getMe(service, token)).status,
    200,
    'the token stays valid with the key of its partner',
  );
});

test('after a logout the token is refused immediately on the same node, and soon on the others', async () => {
  const session = await logIn(service, ANA);
  for (const node of [service, otherNode]) assert.equal((await getMe(node, session.token)).status, 200);
  assert.equal((await logOut(service, session.refresh_token)).status, 204);
  await assertTokenRefused(session.token);
  assert.equal((await getMe(service, token)).status, 200, 'other sessions of the customer stay open');
});

test('all sessions of a locked customer are refused on every node, even after the unlock', async () => {
  const customer = await newCustomer(service);
  const sessions = [await logIn(service, customer), await logIn(otherNode, customer)];
  for (const session of sessions) assert.equal((await getMe(otherNode, session.token)).status, 200);
  const lockedCustomer = await lockCustomer(service.db, customer.phone, service.clock.now());
  assert.deepEqual(lockedCustomer?.locked_at, service.clock.now().toISOString());
  for (const { token: endedToken } of sessions) {
    for (const node of [service, otherNode])
      await assertSoonRefused(() => getMe(node, endedToken), 401, 'token_invalid');
  }
  await service.db.run(sql`update customers set locked_at = null where id = ${customer.id}`);
  for (const session of sessions) await assertTokenRefused(session.token);
  await logIn(service, customer);
});

test('a node that starts after a session has ended refuses its token', async () => {
  const session = await logIn(service, ANA);
  await logOut(service, session.refresh_token);
  const newNode = await service.startNode();
  assertRefused(await getMe(newNode, session.token), 401, 'token_invalid');
  assert.equal((await getMe(newNode, token)).status, 200);
  await newNode.stop();
});

test('a node without a connection to the change feed responds 503 instead of trusting tokens', async () => {
  const databaseLink = await service.openLink();
  const disconnectedNode = await service.startNode({ link: databaseLink });
  const session = await logIn(service, ANA);
  assert.equal((await getMe(disconnectedNode, session.token)).status, 200);
  databaseLink.cut();
  await logOut(service, session.refresh_token);
  await eventually(
    'the disconnected node responds 503',
    async () => (await getMe(disconnectedNode, session.token)).status === 503,
  );
  assert.equal((await getMe(disconnectedNode, session.token)).status, 503);
  databaseLink.restore();
  let response = await getMe(disconnectedNode, session.token);
  while (response.status === 503) response = await getMe(disconnectedNode, session.token);
  assertRefused(response, 401, 'token_invalid');
  await disconnectedNode.stop();
  databaseLink.close();
});

test('a token gets 401 token_expired from the moment of its expiry', async () => {
  const { token: newToken, expires_at } = await logIn(service, ANA);
  assert.equal((await getMe(service, newToken)).status, 200, 'the token is cached now');
  service.clock.set(new Date(Date.parse(expires_at) - 1).toISOString());
  for (const node of [service, otherNode]) assert.equal((await getMe(node, newToken)).status, 200);
  service.clock.advance(1);
  await assertTokenRefused(newToken, 'token_expired');
  service.clock.advance(1_000);
  await assertTokenRefused(newToken, 'token_expired');
  const expiredToken = await signToken({ exp: Math.floor(service.clock.now().getTime() / 1000) - 1 });
  await assertTokenRefused(expiredToken, 'token_expired');
});
