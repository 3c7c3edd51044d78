import { createHash } from 'node:crypto';
import type { Job } from '#platform/jobs/jobs.ts';

declare module '#platform/jobs/jobs.ts' {
  interface JobPayloads {
    /** Reads payments from the PSP, and settles them. `noticed_at_ms`: when a notice told of them, in real time. */
    pix_sync: { payments: NamedPayment[]; noticed_at_ms: number | null };
    /** Takes the cancelled charges of an installment out of circulation at the PSP. */
    pix_remove_charges: { customer_id: string; installment_id: string };
    /** Sends money back. */
    pix_refund: { customer_id: string; end_to_end_id: string; id: string };
    /** Sends money back that belongs to no charge of ours, as the operator said. */
    pix_refund_orphan: { end_to_end_id: string };
    /** Finds what was left behind. */
    pix_reconcile: NoPayload;
    /** Finds money that nobody told us of. */
    pix_sweep: NoPayload;
    /** Finds money that went back, and nobody told us. */
    pix_sweep_refunds: NoPayload;
  }
}

/** What is said of a payment, or only for which charge: names, and when it is said to have arrived. Nothing of it is believed. */
export type NamedPayment = { txid: string | null; endToEndId: string | null; paidAt: string | null };

/** Over about two days, later and later; reconciliation goes on after that. */
export const SYNC_ATTEMPTS = 12;
export const REFUND_ATTEMPTS = 12;

/** Payments that one job reads and settles together. */
const MOST_IN_JOB = 100;

/** A job for many payments. One that is done again, because of some that failed, finds the others known. */
export function syncJobs(
  named: readonly NamedPayment[],
  noticedAtMs: number | null = null,
): Job<'pix_sync'>[] {
  const jobs: Job<'pix_sync'>[] = [];
  for (let i = 0; i < named.length; i += MOST_IN_JOB) {
    const payments = named.slice(i, i + MOST_IN_JOB);
    const digest = createHash('sha256').update(JSON.stringify(payments)).digest('base64url');
    jobs.push({
      task: 'pix_sync',
      payload: { payments, noticed_at_ms: noticedAtMs },
      key: `pix_sync ${digest}`,
    });
  }
  return jobs;
}

/** For one charge, and a payment that is said to be for it. */
export const syncJob = (txid: string, endToEndId: string | null = null): Job<'pix_sync'> =>
  syncJobs([{ txid, endToEndId, paidAt: null }])[0]!;

/** Both sweeps, before their time comes. */
export const SWEEP_JOBS: Job[] = [
  { task: 'pix_sweep', payload: {}, key: 'pix_sweep now' },
  { task: 'pix_sweep_refunds', payload: {}, key: 'pix_sweep_refunds now' },
];

export const orphanJob = (endToEndId: string): Job => ({
  task: 'pix_refund_orphan',
  payload: { end_to_end_id: endToEndId },
  key: `pix_refund_orphan ${endToEndId}`,
});

export const refundJob = ({
  customer_id,
  end_to_end_id,
  id,
}: Job<'pix_refund'>['payload']): Job<'pix_refund'> => ({
  task: 'pix_refund',
  payload: { customer_id, end_to_end_id, id },
  key: `pix_refund ${id}`,
});
