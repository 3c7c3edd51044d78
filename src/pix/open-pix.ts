import { lenderService } from '#credit';
import type { Deps } from '#module';
import { service } from '#platform/service.ts';
import { nextAutopayMoment, runAutopay } from './autopay/autopay-jobs.ts';
import { syncAuthorisation } from './autopay/sync-authorisation.ts';
import { pixMetrics } from './metrics.ts';
import type { CrashPoint, Pix } from './pix.ts';
import { connectPsp } from './psp/connect-psp.ts';
import { type PspClient, PspUnavailable } from './psp/index.ts';
import type { PixSettings, PspConnection } from './settings.ts';
import { findAnyAuthorisation } from './store/authorisations.ts';

/** The PIX side of a running node, for the module that provides its PSP. */
type OpenPix = Pix & {
  readonly settings: PixSettings;
  /** Sets the PSP: the address of a simulator is known only after the service has started. */
  connect(psp: PspConnection): void;
  /** Registers this front door as the webhook of the PSP. */
  register(frontUrl: string): Promise<void>;
  /** For a clock that jumps: when debits need something done next, and doing it. */
  debits: {
    nextMoment(now: Date): Promise<Date | null>;
    run(): Promise<void>;
  };
  /** What the PSP calls an authorisation. */
  findRecId(authorisationId: string): Promise<string | null>;
  /** Reads an authorisation from the PSP now; returns its status. */
  syncAuthorisation(authorisationId: string): Promise<string | null>;
  close(): void;
};

export const pixService = service<OpenPix>('pix');

export function openPix(deps: Deps<PixSettings>): OpenPix {
  const { settings, log } = deps;
  const { pixKey, callbackSecret, receiver, timeoutMs } = settings;
  const metrics = pixMetrics(deps.metrics);
  let client: PspClient | undefined;
  const psp = () => {
    if (!client) throw new PspUnavailable('unreachable', 'none', { note: 'the service is starting' });
    return client;
  };
  const find = (id: string) => findAnyAuthorisation(deps.db, id);
  const pix: OpenPix = {
    ...deps,
    metrics,
    psp,
    lender: deps.find(lenderService)!,
    key: pixKey,
    account: settings.account,
    autopay: settings.autopay,
    callbackSecret,
    crash: crasher(settings.crashAt),
    connect(connection) {
      client = connectPsp(connection, { receiver, timeoutMs, log, metrics });
    },
    async register(frontUrl) {
      const url = callbackUrl(frontUrl, callbackSecret);
      await psp().putWebhook(pixKey, url);
      await psp().putAutopayWebhooks(url);
    },
    debits: {
      nextMoment: (now) => nextAutopayMoment(pix, now),
      run: () => runAutopay(pix),
    },
    findRecId: async (id) => (await find(id))?.rec_id ?? null,
    async syncAuthorisation(id) {
      const authorisation = await find(id);
      if (authorisation) await syncAuthorisation(pix, authorisation);
      return (await find(id))?.status ?? null;
    },
    close: () => client?.close(),
  };
  return pix;
}

export function callbackUrl(frontUrl: string, callbackSecret: string): string {
  return `${frontUrl}/psp/callback/${callbackSecret}`;
}

/** 'point', or 'point:N' for the Nth time it is reached. Like a power cut: nothing is finished, nothing is reported. */
function crasher(crashAt: string | null): (point: CrashPoint) => void {
  if (crashAt === null) return () => undefined;
  const [wanted, count = '1'] = crashAt.split(':');
  let left = Number(count);
  return (point) => {
    if (point !== wanted) return;
    left -= 1;
    if (left === 0) process.kill(process.pid, 'SIGKILL');
  };
}
