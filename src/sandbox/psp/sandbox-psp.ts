import type { PixSettings, PspConnection } from '#pix';
import type { Clock } from '#platform/clock.ts';
import { openDb } from '#platform/database/db.ts';
import { buildEndpoints } from '#platform/http/endpoint.ts';
import type { Log } from '#platform/observability/log.ts';
import { DEMO_OPERATOR_KEY } from '../demo-data.ts';
import * as pspEndpoints from './http/index.ts';
import { getSandboxPsp } from './http/sandbox-psp.ts';
import {
  createPspSimulator,
  findSimulatorOnPort,
  SANDBOX_PSP_CLIENT,
  SIMULATOR_HOST,
  type SimulatorDeps,
} from './simulator.ts';

const REGISTRATION_RETRY_MS = 2_000;

/** Opens the PSP simulator of a node: its port, its database pool, and its endpoints of the partner API and the staff API. */
export function openSandboxPsp(deps: {
  settings: PixSettings;
  autopay: SimulatorDeps['autopay'];
  mayCallerPay: SimulatorDeps['mayCallerPay'];
  port: number;
  databaseUrl: string;
  clock: Clock;
  log: Log;
}) {
  const { settings, autopay, mayCallerPay, port, databaseUrl, clock, log } = deps;
  // The simulator has its own pool, so that it does not wait for the connections of the service.
  const db = openDb({
    url: databaseUrl,
    poolSize: 4,
    applicationName: 'psp simulator',
    onIdleError: (error) => log.warn({ err: error }, 'idle database connection of the PSP simulator lost'),
  });
  const simulator = createPspSimulator({
    port,
    db,
    clock,
    log,
    receiver: settings.receiver,
    keys: [settings.pixKey],
    webhookFetch: (url, init) => fetch(toOwnPartnerApi(url), init),
  });
  let ownPartnerUrl: string | undefined;
  let registrationTimer: NodeJS.Timeout | undefined;
  let isStarted = false;
  let isStopped = false;

  /**
   * Each node registers its own URL for the same Pix key, and the latest URL stays registered even after its node has stopped. So
   * a callback to the URL of any node, recognised by the callback secret, is sent to the partner API of this node.
   */
  const toOwnPartnerApi = (url: string): string => {
    const { pathname } = new URL(url);
    const isOwnCallback = pathname.split('/').includes(settings.callbackSecret);
    return isOwnCallback && ownPartnerUrl ? ownPartnerUrl + pathname : url;
  };

  /** Retries until it succeeds, because the simulator may be configured to fail. */
  const registerUntilDone = async (register: () => Promise<void>): Promise<void> => {
    await register().catch(() => {
      if (isStopped) return;
      registrationTimer = setTimeout(() => void registerUntilDone(register), REGISTRATION_RETRY_MS);
      registrationTimer.unref();
    });
  };

  const { partner, staff } = buildEndpoints(pspEndpoints, { simulator, clock, mayCallerPay, autopay });
  return {
    partner,
    // The page of the simulator calls the staff API with this key.
    staff: [...staff, getSandboxPsp(DEMO_OPERATOR_KEY)],
    attemptDueDebits: () => simulator.attemptDueDebits(),
    ports: [
      {
        setting: 'PSP_PORT',
        host: SIMULATOR_HOST,
        port,
        /** Nodes on the same machine may share a simulator. */
        isUsedByShareableProgram: async () => (await findSimulatorOnPort(port)) !== undefined,
      },
    ],
    async start(): Promise<PspConnection> {
      await simulator.start();
      isStarted = true;
      const { id: clientId, secret: clientSecret } = SANDBOX_PSP_CLIENT;
      return {
        url: `${simulator.url()}/v2`,
        tokenUrl: `${simulator.url()}/oauth/token`,
        clientId,
        clientSecret,
        tokenStyle: 'basic-json',
        scopes: [],
        tls: null,
      };
    },
    /** Registers the webhook with `register`, which is retried in the background until it succeeds. */
    registerWebhook(partnerUrl: string, register: (partnerUrl: string) => Promise<void>): void {
      ownPartnerUrl = partnerUrl;
      void registerUntilDone(() => register(partnerUrl));
    },
    async stop(): Promise<void> {
      isStopped = true;
      clearTimeout(registrationTimer);
      if (isStarted) await simulator.stop();
      await db.close();
    },
  };
}
