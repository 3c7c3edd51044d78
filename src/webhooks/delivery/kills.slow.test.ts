import assert from 'node:assert/strict';
import { randomInt } from 'node:crypto';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { Webhook } from 'standardwebhooks';
import { openDb } from '#platform/database/db.ts';
import { SANDBOX_SECRETS, Vault } from '#platform/vault.ts';
import { findDemoPartnerId } from '../../../test/harness.ts';
import {
  createDemoDatabase,
  launchService,
  type ServiceProcess,
  waitForBanner,
} from '../../../test/processes.ts';
import {
  type Behavior,
  buildPurchaseEvents,
  neverRespond,
  openWebhookReceiver,
  publish,
  resetConnection,
  respondWith,
  respondWithMegabytes,
} from '../../../test/support/webhook-receiver.ts';
import { createWebhook, requireWebhook, revealSecret } from './webhooks.ts';

/** Set WEBHOOK_EVENTS=10000 for the long run. */
const EVENT_COUNT = Number(process.env.WEBHOOK_EVENTS ?? 500);
const MIN_KILLS = Math.max(2, EVENT_COUNT / 1_000);
const EVENTS_PER_PURCHASE = 10;
const HEALTHY_COUNT = 13;
const ALL_TYPES: string[] = [];
const FAILING_BEHAVIORS: Behavior[] = [
  respondWith(500),
  neverRespond,
  resetConnection,
  respondWith(302, { location: 'http://127.0.0.1:1/' }),
  respondWithMegabytes(503),
  (response) => void setTimeout(() => response.writeHead(500).end(), 800),
  respondWith(404),
];

test('with 20 receivers, a third of them failing, and randomly killed nodes, the healthy receivers get all matching events', async () => {
  const databaseUrl = await createDemoDatabase();
  const db = openDb({ url: databaseUrl, poolSize: 3, applicationName: 'test' });
  const vault = new Vault(SANDBOX_SECRETS);
  const partner = await findDemoPartnerId(db);
  const auditContext = {
    actor: { id: 'test', ipAddress: null, requestId: null },
    action: 'test',
    now: new Date(),
  };
  const registerReceiver = async (behave: Behavior, types: string[]) => {
    const receiver = await openWebhookReceiver(behave);
    const input = { partner, url: receiver.url, events: types };
    const { id } = await db.transaction((tx) =>
      createWebhook(tx, input, { vault, mode: 'sandbox' }, auditContext),
    );
    return { ...receiver, types, secret: revealSecret(vault, await requireWebhook(db, id)) };
  };
  const receivers = await Promise.all([
    ...FAILING_BEHAVIORS.map((behave) => registerReceiver(behave, ALL_TYPES)),
    ...Array.from({ length: HEALTHY_COUNT }, (_, i) =>
      registerReceiver(respondWith(200), i % 2 ? ['pix.paid'] : ALL_TYPES),
    ),
  ]);
  const healthyReceivers = receivers.slice(FAILING_BEHAVIORS.length);
  assert.equal(receivers.length, 20);

  /** Like a supervisor, starts the service again until it is up: on a busy machine the database may be too slow at first. */
  const startNode = async (): Promise<ServiceProcess> =>
    waitForBanner(launchService({ DATABASE_URL: databaseUrl, WEBHOOK_TIMEOUT_MS: '2000' })).catch(startNode);
  const nodes = await Promise.all([startNode(), startNode()]);
  let areAllPublished = false;
  let killCount = 0;
  const killLoop = (async () => {
    while (killCount < MIN_KILLS || !areAllPublished) {
      await sleep(randomInt(100, 1_000));
      const index = randomInt(nodes.length);
      nodes[index]!.child.kill('SIGKILL');
      await nodes[index]!.outcome;
      killCount += 1;
      nodes[index] = await startNode();
    }
  })();

  const publishedEvents = new Map<string, { type: string; checkoutHash: string; sequence: number }>();
  while (publishedEvents.size < EVENT_COUNT) {
    const type = publishedEvents.size % (2 * EVENTS_PER_PURCHASE) === 0 ? 'pix.paid' : 'pix.created';
    const events = buildPurchaseEvents(EVENTS_PER_PURCHASE, type);
    for (const event of events) publishedEvents.set(event.id, event);
    await publish(db, partner, events);
    if (publishedEvents.size % 100 === 0) await sleep(50); // Spreads the events, so that nodes are killed while deliveries are pending.
  }
  areAllPublished = true;
  await killLoop;

  // Only counts are compared while the events arrive: comparing ids would take CPU time from the receivers in this process.
  const countPublished = (types: string[]) =>
    [...publishedEvents.values()].filter(({ type }) => types.length === 0 || types.includes(type)).length;
  const expectedCounts = healthyReceivers.map(({ types }) => countPublished(types));
  const countMissing = () => healthyReceivers.map(({ ids }, i) => expectedCounts[i]! - ids.size);
  const maxPolls = 600 + EVENT_COUNT / 4; // a minute, and longer for more events
  for (let i = 0; countMissing().some((count) => count > 0); i++) {
    assert.ok(i < maxPolls, `events missing at the healthy receivers: ${countMissing()} of ${EVENT_COUNT}`);
    await sleep(100);
  }

  for (const { received, types, secret } of healthyReceivers) {
    const verifier = new Webhook(secret);
    const sequences = new Map<string, Set<number>>();
    for (const { id, raw, headers, body } of received) {
      assert.ok(publishedEvents.has(id));
      verifier.verify(raw, headers);
      assert.ok(types.length === 0 || types.includes(body.type));
      const hash = body.data.checkout_hash;
      sequences.set(hash, (sequences.get(hash) ?? new Set()).add(body.sequence));
    }
    assert.ok([...sequences.values()].every((numbers) => numbers.size === EVENTS_PER_PURCHASE));
  }

  // The failing endpoints still have pending deliveries, and delay no other endpoint.
  for (let i = 0; i < 10; i++) {
    const [event] = buildPurchaseEvents(1);
    await publish(db, partner, [event!]);
    // Looks for the id, because the newest delivery may be a redelivery of another event.
    while (!healthyReceivers.every(({ ids }) => ids.has(event!.id))) await sleep(10);
  }
  const redeliveryCount = healthyReceivers.reduce(
    (sum, { received, ids }) => sum + received.length - ids.size,
    0,
  );
  process.stderr.write(`${killCount} kills, ${EVENT_COUNT} events, ${redeliveryCount} redeliveries\n`);
  for (const { child } of nodes) child.kill('SIGKILL');
  await db.close();
});
