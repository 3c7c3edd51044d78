import { once } from 'node:events';
import type { Server } from 'node:http';
import type { Cents } from '#core/values/money.ts';
import type { Clock } from '#platform/clock.ts';
import type { Db } from '#platform/database/db.ts';
import type { Caller } from '#platform/http/endpoint.ts';
import type { Log } from '#platform/observability/log.ts';
import { PortsInUseError } from '#platform/ports.ts';
import { Problem } from '#platform/problem.ts';
import { createApiServer, SIMULATOR_ID_PATH } from './api/server.ts';
import { applyPayerAction, attemptDueDebits, type PayerAction } from './autopay/payer.ts';
import type { Bank, Receiver } from './bank.ts';
import { Dispatcher, type WebhookFetch } from './dispatcher.ts';
import { createRandom, type Faults, NO_FAULTS } from './faults.ts';
import { type Payment, pay, reverse, scan } from './payer.ts';
import { FaultSettings, loadOrCreateIdentity, type SimulatorIdentity } from './settings.ts';

export type PspSimulatorOptions = {
  /** 0 picks a free port. Nodes with the same port share it: one node listens, and another takes over when the first stops. */
  port: number;
  db: Db;
  clock: Clock;
  log: Log;
  /** The receiver's Pix keys. Undefined: any key is accepted. */
  keys?: readonly string[];
  receiver?: Receiver;
  tokenSeconds?: number;
  refundDelayMs?: number;
  webhookFetch?: WebhookFetch;
  webhookTimeoutMs?: number;
  webhookRetryMs?: readonly number[];
  seed?: number;
};

export type PspSimulator = ReturnType<typeof createPspSimulator>;

/** The dependencies of the endpoints that act on the simulator. */
export type SimulatorDeps = {
  simulator: PspSimulator;
  clock: Clock;
  /** Whether a partner may pay the charge. */
  mayCallerPay: (caller: Caller, txid: string) => Promise<boolean>;
  autopay: {
    /** Finds the PSP's id (`rec`) of the service's authorisation. */
    findRecId(authorisationId: string): Promise<string | null>;
    /** Makes the service read the authorisation now, independently of callbacks. */
    sync(id: string): Promise<unknown>;
  };
};

export const SANDBOX_PSP_CLIENT = { id: 'sandbox-psp-client', secret: 'sandbox-psp-secret' };

export const SIMULATOR_HOST = '127.0.0.1';
const TAKEOVER_CHECK_MS = 1_000;
const WEBHOOK_RETRY_DELAYS_MS = [1_000, 5_000, 15_000];

/** Creates a simulated bank with its own port. Its data is stored in PostgreSQL, survives restarts, and is shared by all nodes. */
export function createPspSimulator(options: PspSimulatorOptions) {
  const { db, clock, log, keys } = options;
  let url = '';
  let identity: SimulatorIdentity | undefined;
  let server: Server | undefined;
  let takeoverTimer: NodeJS.Timeout | undefined;
  const bank: Bank = {
    db,
    clock,
    log,
    random: createRandom(options.seed),
    faultSettings: new FaultSettings(db),
    get identity() {
      if (!identity) throw new Error('The PSP simulator is not started.');
      return identity;
    },
    client: SANDBOX_PSP_CLIENT,
    tokenSeconds: options.tokenSeconds ?? 3600,
    receiver: options.receiver ?? { name: 'Semana Sandbox', city: 'Sao Paulo' },
    ownsKey: (key) => keys === undefined || keys.includes(key),
    refundDelayMs: options.refundDelayMs ?? 300,
    url: () => url,
    wakeDispatcher: () => dispatcher.wake(),
  };
  const dispatcher = new Dispatcher(bank, {
    webhookFetch: options.webhookFetch ?? fetch,
    retryDelaysMs: options.webhookRetryMs ?? WEBHOOK_RETRY_DELAYS_MS,
    timeoutMs: options.webhookTimeoutMs ?? 5_000,
  });

  return {
    /** Resolves when this node, or another one on the same database, listens on the port. */
    async start(): Promise<void> {
      identity = await loadOrCreateIdentity(db);
      const apiServer = await createApiServer(bank);
      server = apiServer;
      const port = await acquirePort(apiServer, options.port, identity.simulatorId);
      url = `http://localhost:${port}`;
      takeoverTimer = setInterval(() => {
        if (!apiServer.listening) void listen(apiServer, port).catch(() => undefined); // another node still listens
      }, TAKEOVER_CHECK_MS);
      takeoverTimer.unref();
      dispatcher.wake();
    },
    /** Such as http://localhost:3002; empty before `start`. The API is under /v2, tokens are issued at /oauth/token. */
    url: () => url,
    isListening: () => server?.listening === true,
    pay: (txid: string, payment: Payment = {}) => pay(bank, txid, payment),
    reverse: (txid: string, amountCents?: Cents) => reverse(bank, txid, amountCents),
    scan: (brCode: string) => scan(bank, brCode),
    async actAsPayer(recId: string, action: PayerAction) {
      const actionResult = await applyPayerAction(bank, recId, action);
      // The BR Code that the payer scans to authorise also pays the first charge, unless that is paid or has expired (a `Problem`).
      if (action === 'authorise' && actionResult?.firstTxid)
        await pay(bank, actionResult.firstTxid, {}).catch((error: unknown) => {
          if (!(error instanceof Problem)) throw error;
        });
      return actionResult;
    },
    attemptDueDebits: () => attemptDueDebits(bank),
    getFaults: () => bank.faultSettings.getCurrent(),
    setFaults: (faults: Partial<Faults>) => bank.faultSettings.set({ ...NO_FAULTS, ...faults }),
    async stop(): Promise<void> {
      clearInterval(takeoverTimer);
      if (server?.listening) {
        const closePromise = once(server, 'close');
        server.close().closeAllConnections();
        await closePromise;
      }
      await dispatcher.stop();
    },
  };
}

/** Listens on the port, or checks that the simulator that listens there uses the same database. */
async function acquirePort(server: Server, port: number, simulatorId: string): Promise<number> {
  try {
    return await listen(server, port);
  } catch (error) {
    if ((error as { code?: string }).code !== 'EADDRINUSE') throw error;
    if ((await findSimulatorOnPort(port)) === simulatorId) return port;
    throw new PortsInUseError([{ setting: 'PSP_PORT', host: SIMULATOR_HOST, port }]);
  }
}

async function listen(server: Server, port: number): Promise<number> {
  const listeningPromise = once(server, 'listening');
  server.listen(port, SIMULATOR_HOST);
  await listeningPromise;
  return (server.address() as { port: number }).port;
}

export async function findSimulatorOnPort(port: number): Promise<string | undefined> {
  try {
    const response = await fetch(`http://${SIMULATOR_HOST}:${port}${SIMULATOR_ID_PATH}`, {
      signal: AbortSignal.timeout(2_000),
    });
    return ((await response.json()) as { simulator?: string }).simulator;
  } catch {
    return undefined; // nothing listens on the port, or another program does
  }
}
