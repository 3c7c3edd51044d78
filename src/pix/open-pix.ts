import { creditorSettingsService } from '#credit';
import type { Deps } from '#module';
import type { Log } from '#platform/observability/log.ts';
import { defineService } from '#platform/service.ts';
import { findNextAutopayMoment, runAutopay } from './autopay/schedule-debits.ts';
import { syncAuthorisation } from './autopay/sync-authorisation.ts';
import { createPixMetrics, type PixMetrics } from './metrics.ts';
import type { Failpoint, Pix } from './pix.ts';
import { openPspClient } from './psp/client.ts';
import { type PspClient, PspUnavailable } from './psp/index.ts';
import type { PixSettings, PspConnection } from './settings.ts';
import { findAuthorisationByIdOrRecId } from './store/authorisations.ts';

/** The running Pix module, for the sandbox module, which connects it to the PSP simulator. */
export const pixService = defineService<ReturnType<typeof openPix>>('pix');

export function openPix(deps: Deps<PixSettings>) {
  const { settings, log } = deps;
  const { pixKey, callbackSecret, receiver, timeoutMs, account, autopay } = settings;
  const metrics = createPixMetrics(deps.metrics);
  let client: PspClient | undefined;
  const psp = () => {
    if (!client) throw new PspUnavailable('unreachable', { effect: 'none', note: 'the service is starting' });
    return client;
  };
  const findAuthorisation = (id: string) => findAuthorisationByIdOrRecId(deps.db, id);
  const pix: Pix = {
    ...deps,
    metrics,
    psp,
    creditorSettings: deps.findService(creditorSettingsService)!,
    pixKey,
    account,
    autopay,
    callbackSecret,
    failpoint: createFailpoint(settings.failpoint),
  };
  return {
    ...pix,
    settings,
    connect(connection: PspConnection): void {
      client = connectPsp(connection, { receiver, timeoutMs, log, metrics });
    },
    async registerCallbacks(partnerUrl: string): Promise<void> {
      const url = buildCallbackUrl(partnerUrl, callbackSecret);
      await psp().putWebhook(pixKey, url);
      await psp().putAutopayWebhooks(url);
    },
    /** For the sandbox clock, which must stop whenever autopay has work. */
    autopaySchedule: {
      findNextMoment: (now: Date) => findNextAutopayMoment(pix, now),
      runDue: () => runAutopay(pix),
    },
    findRecId: async (authorisationId: string) => (await findAuthorisation(authorisationId))?.rec_id ?? null,
    async syncAuthorisation(authorisationId: string): Promise<void> {
      const authorisation = await findAuthorisation(authorisationId);
      if (authorisation) await syncAuthorisation(pix, authorisation);
    },
    close: () => client?.close(),
  };
}

export const buildCallbackUrl = (partnerUrl: string, callbackSecret: string): string =>
  `${partnerUrl}/psp/callback/${callbackSecret}`;

/** `setting` is 'point', or 'point:N' for the Nth time it is reached. SIGKILL simulates a power cut: no cleanup code runs. */
function createFailpoint(setting: string | null): (point: Failpoint) => void {
  if (setting === null) return () => undefined;
  const [chosenPoint, count = '1'] = setting.split(':');
  let remaining = Number(count);
  return (point) => {
    if (point !== chosenPoint) return;
    remaining -= 1;
    if (remaining === 0) process.kill(process.pid, 'SIGKILL');
  };
}

/** The deadline of a call as a multiple of the timeout of one attempt. It is short because customers wait for their code. */
const TIMEOUTS_PER_CALL = 2.5;

export function connectPsp(
  { tls, url, ...connection }: PspConnection,
  deps: Pick<PixSettings, 'receiver' | 'timeoutMs'> & { log: Log; metrics?: PixMetrics },
): PspClient {
  const { receiver, timeoutMs, log, metrics } = deps;
  return openPspClient({
    ...connection,
    baseUrl: url,
    ...(tls && { tls }),
    timeoutMs,
    callTimeoutMs: timeoutMs * TIMEOUTS_PER_CALL,
    receiver,
    log,
    ...(metrics && {
      onExchange: ({ method, route, outcome, elapsedMs }) =>
        metrics.pspSeconds.observe({ method, route, outcome }, elapsedMs / 1000),
    }),
  });
}
