import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DAY_MS, HOUR_MS } from '#core/values/duration.ts';
import { sql } from '#platform/database/db.ts';
import { createCommandRunner } from '../../test/commands.ts';
import { eventually, type Node, shareService, waitForLockWaits } from '../../test/harness.ts';
import { OPERATOR_KEY } from '../../test/purchase-driver.ts';
import { buildHint, newSecret } from './api-key.ts';
import { rotateKey } from './manage-keys.ts';
import { setRevokedAt } from './store.ts';

const service = await shareService();
const otherNode = await service.startNode();

const rotationContext = { mode: 'sandbox', clock: service.clock } as const;
const addToNow = (ms: number) => new Date(service.clock.now().getTime() + ms);

const readStatus = async (secret: string, node: Node = service) =>
  (await node.get('/public/categories', { key: secret })).status;
/** Checks the status after the node has received all earlier changes. */
const assertStatus = async (status: number, secret: string, node: Node = service) => {
  await node.waitForEarlierCommits();
  assert.equal(await readStatus(secret, node), status);
};

const rotateInTransaction = (id: string, overlapMs: number) =>
  service.db.transaction((tx) => rotateKey(tx, id, overlapMs, rotationContext));

const requestRotation = (id: string, node: Node = service) =>
  node.staff('POST', `/admin/keys/${id}/rotate`, { key: OPERATOR_KEY, body: { overlap_hours: 1 } });

async function readRefusal(id: string): Promise<string> {
  const { status, body } = await requestRotation(id);
  assert.deepEqual([status, body.code], [409, 'key_ended']);
  return body.detail;
}

test('a secret has a prefix for secret scanners, and 256 random bits', () => {
  const SECRET_COUNT = 200;
  const secrets = Array.from({ length: SECRET_COUNT }, () => newSecret('live'));
  for (const secret of secrets) assert.match(secret, /^semana_live_[0-9A-Za-z]{43}$/);
  assert.equal(new Set(secrets).size, SECRET_COUNT);
  assert.equal(
    new Set(secrets.flatMap((secret) => [...secret.slice('semana_live_'.length)])).size,
    26 + 26 + 10,
    'every character occurs',
  );
  assert.match(newSecret('sandbox'), /^semana_sandbox_/);
});

test('the database contains neither a secret nor a readable part of it', async () => {
  const { id, secret } = await service.newKey({});
  await assertStatus(200, secret);
  const randomPart = secret.slice('semana_sandbox_'.length);
  const dump = await dumpDatabase();
  assert.ok(dump.includes(id), 'the dump contains the key');
  assert.ok(dump.includes(buildHint(secret)), 'the dump contains the hint: the prefix and four characters');
  const EXCERPT_LENGTH = 8;
  for (let i = 0; i + EXCERPT_LENGTH <= randomPart.length; i++) {
    assert.ok(!dump.includes(randomPart.slice(i, i + EXCERPT_LENGTH)), `excerpt of the secret at ${i}`);
  }
  for (const secretText of [secret, randomPart]) {
    for (const encoding of ['hex', 'base64', 'base64url'] as const) {
      assert.ok(!dump.includes(Buffer.from(secretText).toString(encoding)), encoding);
    }
  }
});

/** Returns every row of every table as text. */
async function dumpDatabase(): Promise<string> {
  const tables = await service.db.rows<{ name: string }>(
    sql`select table_name as name from information_schema.tables where table_schema = 'public'`,
  );
  const texts = await Promise.all(
    tables.map(({ name }) =>
      service.db.row<{ text: string }>(
        sql`select query_to_xml(${`select record::text from ${name} record`}, nulls => true, tableforest => false, targetns => '')::text as text`,
      ),
    ),
  );
  return texts.map((row) => row!.text).join('\n');
}

test('a new key works on every node', async () => {
  const { secret } = await service.newKey({});
  await Promise.all([assertStatus(200, secret), assertStatus(200, secret, otherNode)]);
});

test('a key works until the instant it expires, and not at that instant', async () => {
  const { secret } = await service.newKey({ expires_at: addToNow(HOUR_MS) });
  await assertStatus(200, secret);
  service.clock.advance(HOUR_MS - 1);
  assert.equal(await readStatus(secret), 200);
  service.clock.advance(1);
  const { status, body } = await service.get('/public/categories', { key: secret });
  assert.equal(status, 401);
  assert.equal(body.code, 'api_key_invalid');
});

test('after a rotation both keys work until the overlap ends, then only the new one', async () => {
  const oldKey = await service.newKey({});
  const { issuedKey, oldKeyExpiresAt } = await rotateInTransaction(oldKey.id, HOUR_MS);
  assert.deepEqual(oldKeyExpiresAt, addToNow(HOUR_MS));
  await assertStatus(200, issuedKey.secret);
  assert.equal(await readStatus(oldKey.secret), 200);
  service.clock.advance(HOUR_MS - 1);
  assert.equal(await readStatus(oldKey.secret), 200);
  service.clock.advance(1);
  assert.equal(await readStatus(oldKey.secret), 401);
  assert.equal(await readStatus(issuedKey.secret), 200);
});

test('a rotation without overlap ends the old key immediately', async () => {
  const oldKey = await service.newKey({});
  await assertStatus(200, oldKey.secret);
  const { issuedKey } = await rotateInTransaction(oldKey.id, 0);
  await Promise.all([assertStatus(401, oldKey.secret), assertStatus(200, issuedKey.secret)]);
});

test('a rotated key has the same partner, label, scopes, origins, limit and lifetime', async () => {
  const input = {
    label: 'website',
    scopes: ['public', 'wallet'] as Array<'public' | 'wallet'>,
    allowed_origins: ['https://shop.example'],
    requests_per_minute: 77,
    expires_at: addToNow(2 * DAY_MS),
  };
  const oldKey = await service.newKey(input);
  service.clock.advance(HOUR_MS);
  const { issuedKey } = await rotateInTransaction(oldKey.id, HOUR_MS);
  const readSharedFields = (id: string) =>
    service.db.row(sql`
      select partner_id, label, scopes, allowed_origins, requests_per_minute from api_keys where id = ${id}`);
  assert.deepEqual(await readSharedFields(issuedKey.id), await readSharedFields(oldKey.id));
  const row = await service.db.row<{ lifetime: string }>(
    sql`select (expires_at - created_at)::text as lifetime from api_keys where id = ${issuedKey.id}`,
  );
  assert.equal(row!.lifetime, '2 days', 'as long as the old key when it was created');
});

test('an overlap never extends the expiry of the old key', async () => {
  const oldKey = await service.newKey({ expires_at: addToNow(HOUR_MS) });
  const { oldKeyExpiresAt } = await rotateInTransaction(oldKey.id, 24 * HOUR_MS);
  assert.deepEqual(oldKeyExpiresAt, addToNow(HOUR_MS));
});

test('of concurrent rotations of a key, one succeeds', async () => {
  const oldKey = await service.newKey({});
  const pendingRotations = await service.db.transaction(async (tx) => {
    await tx.run(sql`select from api_keys where id = ${oldKey.id} for update`);
    const pendingResponses = [service, otherNode].map((node) => requestRotation(oldKey.id, node));
    await waitForLockWaits(service, 2);
    return pendingResponses;
  });
  const responses = await Promise.all(pendingRotations);
  assert.deepEqual(responses.map(({ status }) => status).sort(), [201, 409]);
  assert.match(await readRefusal(oldKey.id), /was rotated before, to key_/);
});

test('a revoked, an expired and an unknown key cannot be rotated', async () => {
  const revokedKey = await service.newKey({});
  await setRevokedAt(service.db, revokedKey.id, service.clock.now());
  assert.match(await readRefusal(revokedKey.id), /was revoked/);

  const expiredKey = await service.newKey({ expires_at: addToNow(1) });
  service.clock.advance(1);
  assert.match(await readRefusal(expiredKey.id), /has expired/);

  assert.equal((await requestRotation('key_00000000000000000000000000')).status, 404);
});

test('a revoked key is refused on every node, and only that key', async () => {
  const key = await service.newKey({});
  const otherKey = await service.newKey({});
  for (const node of [service, otherNode]) await assertStatus(200, key.secret, node);
  assert.ok(await setRevokedAt(service.db, key.id, service.clock.now()));
  for (const node of [service, otherNode]) {
    await assertStatus(401, key.secret, node);
    assert.equal(await readStatus(otherKey.secret, node), 200);
  }
});

test('revoking a key again does not change the time of revocation, and revoking an unknown key changes nothing', async () => {
  const key = await service.newKey({});
  const firstRevokedAt = service.clock.now();
  await setRevokedAt(service.db, key.id, firstRevokedAt);
  service.clock.advance(HOUR_MS);
  assert.equal(await setRevokedAt(service.db, key.id, service.clock.now()), 1);
  const row = await service.db.row(sql`select revoked_at from api_keys where id = ${key.id}`);
  assert.deepEqual(row, { revoked_at: firstRevokedAt });
  assert.equal(await setRevokedAt(service.db, 'key_none', firstRevokedAt), 0);
});

test('the last use is stored, and never moves to an earlier time', async () => {
  const key = await service.newKey({});
  const readLastUse = async () =>
    (await service.db.row<{ last_used_at: Date | null }>(
      sql`select last_used_at from api_keys where id = ${key.id}`,
    ))!.last_used_at;
  assert.equal(await readLastUse(), null);
  await assertStatus(200, key.secret);
  const firstUsedAt = await eventually(
    'the first use is written',
    async () => (await readLastUse()) ?? undefined,
  );
  assert.deepEqual(firstUsedAt, service.clock.now());

  service.clock.advance(HOUR_MS);
  await assertStatus(200, key.secret, otherNode);
  await eventually('the later use is written', async () => (await readLastUse())! > firstUsedAt);
});

test('a refused request does not count as a use of the key', async () => {
  const key = await service.newKey({ scopes: ['wallet'] });
  await assertStatus(403, key.secret);
  const usedKey = await service.newKey({});
  await assertStatus(200, usedKey.secret);
  await eventually('the use of another key is written', () =>
    service.db.row(sql`select 1 from api_keys where id = ${usedKey.id} and last_used_at is not null`),
  );
  assert.deepEqual(await service.db.row(sql`select last_used_at from api_keys where id = ${key.id}`), {
    last_used_at: null,
  });
});

test('keys list prints the slug of the merchant', async () => {
  const run = createCommandRunner(service);
  const slug = 'padaria-flor-do-trigo';
  const options = ['--partner', 'Padaria Flor do Trigo', '--scopes', 'merchant', '--merchant', slug];
  await run('keys create', ...options, '--label', 'balcão');
  const keys = (await run('keys list', '--json')).split('\n').map((line) => JSON.parse(line));
  const key = keys.find(({ label }) => label === 'balcão');
  assert.equal(key.merchant, 'padaria-flor-do-trigo');
  const keyLine = (await run('keys list')).split('\n').find((line) => line.includes(key.id));
  assert.match(keyLine!, / padaria-flor-do-trigo /);
});
