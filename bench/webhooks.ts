import { once } from 'node:events';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { layOutTable } from '#platform/command-line/command.ts';
import { ProgressBar } from '#platform/command-line/progress-bar.ts';
import { type Db, sql } from '#platform/database/db.ts';
import { newId } from '#platform/ids.ts';
import { publishToPartners } from '../src/webhooks/publish-store.ts';
import { countPayments, PAYMENTS_PER_CALLBACK } from './callers.ts';
import { openBenchDb, withBenchDatabase } from './environment.ts';
import { createChargeScenario, createSettlementScenario, sellInstallments } from './pix.ts';
import { type Service, startService } from './processes.ts';
import { runConcurrently } from './scenarios.ts';

/** The number of events to deliver to every receiver. They are published in batches of BATCH_EVENTS. */
const EVENTS = 2_000;
const BATCH_EVENTS = 100;
/** The number of settlements in all runs together. */
const SETTLEMENTS = 4_480;
const HEALTHY_RECEIVERS = 13;
/** Concurrent requests of the baseline, which sends bare POSTs. */
const BARE_CLIENTS = 64;
/** Whether webhooks are on in each of four runs. In this order, growing tables affect the runs with and without webhooks equally. */
const WEBHOOK_STATES = ['off', 'on', 'on', 'off'] as const;

/** The minimum ratio of settlements with webhooks to settlements without. */
const MIN_RATIO = 0.9;

type ResponseBehavior = (response: http.ServerResponse) => void;
/** A slow receiver: it never responds. */
const hang: ResponseBehavior = () => undefined;
const respond204: ResponseBehavior = (response) => void response.writeHead(204).end();
const respond500: ResponseBehavior = (response) => void response.writeHead(500).end();
const resetConnection: ResponseBehavior = (response) => void response.socket?.resetAndDestroy();
const FAULTY_BEHAVIORS = [respond500, respond500, hang, hang, resetConnection, resetConnection, hang];

type Receiver = { url: string; countRequests: () => number; close: () => void };

/**
 * Compares the deliveries per second to 20 receivers, a third of them faulty, with bare POSTs of the same size to the healthy receivers.
 * Also compares the settlements per second with webhooks and without.
 */
export async function runWebhooksBench(): Promise<boolean> {
  return withBenchDatabase(async ({ url }) => {
    const db = openBenchDb(url);
    const service = await startService({ DATABASE_URL: url });
    const bar = new ProgressBar('webhooks');
    const showStep = (text: string) => bar.showNote(text);
    const receivers: Receiver[] = [];
    try {
      showStep('deliveries ...');
      for (const behavior of [
        ...FAULTY_BEHAVIORS,
        ...Array<ResponseBehavior>(HEALTHY_RECEIVERS).fill(respond204),
      ])
        receivers.push(await openReceiver(behavior));
      const healthyReceivers = receivers.slice(FAULTY_BEHAVIORS.length);
      for (const { url: webhookUrl } of receivers) await registerWebhook(service, webhookUrl);
      const deliveryRate = await measureDeliveriesPerSecond(db, healthyReceivers);
      showStep('bare posts ...');
      const bareRate = await measureBarePostsPerSecond(healthyReceivers);
      await db.run(sql`delete from webhook_endpoints`);
      await db.run(sql`truncate webhook_deliveries`);
      showStep('settlements ...');
      const settlements = await measureSettlements({ db, url, service }, healthyReceivers[0]!.url);
      bar.clear();
      return report({ deliveryRate, bareRate, ...settlements });
    } finally {
      bar.clear();
      await service.stop();
      for (const { close } of receivers) close();
      await db.close();
    }
  });
}

/** Prints the rates. Returns whether webhooks slow down settlements at most by the allowed ratio, and were delivered. */
function report({
  deliveryRate,
  bareRate,
  settlementRate,
  settlementRateWithoutWebhooks,
  deliveryCount,
}: Record<
  'deliveryRate' | 'bareRate' | 'settlementRate' | 'settlementRateWithoutWebhooks' | 'deliveryCount',
  number
>) {
  const formatRow = (name: string, rate: number, baselineRate: number) => [
    name,
    rate.toFixed(0),
    baselineRate.toFixed(0),
    (rate / baselineRate).toFixed(2),
  ];
  const rows = [
    formatRow('deliveries, relative to bare POSTs', deliveryRate, bareRate),
    formatRow(
      'settlements with webhooks, relative to settlements without',
      settlementRate,
      settlementRateWithoutWebhooks,
    ),
  ];
  process.stdout.write(`${layOutTable(['WEBHOOKS', 'PER SECOND', 'BASELINE', 'RATIO'], rows)}\n\n`);
  process.stdout.write(
    `The settlements caused ${deliveryCount} deliveries. The ratio of settlements must be at least ${MIN_RATIO}.\n`,
  );
  return settlementRate / settlementRateWithoutWebhooks >= MIN_RATIO && deliveryCount > 0;
}

async function openReceiver(behavior: ResponseBehavior): Promise<Receiver> {
  let requestCount = 0;
  const server = http.createServer((request, response) => {
    request.resume().on('end', () => {
      requestCount += 1;
      behavior(response);
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
    countRequests: () => requestCount,
    close,
  };
}

async function registerWebhook(service: Service, url: string): Promise<string> {
  const response = await fetch(`${service.staffUrl}/admin/webhooks`, {
    method: 'POST',
    headers: { 'x-api-key': 'sandbox-operator-key', 'content-type': 'application/json' },
    body: JSON.stringify({ partner: 'Demo partner', url }),
  });
  if (response.status !== 201) throw new Error(`${response.status}: ${await response.text()}`);
  return ((await response.json()) as { id: string }).id;
}

const countAllRequests = (receivers: readonly Receiver[]) =>
  receivers.reduce((sum, { countRequests }) => sum + countRequests(), 0);

/** Publishes the events, and waits until all healthy receivers have received them. */
async function measureDeliveriesPerSecond(db: Db, healthyReceivers: readonly Receiver[]): Promise<number> {
  const partner = await db.row<{ id: string }>(sql`select id from partners where name = 'Demo partner'`);
  const startedAtMs = performance.now();
  for (let batchStart = 0; batchStart < EVENTS; batchStart += BATCH_EVENTS) {
    const batch = Array.from({ length: BATCH_EVENTS }, (_, i) => ({
      event: {
        id: newId('evt', new Date()),
        type: 'pix.paid',
        occurredAt: new Date(),
        checkoutHash: String(batchStart).padStart(22, 'x'),
        sequence: i + 1,
        data: { value: 51.1, n: batchStart + i },
      },
      recipients: [
        { partnerId: partner!.id, reachesKeysWithoutMerchant: true, merchantId: null, customerId: null },
      ],
    }));
    await db.transaction((tx) => publishToPartners(tx, batch));
  }
  while (countAllRequests(healthyReceivers) < EVENTS * healthyReceivers.length) await sleep(20);
  return countAllRequests(healthyReceivers) / ((performance.now() - startedAtMs) / 1_000);
}

/** Sends half as many POSTs as the healthy receivers got deliveries, in turn to each of them. */
async function measureBarePostsPerSecond(healthyReceivers: readonly Receiver[]): Promise<number> {
  const agent = new http.Agent({ keepAlive: true });
  const body = JSON.stringify({
    id: 'x'.repeat(30),
    type: 'pix.paid',
    data: { value: 51.1, filler: 'x'.repeat(150) },
  });
  const post = (url: string) =>
    new Promise<void>((resolve, reject) => {
      const request = http.request(url, { method: 'POST', agent });
      request.on('response', (response) => void response.resume().on('end', resolve)).on('error', reject);
      request.end(body);
    });
  const requestCount = (EVENTS * healthyReceivers.length) / 2;
  let sentCount = 0;
  const startedAtMs = performance.now();
  await Promise.all(
    Array.from({ length: BARE_CLIENTS }, async () => {
      while (sentCount < requestCount) {
        const { url } = healthyReceivers[sentCount % healthyReceivers.length]!;
        sentCount += 1;
        await post(url);
      }
    }),
  );
  agent.destroy();
  return sentCount / ((performance.now() - startedAtMs) / 1_000);
}

/** Settles the same number of installments with and without webhooks. Returns both rates, and the number of deliveries. */
async function measureSettlements(
  { db, url, service }: { db: Db; url: string; service: Service },
  webhookUrl: string,
) {
  const { installments } = await sellInstallments(db, url, SETTLEMENTS);
  const { callers, perform } = createChargeScenario(service, installments);
  await runConcurrently(installments, callers, perform);
  const webhookId = await registerWebhook(service, webhookUrl);
  const installmentsPerRun = Math.floor(installments.length / WEBHOOK_STATES.length);
  const elapsedSeconds = { on: 0, off: 0 };
  for (const [run, webhookState] of WEBHOOK_STATES.entries()) {
    const action = webhookState === 'on' ? 'enable' : 'disable';
    const headers = { 'x-api-key': 'sandbox-operator-key' };
    await fetch(`${service.staffUrl}/admin/webhooks/${webhookId}/${action}`, { method: 'POST', headers });
    const installmentsOfRun = installments.slice(run * installmentsPerRun, (run + 1) * installmentsPerRun);
    const settlement = createSettlementScenario(service, db, {
      installments: installmentsOfRun,
      paymentsPerCallback: PAYMENTS_PER_CALLBACK,
    });
    await settlement.prepare!(settlement.items);
    const expectedPayments = (await countPayments(db)) + installmentsOfRun.length;
    const startedAtMs = performance.now();
    await runConcurrently(settlement.items, settlement.callers, settlement.perform);
    while ((await countPayments(db)) < expectedPayments) await sleep(50);
    elapsedSeconds[webhookState] += (performance.now() - startedAtMs) / 1000;
    // Pending deliveries would slow down the next run.
    while ((await countPendingWork(db)) > 0) await sleep(100);
  }
  const deliveryRow = await db.row<{ count: number }>(sql`select count(*) from webhook_deliveries`);
  const settlementsPerState = (installmentsPerRun * WEBHOOK_STATES.length) / 2;
  return {
    settlementRate: settlementsPerState / elapsedSeconds.on,
    settlementRateWithoutWebhooks: settlementsPerState / elapsedSeconds.off,
    deliveryCount: deliveryRow!.count,
  };
}

/** Counts the pending deliveries and the due jobs. */
async function countPendingWork(db: Db): Promise<number> {
  const row = await db.row<{ count: number }>(
    sql`select (select count(*) from webhook_deliveries where status = 'pending')
             + (select count(*) from graphile_worker.jobs where run_at <= now()) as count`,
  );
  return row!.count;
}
