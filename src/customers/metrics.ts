import { Counter, Gauge } from 'prom-client';
import type { Metrics } from '#platform/metrics.ts';

export type CustomerMetrics = ReturnType<typeof customerMetrics>;

export function customerMetrics({ registry }: Metrics, loginsUnderWay: () => number) {
  const registers = [registry];
  const tokenRefusals = new Counter({
    name: 'token_refusals_total',
    help: 'Requests refused for their customer token, by problem code.',
    labelNames: ['code'] as const,
    registers,
  });
  const logins = new Counter({
    name: 'logins_total',
    help: 'Logins tried, by method (password, code, signup, refresh) and whether they succeeded.',
    labelNames: ['method', 'outcome'] as const,
    registers,
  });
  const messages = new Counter({
    name: 'messages_total',
    help: 'Attempts to send a message: sent, to be retried, or failed for good.',
    labelNames: ['outcome'] as const,
    registers,
  });
  new Gauge({
    name: 'password_checks_under_way',
    help: 'Requests that have a password hashed or wait for it. At its bound further ones are refused.',
    registers,
    collect() {
      this.set(loginsUnderWay());
    },
  });
  return { tokenRefusals, logins, messages };
}
