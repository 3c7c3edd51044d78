import type { Log } from '#platform/log.ts';
import type { PspConnection, PspSettings } from '#platform/psp-settings.ts';
import type { PixMetrics } from './metrics.ts';
import { openPspClient, type PspClient } from './psp/index.ts';

/** A customer waits for a code: rather a clear refusal than a long silence. */
const TIMEOUT_MS = 4_000;
const PATIENCE_MS = 10_000;

export function connectPsp(
  { tls, url, ...connection }: PspConnection,
  parts: { receiver: PspSettings['receiver']; log: Log; metrics?: PixMetrics },
): PspClient {
  const { receiver, log, metrics } = parts;
  return openPspClient({
    ...connection,
    baseUrl: url,
    ...(tls && { tls }),
    ...{ timeoutMs: TIMEOUT_MS, patienceMs: PATIENCE_MS, receiver, log },
    ...(metrics && {
      onExchange: ({ method, route, outcome, elapsedMs }) =>
        metrics.pspSeconds.observe({ method, route, outcome }, elapsedMs / 1000),
    }),
  });
}
