import assert from 'node:assert/strict';
import { randomInt } from 'node:crypto';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { Webhook } from 'standardwebhooks';
import { openDb } from '#platform/database/db.ts';
import { SANDBOX_SECRETS, Vault } from '#platform/vault.ts';
import { launchService, newDemoDatabase, type Service, whenOpen } from '../../../test/processes.ts';
import {
  answer,
  type Behave,
  demoPartner,
  dripMegabytes,
  eventsOfPurchase,
  hang,
  openReceiver,
  publish,
  reset,
} from '../../../test/support/webhook-receiver.ts';
import { createEndpoint, requireEndpoint, revealSecret } from './endpoints.ts';

/** WEBHOOK_EVENTS=10000 for the long run. */
const EVENTS = Number(process.env.WEBHOOK_EVENTS ?? 500);
const KILLS = Math.max(2, EVENTS / 1_000);
const OF_ONE_PURCHASE = 10;
const HEALTHY = 13;
const BAD: Behave[] = [
  ...[answer(500), hang, reset, answer(302, { location: 'http://127.0.0.1:1/' }), dripMegabytes(503)],
  ...([
    (response) => void setTimeout(() => response.writeHead(500).end(), 800),
    answer(404),
  ] satisfies Behave[]),
];

test('20 receivers, a third of them bad, nodes killed at random: the healthy get everything they asked for', async () => {
  const databaseUrl = await newDemoDatabase();
  const db = openDb({ url: databaseUrl, poolSize: 3, label: 'test' });
  const vault = new Vault(SANDBOX_SECRETS);
  const partner = await demoPartner(db);
  const change = { actor: { id: 'test', address: null, requestId: null }, action: 'test', now: new Date() };
  const register = async (behave: Behave, events: string[]) => {
    const receiver = await openReceiver(behave);
    const wish = { partner, url: receiver.url, events };
    const { id } = await db.transaction((tx) => createEndpoint(tx, wish, { vault, mode: 'sandbox' }, change));
    return { ...receiver, events, secret: revealSecret(vault, await requireEndpoint(db, id)) };
  };
  const receivers = await Promise.all([
    ...BAD.map((behave) => register(behave, [])),
    ...Array.from({ length: HEALTHY }, (_, i) => register(answer(200), i % 2 ? ['pix.paid'] : [])),
  ]);
  const healthy = receivers.slice(BAD.length);
  assert.equal(receivers.length, 20);

  /** Restarted until it is up, as a supervisor does: on a busy machine the database may be too slow at first. */
  const start = async (): Promise<Service> =>
    whenOpen(launchService({ DATABASE_URL: databaseUrl, WEBHOOK_TIMEOUT_MS: '2000' })).catch(start);
  const nodes = await Promise.all([start(), start()]);
  let isPublished = false;
  let kills = 0;
  const killing = (async () => {
    while (kills < KILLS || !isPublished) {
      await sleep(randomInt(100, 1_000));
      const which = randomInt(nodes.length);
      nodes[which]!.child.kill('SIGKILL');
      await nodes[which]!.ended;
      kills += 1;
      nodes[which] = await start();
    }
  })();

  const published = new Map<string, { type: string; checkoutHash: string; sequence: number }>();
  while (published.size < EVENTS) {
    const type = published.size % (2 * OF_ONE_PURCHASE) === 0 ? 'pix.paid' : 'pix.created';
    const events = eventsOfPurchase(OF_ONE_PURCHASE, type);
    for (const event of events) published.set(event.id, event);
    await publish(db, partner, events);
    if (published.size % 100 === 0) await sleep(50); // spread out: nodes die while there is work
  }
  isPublished = true;
  await killing;

  // Counted, not compared one by one: the receivers run in this process.
  const ofType = (events: string[]) =>
    [...published.values()].filter(({ type }) => events.length === 0 || events.includes(type)).length;
  const wanted = healthy.map(({ events }) => ofType(events));
  const missing = () => healthy.map(({ ids }, i) => wanted[i]! - ids.size);
  for (let i = 0; missing().some((count) => count > 0); i++) {
    assert.ok(i < 600 + EVENTS / 4, `missing at the healthy: ${missing()} of ${EVENTS}`);
    await sleep(100);
  }

  for (const { received, events, secret } of healthy) {
    const verifier = new Webhook(secret);
    const sequences = new Map<string, Set<number>>();
    for (const { id, raw, headers, body } of received) {
      assert.ok(published.has(id));
      verifier.verify(raw, headers);
      assert.ok(events.length === 0 || events.includes(body.type));
      const hash = body.data.checkout_hash;
      sequences.set(hash, (sequences.get(hash) ?? new Set()).add(body.sequence));
    }
    assert.ok([...sequences.values()].every((numbers) => numbers.size === OF_ONE_PURCHASE));
  }

  // The failing endpoints still have all of it pending, and delay nobody.
  for (let i = 0; i < 10; i++) {
    const [event] = eventsOfPurchase(1);
    await publish(db, partner, [event!]);
    // A redelivery of another event may come after it.
    while (!healthy.every(({ ids }) => ids.has(event!.id))) await sleep(10);
  }
  const repeats = healthy.reduce((sum, { received, ids }) => sum + received.length - ids.size, 0);
  process.stderr.write(`${kills} kills, ${EVENTS} events, ${repeats} repeats\n`);
  for (const { child } of nodes) child.kill('SIGKILL');
  await db.close();
});
