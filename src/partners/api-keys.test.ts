import assert from 'node:assert/strict';
import { test } from 'node:test';
import { HOUR_MS } from '#core/duration.ts';
import { sql } from '#platform/database/db.ts';
import { commandRunner } from '../../test/commands.ts';
import { eventually, type Node, openService, whenWaiting } from '../../test/harness.ts';
import { OPERATOR_KEY } from '../../test/shop.ts';
import { hintOf, newSecret } from './api-key.ts';
import { rotateKey } from './issue-key.ts';
import { markRevoked } from './store.ts';

const service = await openService();
const other = await service.join();

const given = { mode: 'sandbox', clock: service.clock } as const;
const inMs = (ms: number) => new Date(service.clock.now().getTime() + ms);

const statusOf = async (secret: string, node: Node = service) =>
  (await node.get('/public/categories', { key: secret })).status;
/** Asks when the node knows all earlier changes. */
const becomes = async (status: number, secret: string, node: Node = service) => {
  await node.whenHeard();
  assert.equal(await statusOf(secret, node), status);
};

async function rotate(id: string, overlapMs: number) {
  const rotated = await service.db.transaction((tx) => rotateKey(tx, id, overlapMs, given));
  assert.ok('issued' in rotated, JSON.stringify(rotated));
  return rotated;
}

async function refusal(id: string): Promise<string> {
  const rotated = await service.db.transaction((tx) => rotateKey(tx, id, HOUR_MS, given));
  assert.ok('refused' in rotated);
  return rotated.refused.en;
}

test('a secret has a prefix that scanners find, and 256 bits of chance', () => {
  const secrets = Array.from({ length: 200 }, () => newSecret('live'));
  for (const secret of secrets) assert.match(secret, /^semana_live_[0-9A-Za-z]{43}$/);
  assert.equal(new Set(secrets).size, 200);
  assert.equal(
    new Set(secrets.flatMap((secret) => [...secret.slice(12)])).size,
    62,
    'every character occurs',
  );
  assert.match(newSecret('sandbox'), /^semana_sandbox_/);
});

test('neither a secret nor a readable part of it is anywhere in the database', async () => {
  const { id, secret } = await service.newKey({});
  await becomes(200, secret);
  const chance = secret.slice('semana_sandbox_'.length);
  const everything = await dump();
  assert.ok(everything.includes(id), 'the key itself is in what was searched');
  assert.ok(everything.includes(hintOf(secret)), 'and the hint: the prefix and four characters');
  for (let i = 0; i + 8 <= chance.length; i++) {
    assert.ok(!everything.includes(chance.slice(i, i + 8)), `characters ${i} to ${i + 8} of the secret`);
  }
  for (const written of [secret, chance]) {
    for (const encoding of ['hex', 'base64', 'base64url'] as const) {
      assert.ok(!everything.includes(Buffer.from(written).toString(encoding)), encoding);
    }
  }
});

/** Every row of every table, as text. */
async function dump(): Promise<string> {
  const tables = await service.db.rows<{ name: string }>(
    sql`select table_name as name from information_schema.tables where table_schema = 'public'`,
  );
  const texts = await Promise.all(
    tables.map(({ name }) =>
      service.db.row<{ text: string }>(
        sql`select query_to_xml(${`select t::text from ${name} t`}, true, false, '')::text as text`,
      ),
    ),
  );
  return texts.map((row) => row!.text).join('\n');
}

test('a key made later works on every node', async () => {
  const { secret } = await service.newKey({});
  await Promise.all([becomes(200, secret), becomes(200, secret, other)]);
});

test('a key works until the instant it expires, and not at that instant', async () => {
  const { secret } = await service.newKey({ expiresAt: inMs(HOUR_MS) });
  await becomes(200, secret);
  service.clock.advance(HOUR_MS - 1);
  assert.equal(await statusOf(secret), 200);
  service.clock.advance(1);
  const { status, body } = await service.get('/public/categories', { key: secret });
  assert.equal(status, 401);
  assert.equal(body.code, 'api_key_invalid');
});

test('after a rotation both keys work until the overlap ends, then only the new one', async () => {
  const old = await service.newKey({});
  const { issued, oldExpiresAt } = await rotate(old.id, HOUR_MS);
  assert.deepEqual(oldExpiresAt, inMs(HOUR_MS));
  await becomes(200, issued.secret);
  assert.equal(await statusOf(old.secret), 200);
  service.clock.advance(HOUR_MS - 1);
  assert.equal(await statusOf(old.secret), 200);
  service.clock.advance(1);
  assert.equal(await statusOf(old.secret), 401);
  assert.equal(await statusOf(issued.secret), 200);
});

test('a rotation without overlap ends the old key at once', async () => {
  const old = await service.newKey({});
  await becomes(200, old.secret);
  const { issued } = await rotate(old.id, 0);
  await Promise.all([becomes(401, old.secret), becomes(200, issued.secret)]);
});

test('the new key is like the old one: partner, label, scopes, origins, limit, length of life', async () => {
  const wishes = {
    label: 'website',
    scopes: ['public', 'wallet'] as Array<'public' | 'wallet'>,
    allowedOrigins: ['https://shop.example'],
    requestsPerMinute: 77,
    expiresAt: inMs(48 * HOUR_MS),
  };
  const old = await service.newKey(wishes);
  service.clock.advance(HOUR_MS);
  const { issued } = await rotate(old.id, HOUR_MS);
  const shared = (id: string) =>
    service.db.row(sql`
      select partner_id, label, scopes, allowed_origins, requests_per_minute,
             (expires_at - created_at)::text as life
      from api_keys where id = ${id}`);
  const { life: _, ...before } = (await shared(old.id)) as { life: string };
  assert.deepEqual(await shared(issued.id), { ...before, life: '2 days' });
});

test('an overlap never makes the old key live longer than it would have', async () => {
  const old = await service.newKey({ expiresAt: inMs(HOUR_MS) });
  const { oldExpiresAt } = await rotate(old.id, 24 * HOUR_MS);
  assert.deepEqual(oldExpiresAt, inMs(HOUR_MS));
});

test('a key is rotated once: also when two ask at the same time', async () => {
  const old = await service.newKey({});
  const rotating = await service.db.transaction(async (tx) => {
    await tx.run(sql`select from api_keys where id = ${old.id} for update`);
    const both = [service, other].map((node) =>
      node.staff('POST', `/admin/keys/${old.id}/rotate`, { key: OPERATOR_KEY, body: { overlap_hours: 1 } }),
    );
    await whenWaiting(service, 2);
    return both;
  });
  const answers = await Promise.all(rotating);
  assert.deepEqual(answers.map(({ status }) => status).sort(), [201, 409]);
  assert.match(await refusal(old.id), /was rotated before, to key_/);
});

test('a revoked, an expired and an unknown key cannot be rotated', async () => {
  const revoked = await service.newKey({});
  await markRevoked(service.db, revoked.id, service.clock.now());
  assert.match(await refusal(revoked.id), /was revoked/);

  const expired = await service.newKey({ expiresAt: inMs(1) });
  service.clock.advance(1);
  assert.match(await refusal(expired.id), /has expired/);

  assert.match(await refusal('key_none'), /no key key_none/);
});

test('a revoked key is refused on every node, and only that key', async () => {
  const key = await service.newKey({});
  const neighbour = await service.newKey({});
  for (const node of [service, other]) await becomes(200, key.secret, node);
  assert.ok(await markRevoked(service.db, key.id, service.clock.now()));
  for (const node of [service, other]) {
    await becomes(401, key.secret, node);
    assert.equal(await statusOf(neighbour.secret, node), 200);
  }
});

test('revoking again keeps the first instant; an unknown key is refused', async () => {
  const key = await service.newKey({});
  const first = service.clock.now();
  await markRevoked(service.db, key.id, first);
  service.clock.advance(HOUR_MS);
  assert.equal(await markRevoked(service.db, key.id, service.clock.now()), true);
  const row = await service.db.row(sql`select revoked_at from api_keys where id = ${key.id}`);
  assert.deepEqual(row, { revoked_at: first });
  assert.equal(await markRevoked(service.db, 'key_none', first), false);
});

test('the last use is written down, and does not go back', async () => {
  const key = await service.newKey({});
  const lastUse = async () =>
    (await service.db.row<{ last_used_at: Date | null }>(
      sql`select last_used_at from api_keys where id = ${key.id}`,
    ))!.last_used_at;
  assert.equal(await lastUse(), null);
  await becomes(200, key.secret);
  const first = await eventually('the first use is written', async () => (await lastUse()) ?? undefined);
  assert.deepEqual(first, service.clock.now());

  service.clock.advance(HOUR_MS);
  await becomes(200, key.secret, other);
  await eventually('the later use is written', async () => (await lastUse())! > first);
});

test('a key that was refused counts as not used', async () => {
  const key = await service.newKey({ scopes: ['wallet'] });
  await becomes(403, key.secret);
  const used = await service.newKey({});
  await becomes(200, used.secret);
  await eventually('the use of another key is written', () =>
    service.db.row(sql`select 1 from api_keys where id = ${used.id} and last_used_at is not null`),
  );
  assert.deepEqual(await service.db.row(sql`select last_used_at from api_keys where id = ${key.id}`), {
    last_used_at: null,
  });
});

test('key list names merchants by slug, as key create does', async () => {
  const run = commandRunner(service);
  await run(
    'key create',
    '--partner',
    'Padaria Flor do Trigo',
    '--merchant',
    'padaria-flor-do-trigo',
    '--label',
    'balcão',
  );
  const listed = (await run('key list', '--json')).split('\n').map((line) => JSON.parse(line));
  const key = listed.find(({ label }) => label === 'balcão');
  assert.equal(key.merchant, 'padaria-flor-do-trigo');
  assert.ok(listed.every((other) => !('merchant_id' in other)));
  const lines = (await run('key list')).split('\n').filter((line) => line.includes(key.id));
  assert.match(lines[0]!, / padaria-flor-do-trigo /);
});
