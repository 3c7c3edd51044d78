import { Counter, Histogram } from 'prom-client';
import type { Metrics } from '#platform/metrics.ts';

export type PixMetrics = ReturnType<typeof pixMetrics>;

export function pixMetrics({ registry }: Metrics) {
  const registers = [registry];
  const charges = new Counter({
    name: 'pix_charges_total',
    help: 'Charges that were asked for, by outcome: made, found (there was one already), psp_unavailable.',
    labelNames: ['outcome'] as const,
    registers,
  });
  const settlements = new Counter({
    name: 'pix_settlements_total',
    help: 'Payments that were applied, by how we heard of them: notice or reconciliation.',
    labelNames: ['heard_by'] as const,
    registers,
  });
  const settlementSeconds = new Histogram({
    name: 'pix_settlement_seconds',
    help: "From the PSP's notice of a payment to its being applied.",
    buckets: [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 15, 60],
    registers,
  });
  const refunds = new Counter({
    name: 'pix_refunds_total',
    help: 'Refunds that came to an end: returned, failed (tried again), given_up (for the operator), forced (MED).',
    labelNames: ['outcome'] as const,
    registers,
  });
  const orphans = new Counter({
    name: 'pix_orphans_total',
    help: 'Payments that belong to no charge of ours.',
    registers,
  });
  const discrepancies = new Counter({
    name: 'pix_discrepancies_total',
    help: 'What the PSP says of a charge that we cannot account for, by kind: see GET /admin/pix/discrepancies.',
    labelNames: ['kind'] as const,
    registers,
  });
  const pspSeconds = new Histogram({
    name: 'psp_request_duration_seconds',
    help: 'Requests to the PSP, one attempt each, by route and outcome.',
    labelNames: ['method', 'route', 'outcome'] as const,
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers,
  });
  return { charges, settlements, settlementSeconds, refunds, orphans, discrepancies, pspSeconds };
}
