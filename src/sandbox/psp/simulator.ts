import { once } from 'node:events';
import type { Server } from 'node:http';
import type { Cents } from '#core/money.ts';
import type { Clock } from '#platform/clock.ts';
import { answerAll, Batches } from '#platform/database/batches.ts';
import type { Db } from '#platform/database/db.ts';
import type { Log } from '#platform/observability/log.ts';
import { PortsTaken } from '#platform/ports.ts';
import { createApiServer, IDENTITY_PATH } from './api/server.ts';
import { type Answered, answerRec, type BankAnswer } from './autopay/answers.ts';
import { tryDebits } from './autopay/tries.ts';
import type { Bank, Receiver } from './bank.ts';
import { openChance } from './chance.ts';
import { Dispatcher, type WebhookFetch } from './dispatcher.ts';
import { FaultSettings } from './fault-settings.ts';
import { CALM, type Faults } from './faults.ts';
import { type BankKeys, openKeys } from './keys.ts';
import { type Payment, pay } from './pay.ts';
import { reverse } from './reverse.ts';
import { scan } from './scan.ts';
import { insertCharges } from './store/charges.ts';
import { listDeliveries } from './store/deliveries.ts';

export type PspSimulatorOptions = {
  /** 0 picks a free one. Nodes with the same port share it: one listens, and another takes over when that one ends. */
  port: number;
  db: Db;
  /** The sandbox's time. */
  clock: Clock;
  log: Log;
  /** The receiver's Pix keys; if undefined, any key is accepted. */
  keys?: readonly string[];
  receiver?: Receiver;
  tokenSeconds?: number;
  refundDelayMs?: number;
  webhookFetch?: WebhookFetch;
  webhookTimeoutMs?: number;
  webhookRetryMs?: readonly number[];
  /** Makes random faults reproducible. */
  seed?: number;
};

export type PspSimulator = ReturnType<typeof createPspSimulator>;

export const SANDBOX_PSP_CLIENT = { id: 'sandbox-psp-client', secret: 'sandbox-psp-secret' };

export const HOST = '127.0.0.1';
const TAKE_OVER_MS = 1_000;
/** New charges are batched: those that arrive while two statements run make up the next one. */
const CHARGES_TOGETHER = { atOnce: 2, most: 16 };
const RETRIES_MS = [1_000, 5_000, 15_000];

/** A simulated bank on its own port. Its data is in PostgreSQL: it survives restarts, and all nodes share it. */
export function createPspSimulator(options: PspSimulatorOptions) {
  const { db, clock, log, keys } = options;
  let url = '';
  let bankKeys: BankKeys | undefined;
  let server: Server | undefined;
  let watch: NodeJS.Timeout | undefined;
  const bank: Bank = {
    db,
    newCharges: new Batches(
      CHARGES_TOGETHER,
      answerAll((charges) => insertCharges(db, charges)),
    ),
    clock,
    log,
    chance: openChance(options.seed),
    faultSettings: new FaultSettings(db),
    get keys() {
      if (!bankKeys) throw new Error('The PSP simulator is not started.');
      return bankKeys;
    },
    client: SANDBOX_PSP_CLIENT,
    tokenSeconds: options.tokenSeconds ?? 3600,
    receiver: options.receiver ?? { name: 'Semana Sandbox', city: 'Sao Paulo' },
    ownsKey: (key) => keys === undefined || keys.includes(key),
    refundDelayMs: options.refundDelayMs ?? 300,
    url: () => url,
    wake: () => dispatcher.wake(),
  };
  const dispatcher = new Dispatcher(bank, {
    webhookFetch: options.webhookFetch ?? fetch,
    retryAfterMs: options.webhookRetryMs ?? RETRIES_MS,
    timeoutMs: options.webhookTimeoutMs ?? 5_000,
  });

  return {
    /** Returns when the port answers, by this node or another on the same database. */
    async start(): Promise<void> {
      bankKeys = await openKeys(db);
      const own = await createApiServer(bank);
      server = own;
      const port = await takePort(own, options.port, bankKeys.simulatorId);
      url = `http://localhost:${port}`;
      watch = setInterval(() => {
        if (!own.listening) void listen(own, port).catch(() => undefined); // still held by another node
      }, TAKE_OVER_MS);
      watch.unref();
      dispatcher.wake();
    },
    /** Such as http://localhost:3002, known after `start`; the API is under /v2, tokens are at /oauth/token. */
    url: () => url,
    /** Whether this node listens on the port; otherwise another node on the same database does. */
    answers: () => server?.listening === true,
    pay: (txid: string, payment: Payment = {}) => pay(bank, txid, payment),
    /** Takes back all that is left of the payment, or a part of it. */
    reverse: (txid: string, partCents?: Cents) => reverse(bank, txid, partCents),
    scan: (brCode: string) => scan(bank, brCode),
    /** The payer answers an authorisation, or ends it. */
    async answer(recId: string, answer: BankAnswer): Promise<Answered> {
      const answered = await answerRec(bank, recId, answer);
      // Paying is authorising: whoever says yes to such a code has paid.
      if (answered.kind === 'answered' && answer === 'authorise' && answered.firstTxid !== null)
        await pay(bank, answered.firstTxid, {});
      return answered;
    },
    /** The payer's bank debits what is due by now; returns how many debits it tried. */
    tryDebits: () => tryDebits(bank),
    faults: () => bank.faultSettings.current(),
    setFaults: (faults: Partial<Faults>) => bank.faultSettings.set({ ...CALM, ...faults }),
    /** Notices sent and to be sent, newest first. */
    deliveries: (count: number) => listDeliveries(db, count),
    async stop(): Promise<void> {
      clearInterval(watch);
      if (server?.listening) {
        const closed = once(server, 'close');
        server.close().closeAllConnections();
        await closed;
      }
      await dispatcher.stop();
    },
  };
}

/** Listens on the port, or checks that the simulator listening there uses the same database. */
async function takePort(server: Server, port: number, simulatorId: string): Promise<number> {
  try {
    return await listen(server, port);
  } catch (error) {
    if ((error as { code?: string }).code !== 'EADDRINUSE') throw error;
    if ((await findSimulatorAt(port)) === simulatorId) return port;
    throw new PortsTaken([{ setting: 'PSP_PORT', host: HOST, port }]);
  }
}

/** Throws what keeps it from listening. */
async function listen(server: Server, port: number): Promise<number> {
  const listening = once(server, 'listening');
  server.listen(port, HOST);
  await listening;
  return (server.address() as { port: number }).port;
}

/** The id of the simulator listening on a port, if there is one. */
export async function findSimulatorAt(port: number): Promise<string | undefined> {
  try {
    const response = await fetch(`http://${HOST}:${port}${IDENTITY_PATH}`, {
      signal: AbortSignal.timeout(2_000),
    });
    return ((await response.json()) as { simulator?: string }).simulator;
  } catch {
    return undefined; // nothing listens, or something else
  }
}
