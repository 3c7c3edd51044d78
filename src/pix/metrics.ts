import { Histogram } from 'prom-client';
import type { Metrics } from '#platform/observability/metrics.ts';

export type PixMetrics = ReturnType<typeof pixMetrics>;

/** Payments that are new to us. `noticedAtMs`: when a notice reported them, in real time, which the sandbox's clock is not. */
export function countSettled(metrics: PixMetrics, fresh: number, noticedAtMs: number | null = null): void {
  if (fresh === 0) return;
  metrics.settlements.inc({ heard_by: noticedAtMs === null ? 'reconciliation' : 'notice' }, fresh);
  if (noticedAtMs !== null) metrics.settlementSeconds.observe((Date.now() - noticedAtMs) / 1000);
}

export function pixMetrics({ registry, counter }: Metrics) {
  const registers = [registry];
  const charges = counter(
    'pix_charges_total',
    'Charges that were asked for, by outcome: made, found (there was one already), psp_unavailable.',
    'outcome',
  );
  const settlements = counter(
    'pix_settlements_total',
    'Payments that were applied, by how we heard of them: notice or reconciliation.',
    'heard_by',
  );
  const settlementSeconds = new Histogram({
    name: 'pix_settlement_seconds',
    help: "From the PSP's notice of a payment to its being applied.",
    buckets: [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 15, 60],
    registers,
  });
  const refunds = counter(
    'pix_refunds_total',
    'Refunds that came to an end: returned, failed (tried again), given_up (for the operator), forced (MED).',
    'outcome',
  );
  const orphans = counter('pix_orphans_total', 'Payments that belong to no charge of ours.');
  const discrepancies = counter(
    'pix_discrepancies_total',
    'What the PSP says of a charge that we cannot account for, by kind: see GET /admin/pix/discrepancies.',
    'kind',
  );
  const pspSeconds = new Histogram({
    name: 'psp_request_duration_seconds',
    help: 'Requests to the PSP, one attempt each, by route and outcome.',
    labelNames: ['method', 'route', 'outcome'] as const,
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers,
  });
  return { charges, settlements, settlementSeconds, refunds, orphans, discrepancies, pspSeconds };
}
