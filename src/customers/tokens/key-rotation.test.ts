import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createLocalJWKSet, decodeProtectedHeader, jwtVerify } from 'jose';
import { DAY_MS, MINUTE_MS } from '#core/values/duration.ts';
import { sql } from '#platform/database/db.ts';
import { type Node, openService } from '../../../test/harness.ts';
import { ANA, assertRefused, getMe, logIn, refresh, vault } from '../../../test/support/customers.ts';
import { ensureSigningKey, rotateSigningKeys } from './signing-keys.ts';

const service = await openService();
const otherNode = await service.startNode();
const readKid = (token: string) => decodeProtectedHeader(token).kid;
const listPublishedKids = async (node: Node = service) =>
  (await node.get('/.well-known/jwks.json', { key: null })).body.keys.map(({ kid }: { kid: string }) => kid);
const auditContext = {
  actor: { id: 'tester', ipAddress: null, requestId: null },
  action: 'test',
  now: service.clock.now(),
};
/** Resolves when both nodes have the new key. */
async function rotate({ retireImmediately = false } = {}) {
  const rotation = await rotateSigningKeys(
    service.db,
    { vault, clock: service.clock },
    { retireImmediately, auditContext },
  );
  await Promise.all([service.waitForEarlierCommits(), otherNode.waitForEarlierCommits()]);
  return rotation;
}

test('the published keys verify a token, and may be cached for 30 seconds', async () => {
  const { token } = await logIn(service, ANA);
  const response = await service.get('/.well-known/jwks.json', { key: null });
  assert.equal(response.headers.get('cache-control'), 'public, max-age=30');
  assert.ok(!response.text.includes('"d"'), 'the private key is not published');
  const { payload } = await jwtVerify(token, createLocalJWKSet(response.body), {
    currentDate: service.clock.now(),
    issuer: service.partnerUrl,
  });
  assert.match(payload.sub!, /^cus_/);
});

test('a rotation keeps tokens valid: the new key is published first and signs a minute later, and the old key is accepted until its last token expires', async () => {
  const earlierLogin = await logIn(service, ANA);
  const { kid, signsFrom, oldAcceptedUntil } = await rotate();
  assert.deepEqual(
    (await listPublishedKids(otherNode)).toSorted(),
    [kid, readKid(earlierLogin.token)].toSorted(),
  );

  const nextLogin = await logIn(otherNode, ANA);
  assert.equal(readKid(nextLogin.token), readKid(earlierLogin.token), 'the new key does not sign yet');
  service.clock.set(new Date(signsFrom.getTime() - 1).toISOString());
  const lastLogin = await logIn(service, ANA);
  assert.equal(readKid(lastLogin.token), readKid(earlierLogin.token));
  service.clock.advance(1);
  for (const node of [service, otherNode]) assert.equal(readKid((await logIn(node, ANA)).token), kid);
  for (const { token } of [earlierLogin, nextLogin, lastLogin])
    assert.equal((await getMe(service, token)).status, 200);

  service.clock.set(new Date(Date.parse(lastLogin.expires_at) - 1).toISOString());
  assert.equal((await getMe(otherNode, lastLogin.token)).status, 200, 'valid until the last token expires');
  const refreshResponse = await refresh(service, lastLogin.refresh_token);
  assert.equal(refreshResponse.status, 200, 'the session continues with the new key');
  assert.equal(readKid(refreshResponse.body.token), kid);

  service.clock.set(oldAcceptedUntil.toISOString());
  assert.deepEqual(await listPublishedKids(), [kid]);
});

test('`retireImmediately` makes every node refuse tokens of the old key immediately, but sessions stay open', async () => {
  const session = await logIn(service, ANA);
  for (const node of [service, otherNode]) assert.equal((await getMe(node, session.token)).status, 200);
  const { kid } = await rotate({ retireImmediately: true });
  for (const node of [service, otherNode]) {
    assertRefused(await getMe(node, session.token), 401, 'token_invalid');
    assert.deepEqual(await listPublishedKids(node), [kid]);
  }
  const refreshResponse = await refresh(otherNode, session.refresh_token);
  assert.equal(refreshResponse.status, 200);
  for (const node of [service, otherNode])
    assert.equal((await getMe(node, refreshResponse.body.token)).status, 200);
});

test('concurrent rotations are serialized, and the newest key signs', async () => {
  const rotations = await Promise.all([rotate(), rotate(), rotate()]);
  service.clock.advance(2 * MINUTE_MS); // new keys sign after a minute
  const signingKid = readKid((await logIn(service, ANA)).token);
  assert.ok(rotations.some(({ kid }) => kid === signingKid));
  const currentKeys = await service.db.rows(sql`select kid from signing_keys where accepted_until is null`);
  assert.equal(currentKeys.length, 1, 'only one key is accepted without an end');
});

test('nodes that start concurrently on an empty database create one key', async () => {
  await service.db.run(sql`delete from signing_keys`);
  await Promise.all(
    Array.from({ length: 5 }, () =>
      service.db.transaction((tx) => ensureSigningKey(tx, { vault, clock: service.clock })),
    ),
  );
  assert.equal((await service.db.rows(sql`select kid from signing_keys`)).length, 1);
});

test('after the clock is set back before the first key, tokens can still be signed', async () => {
  service.clock.advance(-DAY_MS);
  const { token } = await logIn(service, ANA);
  assert.equal((await getMe(service, token)).status, 200);
});
