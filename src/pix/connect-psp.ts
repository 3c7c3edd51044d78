import type { Log } from '#platform/observability/log.ts';
import type { PixMetrics } from './metrics.ts';
import { openPspClient, type PspClient } from './psp/client.ts';
import type { PixSettings, PspConnection } from './settings.ts';

/**
 * The deadline of a call, as a multiple of one attempt's timeout: a customer waits for a code, and is told soon if there is none.
 */
const CALL_TIMEOUTS = 2.5;

export function connectPsp(
  { tls, url, ...connection }: PspConnection,
  parts: Pick<PixSettings, 'receiver' | 'timeoutMs'> & { log: Log; metrics?: PixMetrics },
): PspClient {
  const { receiver, timeoutMs, log, metrics } = parts;
  return openPspClient({
    ...connection,
    baseUrl: url,
    ...(tls && { tls }),
    timeoutMs,
    callTimeoutMs: timeoutMs * CALL_TIMEOUTS,
    receiver,
    log,
    ...(metrics && {
      onExchange: ({ method, route, outcome, elapsedMs }) =>
        metrics.pspSeconds.observe({ method, route, outcome }, elapsedMs / 1000),
    }),
  });
}
