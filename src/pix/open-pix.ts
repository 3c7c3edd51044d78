import { lenderService } from '#credit';
import type { Deps } from '#module';
import { service } from '#platform/service.ts';
import { nextAutopayMoment, runAutopay } from './autopay/autopay-jobs.ts';
import { syncAuthorisation } from './autopay/sync-authorisation.ts';
import { connectPsp } from './connect-psp.ts';
import { pixMetrics } from './metrics.ts';
import type { CrashPoint, Pix } from './pix.ts';
import { type PspClient, PspUnavailable } from './psp/index.ts';
import type { PixSettings, PspConnection } from './settings.ts';
import { findAnyAuthorisation } from './store/authorisations.ts';

/** The PIX side of a running node, for the module that provides its PSP. */
export const pixService = service<ReturnType<typeof openPix>>('pix');

export function openPix(deps: Deps<PixSettings>) {
  const { settings, log } = deps;
  const { pixKey, callbackSecret, receiver, timeoutMs, account, autopay } = settings;
  const metrics = pixMetrics(deps.metrics);
  let client: PspClient | undefined;
  const psp = () => {
    if (!client) throw new PspUnavailable('unreachable', 'none', { note: 'the service is starting' });
    return client;
  };
  const find = (id: string) => findAnyAuthorisation(deps.db, id);
  const pix: Pix = {
    ...deps,
    metrics,
    psp,
    lender: deps.find(lenderService)!,
    key: pixKey,
    account,
    autopay,
    callbackSecret,
    crash: crasher(settings.crashAt),
  };
  return {
    ...pix,
    settings,
    /** Sets the PSP: the address of a simulator is known only after the service has started. */
    connect(connection: PspConnection): void {
      client = connectPsp(connection, { receiver, timeoutMs, log, metrics });
    },
    /** Registers this front door as the webhook of the PSP. */
    async register(frontUrl: string): Promise<void> {
      const url = callbackUrl(frontUrl, callbackSecret);
      await psp().putWebhook(pixKey, url);
      await psp().putAutopayWebhooks(url);
    },
    /** For a clock that jumps: when debits need something done next, and doing it. */
    debits: {
      nextMoment: (now: Date) => nextAutopayMoment(pix, now),
      run: () => runAutopay(pix),
    },
    /** What the PSP calls an authorisation. */
    findRecId: async (authorisationId: string) => (await find(authorisationId))?.rec_id ?? null,
    /** Reads an authorisation from the PSP now. */
    async syncAuthorisation(authorisationId: string): Promise<void> {
      const authorisation = await find(authorisationId);
      if (authorisation) await syncAuthorisation(pix, authorisation);
    },
    close: () => client?.close(),
  };
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
