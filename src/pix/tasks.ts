import { createHash } from 'node:crypto';
import type { Job } from '#platform/jobs/jobs.ts';
import type { RefundKey } from './store/refunds.ts';

declare module '#platform/jobs/jobs.ts' {
  interface JobPayloads {
    /** Reads payments from the PSP, and settles them. `noticed_at_ms`: when a notice reported them, in real time. */
    pix_sync: { payments: NamedPayment[]; noticed_at_ms: number | null };
    /** Removes the cancelled charges of an installment at the PSP. */
    pix_remove_charges: { customer_id: string; installment_id: string };
    pix_refund: RefundKey;
    /** Refunds money that belongs to no charge of ours, on the operator's order. */
    pix_refund_orphan: { end_to_end_id: string };
    /** Reads an authorisation from the PSP. */
    pix_sync_authorisation: { rec_id: string };
    /** Asks for debits that are due, and about those that no notice reported. */
    pix_autopay: NoPayload;
    /** Finds what was left behind. */
    pix_reconcile: NoPayload;
    pix_sweep: NoPayload;
    /** Finds refunds and chargebacks that were not reported. */
    pix_sweep_refunds: NoPayload;
  }
}

/**
 * What a notice says about a payment, or only about its charge: names, and when it is said to have arrived. None of it is
 * trusted.
 */
export type NamedPayment = { txid: string | null; endToEndId: string | null; paidAt: string | null };

/** The retry budget is about two days, with backoff; reconciliation continues after that. */
export const SYNC_ATTEMPTS = 12;
export const REFUND_ATTEMPTS = 12;

/** Payments that one job reads and settles together. */
const MOST_IN_JOB = 100;

/** A job for many payments. Retried because some failed, it finds the others settled. */
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

/** Runs both sweeps ahead of schedule. */
export const SWEEP_JOBS: Job[] = [
  { task: 'pix_sweep', payload: {}, key: 'pix_sweep now' },
  { task: 'pix_sweep_refunds', payload: {}, key: 'pix_sweep_refunds now' },
];

/** For the authorisations that a notice names. */
export const authorisationJobs = (recIds: readonly string[]): Job<'pix_sync_authorisation'>[] =>
  recIds.map((rec_id) => ({
    task: 'pix_sync_authorisation',
    payload: { rec_id },
    key: `pix_sync_authorisation ${rec_id}`,
  }));

export const AUTOPAY_JOB: Job<'pix_autopay'> = { task: 'pix_autopay', payload: {}, key: 'pix_autopay now' };

export const orphanJob = (endToEndId: string): Job => ({
  task: 'pix_refund_orphan',
  payload: { end_to_end_id: endToEndId },
  key: `pix_refund_orphan ${endToEndId}`,
});

export const refundJob = ({ customer_id, end_to_end_id, id }: RefundKey): Job<'pix_refund'> => ({
  task: 'pix_refund',
  payload: { customer_id, end_to_end_id, id },
  key: `pix_refund ${id}`,
});
