import { Gauge } from 'prom-client';
import type { Metrics } from '#platform/observability/metrics.ts';

export type CustomerMetrics = ReturnType<typeof createCustomerMetrics>;

export function createCustomerMetrics(
  { registry, createCounter }: Metrics,
  countPendingHashes: () => number,
) {
  const registers = [registry];
  const tokenRefusals = createCounter(
    'token_refusals_total',
    'Requests refused for their customer token, by problem code.',
    'code',
  );
  const logins = createCounter(
    'logins_total',
    'Login attempts, by method (password, code, signup, refresh) and outcome.',
    'method',
    'outcome',
  );
  const messageCaps = createCounter(
    'message_caps_total',
    'Message caps, by cap (overall, key, network, merchant_phones) and outcome: near a cap, or message refused.',
    'cap',
    'outcome',
  );
  new Gauge({
    name: 'password_checks_under_way',
    help: 'Requests that are hashing a password or waiting to. Requests above the limit are refused.',
    registers,
    collect() {
      this.set(countPendingHashes());
    },
  });
  return { tokenRefusals, logins, messageCaps };
}
