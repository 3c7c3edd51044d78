import type { Log } from '../observability/log.ts';
import type { Metrics } from '../observability/metrics.ts';

const SLOW_MS = 1_000;

export type Answered = {
  id: string;
  method: string;
  /** The pattern, never the address: addresses contain search terms. */
  route: string;
  status: number;
  elapsedMs: number;
  caller: { partnerId: string; keyId: string } | null;
};

/** Counts every request. Failed, changing and slow requests are logged, others at level debug. */
export function report(
  { name, metrics, log }: { name: string; metrics: Metrics; log: Log },
  { id, method, route, status, elapsedMs, caller }: Answered,
): void {
  metrics.requests.count(name, method, route, status, elapsedMs / 1000);
  const reads = method === 'GET' || method === 'HEAD' || method === 'OPTIONS';
  const level = status >= 400 || elapsedMs >= SLOW_MS || !reads ? 'info' : 'debug';
  if (!log.isLevelEnabled(level)) return;
  const ms = Math.round(elapsedMs * 100) / 100;
  const line = { request_id: id, door: name, method, route, status, ms };
  log[level]({ ...line, partner: caller?.partnerId, key: caller?.keyId }, 'request');
}
