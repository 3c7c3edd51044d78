import type { Log } from '../observability/log.ts';
import type { Metrics } from '../observability/metrics.ts';

const SLOW_REQUEST_MS = 1_000;

export type HandledRequest = {
  id: string;
  method: string;
  /** The URL pattern, never the URL: URLs contain search terms. */
  route: string;
  status: number;
  elapsedMs: number;
  caller: { partnerId: string; keyId: string } | null;
};

/** Counts a request in the metrics. Failed, writing and slow requests are logged at level info, others at level debug. */
export function recordRequest(
  { name, metrics, log }: { name: string; metrics: Metrics; log: Log },
  { id, method, route, status, elapsedMs, caller }: HandledRequest,
): void {
  metrics.requests.observe(name, method, route, status, elapsedMs / 1000);
  const isRead = method === 'GET' || method === 'HEAD' || method === 'OPTIONS';
  const level = status >= 400 || elapsedMs >= SLOW_REQUEST_MS || !isRead ? 'info' : 'debug';
  if (!log.isLevelEnabled(level)) return;
  const ms = Math.round(elapsedMs * 100) / 100;
  const logFields = { request_id: id, door: name, method, route, status, ms };
  log[level]({ ...logFields, partner: caller?.partnerId, key: caller?.keyId }, 'request');
}
