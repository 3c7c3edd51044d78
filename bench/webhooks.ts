import { once } from 'node:events';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { table } from '#platform/command-line/command.ts';
import { ProgressBar } from '#platform/command-line/progress-bar.ts';
import { type Db, openDb, sql } from '#platform/database/db.ts';
import { newId } from '#platform/ids.ts';
import { SANDBOX_SECRETS, Vault } from '#platform/vault.ts';
import { publishToPartners } from '../src/delivery/publish.ts';
import { measureCharges, measureSettlements, payAll, sell } from './pix.ts';
import { startService } from './processes.ts';
import { logIn } from './rates.ts';
import { onStage } from './stage.ts';

const EVENTS = 2_000;
const BATCH_EVENTS = 100;
const HEALTHY = 13;
const BARE_CLIENTS = 64;
/** In this order the tables are as long for one as for the other, and other load affects both. */
const TURNS = ['off', 'on', 'on', 'off'] as const;

type Answer = (response: http.ServerResponse) => void;
const well: Answer = (response) => void response.writeHead(204).end();
const refuses: Answer = (response) => void response.writeHead(500).end();
const hangs: Answer = () => undefined;
const resets: Answer = (response) => void response.socket?.resetAndDestroy();
const BAD = [refuses, refuses, hangs, hangs, resets, resets, hangs];

type Running = Awaited<ReturnType<typeof startService>>;
type Receiver = { url: string; received: () => number; close: () => void };

/**
 * Events delivered a second to 20 receivers, a third of them faulty, compared with bare POSTs of the same size to the healthy ones in
 * the same run; and settlements a second with webhooks and without.
 */
export async function webhooksBench(): Promise<boolean> {
  return onStage(async ({ url }) => {
    const db = openDb({ url, poolSize: 4, label: 'bench', vault: new Vault(SANDBOX_SECRETS) });
    const service = await startService({ DATABASE_URL: url });
    const bar = new ProgressBar('webhooks');
    const show = (text: string) => bar.show(undefined, text);
    const receivers: Receiver[] = [];
    try {
      show('deliveries ...');
      for (const answer of [...BAD, ...Array<Answer>(HEALTHY).fill(well)])
        receivers.push(await openReceiver(answer));
      const healthy = receivers.slice(BAD.length);
      for (const { url: hook } of receivers) await register(service, hook);
      const delivered = await deliveriesPerSecond(db, healthy);
      show('bare posts ...');
      const bare = await barePostsPerSecond(healthy);
      await db.run(sql`delete from webhook_endpoints`);
      await db.run(sql`truncate webhook_deliveries`);
      show('settlements ...');
      const settlements = await settlementsWithAndWithout(db, service, healthy[0]!.url);
      bar.clear();
      return report({ delivered, bare, ...settlements });
    } finally {
      bar.clear();
      await service.stop();
      for (const { close } of receivers) close();
      await db.close();
    }
  });
}

function report({
  delivered,
  bare,
  on,
  off,
  told,
}: Record<'delivered' | 'bare' | 'on' | 'off' | 'told', number>) {
  const row = (name: string, rate: number, baseline: number) => [
    ...[name, rate.toFixed(0), baseline.toFixed(0), (rate / baseline).toFixed(2)],
  ];
  const rows = [
    row('deliveries, next to bare POSTs', delivered, bare),
    row('settlements with webhooks, next to without', on, off),
  ];
  process.stdout.write(`${table(['WEBHOOKS', 'A SECOND', 'BASELINE', 'RATIO'], rows)}\n\n`);
  process.stdout.write(
    `The settlements were told in ${told} deliveries. Their ratio is to be at least 0.9.\n`,
  );
  return on / off >= 0.9 && told > 0;
}

async function openReceiver(answer: Answer): Promise<Receiver> {
  let received = 0;
  const server = http.createServer((request, response) => {
    request.resume().on('end', () => {
      received += 1;
      answer(response);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const close = () => {
    server.close();
    server.closeAllConnections();
  };
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    received: () => received,
    close,
  };
}

async function register(service: Running, url: string): Promise<string> {
  const response = await fetch(`${service.staffUrl}/admin/webhooks`, {
    method: 'POST',
    headers: { 'x-api-key': 'sandbox-operator-key', 'content-type': 'application/json' },
    body: JSON.stringify({ partner: 'Demo partner', url }),
  });
  if (response.status !== 201) throw new Error(`${response.status}: ${await response.text()}`);
  return ((await response.json()) as { id: string }).id;
}

const sumOf = (receivers: readonly Receiver[]) =>
  receivers.reduce((sum, { received }) => sum + received(), 0);

async function deliveriesPerSecond(db: Db, healthy: readonly Receiver[]): Promise<number> {
  const partner = await db.row<{ id: string }>(sql`select id from partners where name = 'Demo partner'`);
  const startedAtMs = performance.now();
  for (let i = 0; i < EVENTS; i += BATCH_EVENTS) {
    const batch = Array.from({ length: BATCH_EVENTS }, (_, j) => ({
      event: {
        id: newId('evt', new Date()),
        type: 'pix.paid',
        occurredAt: new Date(),
        checkoutHash: String(i).padStart(22, 'x'),
        sequence: j + 1,
        data: { value: 51.1, n: i + j },
      },
      audience: [{ partnerId: partner!.id, unbound: true, merchantId: null }],
    }));
    await db.transaction((tx) => publishToPartners(tx, batch));
  }
  while (sumOf(healthy) < EVENTS * healthy.length) await sleep(20);
  return sumOf(healthy) / ((performance.now() - startedAtMs) / 1_000);
}

async function barePostsPerSecond(healthy: readonly Receiver[]): Promise<number> {
  const agent = new http.Agent({ keepAlive: true });
  const body = JSON.stringify({
    id: 'x'.repeat(30),
    type: 'pix.paid',
    data: { value: 51.1, filler: 'x'.repeat(150) },
  });
  const post = (url: string) =>
    new Promise<void>((done, fail) => {
      const request = http.request(url, { method: 'POST', agent });
      request.on('response', (response) => void response.resume().on('end', done)).on('error', fail);
      request.end(body);
    });
  const wanted = (EVENTS * healthy.length) / 2;
  let sent = 0;
  const startedAtMs = performance.now();
  await Promise.all(
    Array.from({ length: BARE_CLIENTS }, async () => {
      while (sent < wanted) await post(healthy[sent++ % healthy.length]!.url);
    }),
  );
  agent.destroy();
  return sent / ((performance.now() - startedAtMs) / 1_000);
}

async function settlementsWithAndWithout(db: Db, service: Running, hook: string) {
  const { phones, list } = await sell(db);
  await measureCharges(service, await logIn(service, phones), list);
  const id = await register(service, hook);
  const share = Math.floor(list.length / TURNS.length);
  const spent = { on: 0, off: 0 };
  for (const [turn, which] of TURNS.entries()) {
    const verb = which === 'on' ? 'enable' : 'disable';
    const headers = { 'x-api-key': 'sandbox-operator-key' };
    await fetch(`${service.staffUrl}/admin/webhooks/${id}/${verb}`, { method: 'POST', headers });
    const codes = list.slice(turn * share, (turn + 1) * share);
    await payAll(db, codes);
    spent[which] += codes.length / (await measureSettlements(service, db, codes)).rate;
    // What is still to be delivered and sent counts for this turn, not for the next one.
    const waiting = async () =>
      (await db.row<{ count: number }>(
        sql`select (select count(*) from webhook_deliveries where status = 'pending')
                 + (select count(*) from graphile_worker.jobs where run_at <= now()) as count`,
      ))!.count;
    while ((await waiting()) > 0) await sleep(100);
  }
  const told = await db.row<{ count: number }>(sql`select count(*) from webhook_deliveries`);
  const each = (share * TURNS.length) / 2;
  return { on: each / spent.on, off: each / spent.off, told: told!.count };
}
