import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { sql } from '#platform/database/db.ts';
import { DEMO_KEY, eventually, type Node, openService } from '../../test/harness.ts';
import { setRevokedAt } from './store.ts';

const service = await openService();
const MAX_ACCEPTED_AFTER_REVOCATION_MS = 1_000;

const readStatus = async (node: Node, key: string) => (await node.get('/public/categories', { key })).status;

/** Returns a key that this node has already accepted, so that it is in all caches. */
async function createAcceptedKey(node: Node) {
  const key = await service.newKey({});
  await eventually('the key is accepted', async () => (await readStatus(node, key.secret)) === 200);
  return key;
}

/**
 * Sends requests until `observationMs` after the second in which a revoked key may still be accepted. Asserts that the key is not accepted
 * after that second, and returns the statuses. A slow machine cannot break this guarantee of one second: a node uses its own clock, and
 * does not trust a heartbeat that took longer.
 */
async function collectStatusesAfterRevocation(
  node: Node,
  secret: string,
  { revokedAtMs, observationMs }: { revokedAtMs: number; observationMs: number },
) {
  const statuses: number[] = [];
  while (
    statuses.length === 0 ||
    performance.now() < revokedAtMs + MAX_ACCEPTED_AFTER_REVOCATION_MS + observationMs
  ) {
    const requestedAtMs = performance.now();
    const status = await readStatus(node, secret);
    if (requestedAtMs - revokedAtMs >= MAX_ACCEPTED_AFTER_REVOCATION_MS) statuses.push(status);
    await pause(20);
  }
  assert.ok(!statuses.includes(200), `accepted after its revocation: ${statuses}`);
  return statuses;
}

async function revokeKey(id: string): Promise<number> {
  await setRevokedAt(service.db, id, service.clock.now());
  return performance.now();
}

/** Terminates the connections of the change feed. */
const disconnectFeeds = () =>
  service.db.rows(sql`
    select pg_terminate_backend(pid) from pg_stat_activity
    where application_name = 'semana changeFeed' and datname = current_database()`);

test('a disconnected change feed reconnects automatically and applies missed changes', async () => {
  const key = await createAcceptedKey(service);
  await disconnectFeeds();
  const revokedAtMs = await revokeKey(key.id);
  await collectStatusesAfterRevocation(service, key.secret, { revokedAtMs, observationMs: 500 });
  await eventually(
    'another key is accepted again',
    async () => (await readStatus(service, DEMO_KEY)) === 200,
  );
  await eventually('the revoked key is refused', async () => (await readStatus(service, key.secret)) === 401);
  assert.match(service.readLog(), /change feed lost/);
  await eventually('the change feed is connected again', async () =>
    /change feed is back/.test(service.readLog()),
  );
});

test('a revoked key is never accepted while the change feed disconnects repeatedly', async () => {
  const key = await createAcceptedKey(service);
  let isDisconnecting = true;
  const disconnectLoop = (async () => {
    while (isDisconnecting) {
      await disconnectFeeds();
      await pause(60);
    }
  })();
  const revokedAtMs = await revokeKey(key.id);
  const statuses = await collectStatusesAfterRevocation(service, key.secret, {
    revokedAtMs,
    observationMs: 1_500,
  });
  isDisconnecting = false;
  await disconnectLoop;
  assert.deepEqual(
    statuses.filter((status) => status !== 401 && status !== 503),
    [],
  );
  await eventually(
    'another key is accepted again',
    async () => (await readStatus(service, DEMO_KEY)) === 200,
  );
  await eventually('the revoked key is refused', async () => (await readStatus(service, key.secret)) === 401);
});

test('while the database does not respond, no key is accepted from a stale cache', async () => {
  const databaseLink = await service.openLink();
  const node = await service.startNode({ link: databaseLink });
  const key = await createAcceptedKey(node);
  databaseLink.block();
  const revokedAtMs = await revokeKey(key.id);
  const statuses = await collectStatusesAfterRevocation(node, key.secret, {
    revokedAtMs,
    observationMs: 500,
  });
  assert.deepEqual([...new Set(statuses)], [503]);
  databaseLink.restore();
  await eventually('another key is accepted again', async () => (await readStatus(node, DEMO_KEY)) === 200);
  await eventually('the revoked key is refused', async () => (await readStatus(node, key.secret)) === 401);
});

test('a change feed with a delay of more than a second is not up to date', async () => {
  const databaseLink = await service.openLink();
  const node = await service.startNode({ link: databaseLink });
  const key = await createAcceptedKey(node);
  databaseLink.delay(1_300);
  const revokedAtMs = await revokeKey(key.id);
  const statuses = await collectStatusesAfterRevocation(node, key.secret, {
    revokedAtMs,
    observationMs: 2_500,
  });
  assert.ok(statuses.includes(503), `${statuses}`);
  databaseLink.restore();
  await eventually('another key is accepted again', async () => (await readStatus(node, DEMO_KEY)) === 200);
});

test('a node recovers automatically after the database was unavailable', async () => {
  const databaseLink = await service.openLink();
  const node = await service.startNode({ link: databaseLink });
  databaseLink.cut();
  await eventually('keys are not accepted', async () => (await readStatus(node, DEMO_KEY)) === 503);
  await eventually('the node is not ready', async () => (await node.staff('GET', '/readyz')).status === 503);
  databaseLink.restore();
  await eventually('another key is accepted again', async () => (await readStatus(node, DEMO_KEY)) === 200);
  await eventually(
    'the node is ready again',
    async () => (await node.staff('GET', '/readyz')).status === 200,
  );
});
