import { join } from 'node:path';
import { type Catalog, catalogEndpoints, catalogHousekeeping, openCatalog } from '#catalog';
import { creditEndpoints, creditProblems, creditStaffEndpoints, creditUsed, LATE_ENTRY_MS } from '#credit';
import {
  customerEndpoints,
  customerProblems,
  customerStaffEndpoints,
  customersHousekeeping,
  customerTasks,
  openCustomers,
  SEND_CODE,
  tokenProblems,
} from '#customers';
import { eventEndpoints, eventProblems, eventsHousekeeping, Streams } from '#events';
import {
  answerPreflight,
  apiKeyGuard,
  apiKeyGuardSync,
  Keyring,
  KeyUse,
  partnerProblems,
  RateLimiter,
} from '#partners';
import {
  connectPsp,
  openPix,
  PIX_CRON,
  pixEndpoints,
  pixHousekeeping,
  pixMetrics,
  pixProblems,
  pixStaffEndpoints,
  pixTasks,
} from '#pix';
import { ChangeFeed } from '#platform/change-feed.ts';
import type { Clock } from '#platform/clock.ts';
import type { Config } from '#platform/config.ts';
import { openDb } from '#platform/db.ts';
import { errorPages } from '#platform/docs/error-pages.ts';
import { mountReference, openApiEndpoints } from '#platform/docs/reference.ts';
import { healthEndpoint, metricsEndpoint, readyEndpoint } from '#platform/health.ts';
import { startHousekeeping } from '#platform/housekeeping.ts';
import { type Door, type DoorOptions, openDoor } from '#platform/http/door.ts';
import { openApi } from '#platform/http/openapi.ts';
import { idempotencyProblems, purgeOldAnswers } from '#platform/idempotency.ts';
import { isUnderWay, type Jobs, purgeDeadJobs, startJobs } from '#platform/jobs.ts';
import type { Log } from '#platform/log.ts';
import { mountMedia } from '#platform/media.ts';
import { twilioSender } from '#platform/messages/twilio.ts';
import { openMetrics } from '#platform/metrics.ts';
import { platformProblems } from '#platform/problem.ts';
import { Vault } from '#platform/vault.ts';
import { REWARDS_CRON, referralCodeUnknown, rewardsEndpoints, rewardsProblems, rewardsTasks } from '#rewards';
import {
  DEMO_OPERATOR_KEY,
  DEMO_PARTNER_KEY,
  inboxSender,
  openSandboxPsp,
  pspSimulatorProblems,
  ResetFeed,
  SandboxClock,
  sandboxEndpoints,
  sandboxHousekeeping,
} from '#sandbox';
import { wireEvents } from './wiring.ts';

const DEMO_MEDIA = join(import.meta.dirname, '../demo/media');

const TAGS = [
  {
    name: 'Catalog',
    description: 'What an institutional website shows: merchants, questions, posts, forms.',
  },
  {
    name: 'Login',
    description:
      'How a customer becomes known: by password or by a code sent to the phone. Needs a key with the scope `wallet`.',
  },
  {
    name: 'Wallet',
    description:
      'What the customer who is logged in sees and does. Needs the header `x-token` besides the key.',
  },
];

const DESCRIPTION = `Partners call Semana over HTTP with a key in the header \`x-api-key\`.

Lists are \`{"data": [...]}\`, with \`pagination\` and a \`Link\` header where they come in pages. Errors are problem details (RFC 9457): look at \`code\`. Every response has an \`x-request-id\`; send your own to find it in our logs. Changes are additive: ignore fields you do not know. \`api-version\` names the version of this document.`;

const STAFF_TAGS = [
  { name: 'Customers', description: 'Customers, as the operator registers and sees them.' },
  { name: 'Credit', description: 'Purchases, as the operator makes and sees them.' },
  { name: 'Pix', description: 'Money that needs a person to look at it.' },
  { name: 'Sandbox', description: 'Tools for trying things out. They do not exist in live mode.' },
];

const STAFF_DESCRIPTION = `The operator's own door. Needs a key with the scope \`operator\` in the header \`x-api-key\`.`;

export type App = {
  front: Door;
  staff: Door;
  /** Opens both doors; returns when requests can be served. */
  start(): Promise<{ frontUrl: string; staffUrl: string }>;
  /** Lets running requests end, then closes everything it opened. */
  stop(): Promise<void>;
};

/** Puts the module together: both doors, every endpoint, who is told of what. */
export async function createApp(parts: {
  config: Config;
  databaseUrl: string;
  clock: Clock;
  log: Log;
}): Promise<App> {
  const { config, databaseUrl, log } = parts;
  let publicUrl = config.publicUrl ?? `http://localhost:${config.port}`;
  const shared = { log, metrics: openMetrics(), publicUrl: () => publicUrl };

  const db = openDb({
    url: databaseUrl,
    poolSize: config.databasePoolSize,
    label: 'semana',
    onIdleError: (error) => log.warn({ err: error }, 'idle database connection lost'),
  });
  const changeFeed = new ChangeFeed(databaseUrl, log);
  const movable =
    config.mode === 'sandbox' ? new SandboxClock({ base: parts.clock, db, changeFeed, log }) : null;
  const clock = movable ?? parts.clock;
  const resetFeed = movable && new ResetFeed(changeFeed);
  const keyring = new Keyring(db, changeFeed, log);
  const keyUse = new KeyUse(db, clock, log);
  const catalog: Catalog = openCatalog({ db, changeFeed, clock, log, publicUrl: shared.publicUrl });

  // Which posts are published depends on the time.
  movable?.whenMoved(() => catalog.responses.posts.clear());

  const vault = new Vault(config.secrets);
  const customers = openCustomers({
    ...{ db, changeFeed, clock, log, metrics: shared.metrics, publicUrl: shared.publicUrl },
    vault,
    sender:
      config.messages.sender === 'twilio' ? twilioSender(config.messages.twilio) : inboxSender(db, clock),
    configuredUrl: config.publicUrl,
    creditUsed,
  });

  const events = wireEvents(() => config.referral);
  const credit = {
    ...{ db, clock, events, publicUrl: shared.publicUrl, merchants: catalog.merchants },
    lateEntryMs: config.mode === 'sandbox' ? Number.POSITIVE_INFINITY : LATE_ENTRY_MS,
  };

  const pix = openPix({
    ...{ config, db, clock, events, log, vault, publicUrl: shared.publicUrl },
    metrics: pixMetrics(shared.metrics),
  });
  const sandboxPsp =
    config.psp.connection === null ? openSandboxPsp({ settings: config.psp, databaseUrl, clock, log }) : null;

  const streams = new Streams({
    ...{ db, changeFeed, log },
    async isSessionOver(sessionId) {
      await customers.ended.whenCurrent();
      return customers.ended.has(sessionId);
    },
  });

  const keyGuard = apiKeyGuard({
    keyring,
    limiter: new RateLimiter(db),
    keyUse,
    clock,
    metrics: shared.metrics,
  });
  const guard: DoorOptions['guard'] = (request, reply, access) => {
    const waiting = keyGuard(request, reply, access);
    if (access === 'open' || !access.customer) return waiting;
    return waiting ? waiting.then(() => customers.guard(request)) : customers.guard(request);
  };
  const excused = resetFeed && { excuse: (begunAtMs: number) => resetFeed.excuse(begunAtMs) };
  const { trustProxy } = config;
  const https = publicUrl.startsWith('https:');
  const front = openDoor({
    name: 'front',
    https,
    trustProxy,
    guard,
    guardSync: apiKeyGuardSync({ keyring, keyUse, clock }),
    preflight: answerPreflight(keyring),
    ...excused,
    ...shared,
  });
  const staff = openDoor({ name: 'staff', https: false, trustProxy, guard, ...excused, ...shared });

  front.mount([
    ...catalogEndpoints(catalog, events),
    ...customerEndpoints(customers),
    ...creditEndpoints(credit),
    ...pixEndpoints(pix),
    ...rewardsEndpoints({ db, clock, referral: config.referral, publicUrl: shared.publicUrl }),
    ...eventEndpoints(streams),
    healthEndpoint(),
    ...errorPages([
      ...platformProblems,
      ...idempotencyProblems,
      ...partnerProblems,
      ...customerProblems,
      ...creditProblems,
      ...pixProblems,
      ...rewardsProblems,
      ...eventProblems,
      ...(sandboxPsp ? pspSimulatorProblems : []),
    ]),
    ...openApiEndpoints(() =>
      openApi({
        endpoints: front.endpoints,
        tags: TAGS,
        description: DESCRIPTION,
        keyProblems: partnerProblems,
        tokenProblems,
      }),
    ),
  ]);
  await mountReference(front, config.mode === 'sandbox' ? DEMO_PARTNER_KEY : null);
  await mountMedia(front, [config.mediaDir, ...(config.mode === 'sandbox' ? [DEMO_MEDIA] : [])]);
  staff.mount([
    healthEndpoint(),
    readyEndpoint({ db, changeFeed, loaded: () => catalog.merchants.current() }),
    metricsEndpoint(shared.metrics, changeFeed),
    ...customerStaffEndpoints({ ...customers, events, refusals: [referralCodeUnknown] }),
    ...creditStaffEndpoints(credit),
    ...pixStaffEndpoints(pix),
    ...(sandboxPsp?.endpoints ?? []),
    ...(movable && resetFeed
      ? sandboxEndpoints({
          ...{ db, clock: movable, vault, events, resetFeed },
          areMessagesUnderWay: () => isUnderWay(db, SEND_CODE),
        })
      : []),
    ...openApiEndpoints(() =>
      openApi({
        endpoints: staff.endpoints,
        tags: STAFF_TAGS,
        description: STAFF_DESCRIPTION,
        keyProblems: partnerProblems,
        tokenProblems,
      }),
    ),
  ]);
  await mountReference(staff, config.mode === 'sandbox' ? DEMO_OPERATOR_KEY : null);

  const stopHousekeeping = startHousekeeping(log, [
    () => purgeOldAnswers(db, clock.now()),
    () => catalogHousekeeping(db, clock.now()),
    () => customersHousekeeping(db, clock.now()),
    () => eventsHousekeeping(db, clock.now()),
    () => pixHousekeeping(db, clock.now()),
    () => purgeDeadJobs(db),
    ...(movable ? [() => sandboxHousekeeping(db, movable)] : []),
  ]);
  let jobs: Jobs | undefined;

  return {
    front,
    staff,
    async start() {
      const frontUrl = await listen(front, config.host, config.port);
      if (!config.publicUrl) publicUrl = frontUrl;
      const staffUrl = await listen(staff, config.staffHost, config.staffPort);
      await changeFeed.start();
      await Promise.all([
        catalog.merchants.whenCurrent(),
        keyring.whenCurrent(),
        customers.start(),
        movable?.whenCurrent(),
      ]);
      const connection = config.psp.connection ?? (await sandboxPsp!.start());
      const { receiver, timeoutMs } = config.psp;
      pix.connect(connectPsp(connection, { receiver, timeoutMs, log, metrics: pix.metrics }));
      const registerWebhook = () => sandboxPsp?.keepWebhookRegistered(frontUrl, pix.register);
      registerWebhook();
      resetFeed?.whenReset(registerWebhook);
      const tasks = {
        ...customerTasks(customers),
        ...pixTasks(pix),
        ...rewardsTasks({ db, clock, events, log }),
      };
      jobs = await startJobs({ databaseUrl, tasks, cron: [...PIX_CRON, ...REWARDS_CRON], log });
      return { frontUrl, staffUrl };
    },
    async stop() {
      stopHousekeeping();
      streams.stop();
      await Promise.all([front.server.close(), staff.server.close()]);
      await jobs?.stop();
      await sandboxPsp?.stop();
      pix.close();
      await customers.stop();
      await keyUse.stop();
      await changeFeed.stop();
      await db.close();
    },
  };
}

async function listen(door: Door, host: string, port: number): Promise<string> {
  await door.server.listen({ host, port });
  const { port: taken } = door.server.server.address() as { port: number };
  const named = ['0.0.0.0', '::', '127.0.0.1', '::1'].includes(host) ? 'localhost' : host;
  return `http://${named.includes(':') ? `[${named}]` : named}:${taken}`;
}
