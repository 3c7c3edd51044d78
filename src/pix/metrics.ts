import { Histogram } from 'prom-client';
import type { Metrics } from '#platform/observability/metrics.ts';

export type PixMetrics = ReturnType<typeof createPixMetrics>;

/** Counts newly settled payments. `callbackAtMs`: when a callback reported them, in real time; null if none did. */
export function countNewPayments(
  metrics: PixMetrics,
  newPaymentCount: number,
  callbackAtMs: number | null = null,
) {
  if (newPaymentCount === 0) return;
  metrics.settlements.inc({ heard_by: callbackAtMs === null ? 'reconciliation' : 'notice' }, newPaymentCount);
  if (callbackAtMs !== null) metrics.settlementSeconds.observe((Date.now() - callbackAtMs) / 1000);
}

export function createPixMetrics({ registry, createCounter }: Metrics) {
  const registers = [registry];
  const charges = createCounter(
    'pix_charges_total',
    'Requested charges, by outcome: made (created), found (an existing one was returned), psp_unavailable.',
    'outcome',
  );
  const settlements = createCounter(
    'pix_settlements_total',
    'Settled payments, by how they were reported: notice (callback) or reconciliation.',
    'heard_by',
  );
  const settlementSeconds = new Histogram({
    name: 'pix_settlement_seconds',
    help: "Seconds from the PSP's callback of a payment to its settlement.",
    buckets: [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 15, 60],
    registers,
  });
  const refunds = createCounter(
    'pix_refunds_total',
    'Ended refunds, by outcome: returned, failed (retried), given_up (needs the operator), forced (chargeback).',
    'outcome',
  );
  const orphans = createCounter('pix_orphans_total', 'Payments without a charge of ours.');
  const discrepancies = createCounter(
    'pix_discrepancies_total',
    'Reports of the PSP about charges that cannot be reconciled, by kind: see GET /admin/pix/discrepancies.',
    'kind',
  );
  const pspSeconds = new Histogram({
    name: 'psp_request_duration_seconds',
    help: 'Duration of each request attempt to the PSP, by route and outcome.',
    labelNames: ['method', 'route', 'outcome'] as const,
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers,
  });
  return { charges, settlements, settlementSeconds, refunds, orphans, discrepancies, pspSeconds };
}
