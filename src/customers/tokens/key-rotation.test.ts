import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createLocalJWKSet, decodeProtectedHeader, jwtVerify } from 'jose';
import { MINUTE_MS } from '#core/duration.ts';
import { sql } from '#platform/database/db.ts';
import { type Node, openService } from '../../../test/harness.ts';
import { ANA, assertRefused, logIn, me, refresh, vault } from '../../../test/support/customers.ts';
import { ensureSigningKey, rotateSigningKeys } from './rotate-keys.ts';

const service = await openService();
const neighbour = await service.join();
const kidOf = (token: string) => decodeProtectedHeader(token).kid;
const published = async (node: Node = service) =>
  (await node.get('/.well-known/jwks.json', { key: null })).body.keys.map(({ kid }: { kid: string }) => kid);
const change = {
  actor: { id: 'tester', address: null, requestId: null },
  action: 'test',
  now: service.clock.now(),
};
/** Returns when both nodes know. */
async function rotate(atOnce = false) {
  const rotation = await rotateSigningKeys(service.db, { vault, clock: service.clock }, { atOnce, change });
  await Promise.all([service.whenHeard(), neighbour.whenHeard()]);
  return rotation;
}

test('the published keys let anybody check a token, and may be kept for half a minute', async () => {
  const { token } = await logIn(service, ANA);
  const answer = await service.get('/.well-known/jwks.json', { key: null });
  assert.equal(answer.headers.get('cache-control'), 'public, max-age=30');
  assert.ok(!answer.text.includes('"d"'), 'the private half stays here');
  const { payload } = await jwtVerify(token, createLocalJWKSet(answer.body), {
    currentDate: service.clock.now(),
    issuer: service.frontUrl,
  });
  assert.match(payload.sub!, /^cus_/);
});

test('a rotation logs nobody out: published first, signing a minute later, the old one good for its last tokens', async () => {
  const before = await logIn(service, ANA);
  const { kid, signsFrom, oldAcceptedUntil } = await rotate();
  assert.deepEqual((await published(neighbour)).toSorted(), [kid, kidOf(before.token)].toSorted());

  const meanwhile = await logIn(neighbour, ANA);
  assert.equal(kidOf(meanwhile.token), kidOf(before.token), 'not yet');
  service.clock.set(new Date(signsFrom.getTime() - 1).toISOString());
  const last = await logIn(service, ANA);
  assert.equal(kidOf(last.token), kidOf(before.token));
  service.clock.advance(1);
  for (const node of [service, neighbour]) assert.equal(kidOf((await logIn(node, ANA)).token), kid);
  for (const { token } of [before, meanwhile, last]) assert.equal((await me(service, token)).status, 200);

  service.clock.set(new Date(Date.parse(last.expires_at) - 1).toISOString());
  assert.equal((await me(neighbour, last.token)).status, 200, 'to the last moment of the last token');
  const refreshed = await refresh(service, last.refresh_token);
  assert.equal(refreshed.status, 200, 'and the session goes on with the new key');
  assert.equal(kidOf(refreshed.body.token), kid);

  service.clock.set(oldAcceptedUntil.toISOString());
  assert.deepEqual(await published(), [kid]);
});

test('--now retires the old key at once, on every node: tokens are refused, sessions live', async () => {
  const session = await logIn(service, ANA);
  for (const node of [service, neighbour]) assert.equal((await me(node, session.token)).status, 200);
  const { kid } = await rotate(true);
  for (const node of [service, neighbour]) {
    assertRefused(await me(node, session.token), 401, 'token_invalid');
    assert.deepEqual(await published(node), [kid]);
  }
  const refreshed = await refresh(neighbour, session.refresh_token);
  assert.equal(refreshed.status, 200);
  for (const node of [service, neighbour]) assert.equal((await me(node, refreshed.body.token)).status, 200);
});

test('rotations at the same time take turns; the newest signs', async () => {
  const rotations = await Promise.all([rotate(), rotate(), rotate()]);
  service.clock.advance(2 * MINUTE_MS);
  const signing = kidOf((await logIn(service, ANA)).token);
  assert.ok(rotations.some(({ kid }) => kid === signing));
  const open = await service.db.rows(sql`select kid from signing_keys where accepted_until is null`);
  assert.equal(open.length, 1, 'all but one have an end');
});

test('nodes that start together on an empty database make one key', async () => {
  await service.db.run(sql`delete from signing_keys`);
  await Promise.all(
    Array.from({ length: 5 }, () =>
      service.db.transaction((tx) => ensureSigningKey(tx, { vault, clock: service.clock })),
    ),
  );
  assert.equal((await service.db.rows(sql`select kid from signing_keys`)).length, 1);
});

test('a clock that is set back before the first key leaves one to sign with', async () => {
  service.clock.advance(-24 * 60 * MINUTE_MS);
  const { token } = await logIn(service, ANA);
  assert.equal((await me(service, token)).status, 200);
});
