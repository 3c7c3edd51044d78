import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { sql } from '#platform/database/db.ts';
import { DEMO_KEY, eventually, type Node, openService } from '../../test/harness.ts';
import { markRevoked } from './store.ts';

const service = await openService();
const PROMISE_MS = 1_000;

const statusOf = async (node: Node, key: string) => (await node.get('/public/categories', { key })).status;

/** A key that this node has accepted before, so that it is in its memory in every form. */
async function usedKey(node: Node) {
  const key = await service.newKey({});
  await eventually('the key is known', async () => (await statusOf(node, key.secret)) === 200);
  return key;
}

/**
 * From one second after the revocation on it is never accepted. Returns the answers it got instead. The second is the guarantee
 * itself, and a busy machine cannot break it: a node goes by its own clock, and does not trust a heartbeat that took longer.
 */
async function refusalsSince(revokedAtMs: number, node: Node, secret: string, forMs: number) {
  const answers: number[] = [];
  while (answers.length === 0 || performance.now() < revokedAtMs + PROMISE_MS + forMs) {
    const askedAtMs = performance.now();
    const status = await statusOf(node, secret);
    if (askedAtMs - revokedAtMs >= PROMISE_MS) answers.push(status);
    await pause(20);
  }
  assert.ok(!answers.includes(200), `accepted after its revocation: ${answers}`);
  return answers;
}

async function revoke(id: string): Promise<number> {
  await markRevoked(service.db, id, service.clock.now());
  return performance.now();
}

/** Ends the connections by which nodes hear of changes. */
const cutFeeds = () =>
  service.db.rows(sql`
    select pg_terminate_backend(pid) from pg_stat_activity
    where application_name = 'semana changeFeed' and datname = current_database()`);

test('a change feed that is cut comes back by itself, and what changed meanwhile is known', async () => {
  const key = await usedKey(service);
  await cutFeeds();
  const revokedAtMs = await revoke(key.id);
  await refusalsSince(revokedAtMs, service, key.secret, 500);
  await eventually('service again', async () => (await statusOf(service, DEMO_KEY)) === 200);
  await eventually('refused', async () => (await statusOf(service, key.secret)) === 401);
  assert.match(service.logged(), /change feed lost/);
  await eventually('the feed is back', async () => /change feed is back/.test(service.logged()));
});

test('a feed that is cut over and over never lets a revoked key in', async () => {
  const key = await usedKey(service);
  let cutting = true;
  const trouble = (async () => {
    while (cutting) {
      await cutFeeds();
      await pause(60);
    }
  })();
  const revokedAtMs = await revoke(key.id);
  const answers = await refusalsSince(revokedAtMs, service, key.secret, 1_500);
  cutting = false;
  await trouble;
  assert.deepEqual(
    answers.filter((status) => status !== 401 && status !== 503),
    [],
  );
  await eventually('service again', async () => (await statusOf(service, DEMO_KEY)) === 200);
  await eventually('refused', async () => (await statusOf(service, key.secret)) === 401);
});

test('while the database is silent nobody is let in on the strength of old changes', async () => {
  const link = await service.openLink();
  const node = await service.join(link);
  const key = await usedKey(node);
  link.clog();
  const answers = await refusalsSince(await revoke(key.id), node, key.secret, 500);
  assert.deepEqual([...new Set(answers)], [503]);
  link.mend();
  await eventually('service again', async () => (await statusOf(node, DEMO_KEY)) === 200);
  await eventually('refused', async () => (await statusOf(node, key.secret)) === 401);
});

test('changes that take longer than a second to arrive are not trusted', async () => {
  const link = await service.openLink();
  const node = await service.join(link);
  const key = await usedKey(node);
  link.delay(1_300);
  const answers = await refusalsSince(await revoke(key.id), node, key.secret, 2_500);
  assert.ok(answers.includes(503), `${answers}`);
  link.mend();
  await eventually('service again', async () => (await statusOf(node, DEMO_KEY)) === 200);
});

test('a node whose database was away for a while serves again by itself', async () => {
  const link = await service.openLink();
  const node = await service.join(link);
  link.cut();
  await eventually('no service', async () => (await statusOf(node, DEMO_KEY)) === 503);
  await eventually('not ready', async () => (await node.staff('GET', '/readyz')).status === 503);
  link.mend();
  await eventually('service again', async () => (await statusOf(node, DEMO_KEY)) === 200);
  await eventually('ready again', async () => (await node.staff('GET', '/readyz')).status === 200);
});
