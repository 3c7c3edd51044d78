import { Gauge } from 'prom-client';
import type { Metrics } from '#platform/observability/metrics.ts';

export type CustomerMetrics = ReturnType<typeof customerMetrics>;

export function customerMetrics({ registry, counter }: Metrics, loginsUnderWay: () => number) {
  const registers = [registry];
  const tokenRefusals = counter(
    'token_refusals_total',
    'Requests refused for their customer token, by problem code.',
    'code',
  );
  const logins = counter(
    'logins_total',
    'Logins tried, by method (password, code, signup, refresh) and whether they succeeded.',
    'method',
    'outcome',
  );
  const messageCaps = counter(
    'message_caps_total',
    'Caps on messages, by cap (overall, key, network, merchant_phones): how often one came near, and messages refused.',
    'cap',
    'outcome',
  );
  new Gauge({
    name: 'password_checks_under_way',
    help: 'Requests that have a password hashed or wait for it. At its bound further ones are refused.',
    registers,
    collect() {
      this.set(loginsUnderWay());
    },
  });
  return { tokenRefusals, logins, messageCaps };
}
