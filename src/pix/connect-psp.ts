import type { Log } from '#platform/observability/log.ts';
import type { PixMetrics } from './metrics.ts';
import { openPspClient, type PspClient } from './psp/client.ts';
import type { PixSettings, PspConnection } from './settings.ts';

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
