import type { PixSettings, PspConnection } from '#pix';
import type { Clock } from '#platform/clock.ts';
import { openDb } from '#platform/database/db.ts';
import type { Endpoint } from '#platform/http/endpoint.ts';
import type { Log } from '#platform/observability/log.ts';
import { DEMO_OPERATOR_KEY } from '../demo-data.ts';
import { pspSimulatorEndpoints } from './endpoints.ts';
import { createPspSimulator, findSimulatorAt, HOST, SANDBOX_PSP_CLIENT } from './simulator.ts';

const RETRY_MS = 2_000;

/** The PSP simulator as part of a node: its port, its database pool, its endpoints at the staff door. */
export function openSandboxPsp(parts: {
  settings: PixSettings;
  autopay: Parameters<typeof pspSimulatorEndpoints>[0]['autopay'];
  port: number;
  databaseUrl: string;
  clock: Clock;
  log: Log;
}) {
  const { settings, autopay, port, databaseUrl, clock, log } = parts;
  // A pool of its own, so that the simulated bank does not wait for the service's connections.
  const db = openDb({
    url: databaseUrl,
    poolSize: 4,
    label: 'psp simulator',
    onIdleError: (error) => log.warn({ err: error }, 'idle database connection of the PSP simulator lost'),
  });
  const simulator = createPspSimulator({
    port,
    db,
    clock,
    log,
    receiver: settings.receiver,
    keys: [settings.pixKey],
    webhookFetch: (url, init) => fetch(atOwnDoor(url), init),
  });
  let ownFrontUrl: string | undefined;
  let timer: NodeJS.Timeout | undefined;
  let isStarted = false;
  let isStopped = false;

  /**
   * All nodes register their own address for the same key, and the last one stays registered even when that node is gone.
   * So a notice for any of them, recognised by the callback secret, goes to this node's own front door.
   */
  const atOwnDoor = (url: string): string => {
    const { pathname } = new URL(url);
    const isOurs = pathname.split('/').includes(settings.callbackSecret);
    return isOurs && ownFrontUrl ? ownFrontUrl + pathname : url;
  };

  /** Retries until it succeeds: the simulator may be set to fail. */
  const registerUntilDone = async (register: () => Promise<void>): Promise<void> => {
    await register().catch(() => {
      if (isStopped) return;
      timer = setTimeout(() => void registerUntilDone(register), RETRY_MS);
      timer.unref();
    });
  };

  const operatorKey = DEMO_OPERATOR_KEY;
  const endpoints: Endpoint[] = pspSimulatorEndpoints({ simulator, autopay, clock, operatorKey });
  return {
    endpoints,
    tryDebits: () => simulator.tryDebits(),
    /** Nodes of one machine may share a simulator. */
    ports: [
      {
        setting: 'PSP_PORT',
        host: HOST,
        port,
        mayKeep: async () => (await findSimulatorAt(port)) !== undefined,
      },
    ],
    /** Returns how to connect to it. */
    async start(): Promise<PspConnection> {
      await simulator.start();
      isStarted = true;
      const { id: clientId, secret: clientSecret } = SANDBOX_PSP_CLIENT;
      const [url, tokenUrl] = [`${simulator.url()}/v2`, `${simulator.url()}/oauth/token`];
      return { url, tokenUrl, clientId, clientSecret, tokenStyle: 'basic-json', scopes: [], tls: null };
    },
    /** Registers the webhook by calling `register`, until that succeeds. */
    keepWebhookRegistered(frontUrl: string, register: (frontUrl: string) => Promise<void>): void {
      ownFrontUrl = frontUrl;
      void registerUntilDone(() => register(frontUrl));
    },
    async stop(): Promise<void> {
      isStopped = true;
      clearTimeout(timer);
      if (isStarted) await simulator.stop();
      await db.close();
    },
  };
}
