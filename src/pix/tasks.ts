import { createHash } from 'node:crypto';
import type { Job } from '#platform/jobs/jobs.ts';
import type { RefundKey } from './store/payments.ts';

declare module '#platform/jobs/jobs.ts' {
  interface JobPayloads {
    /** Reads payments from the PSP, and settles them. `noticed_at_ms`: when a callback reported them, in real time; null if none did. */
    pix_sync: { payments: ReportedPayment[]; noticed_at_ms: number | null };
    /** Removes the cancelled charges of an installment at the PSP. */
    pix_remove_charges: { customer_id: string; installment_id: string };
    pix_refund: RefundKey;
    pix_refund_orphan: { end_to_end_id: string };
    pix_sync_authorisation: { rec_ids: readonly string[] };
    /** Requests debits that are due, and reads from the PSP what no callback reported. */
    pix_autopay: NoPayload;
    /** Syncs charges and refunds that were left behind. */
    pix_reconcile: NoPayload;
    /** Finds payments that were not reported. */
    pix_sweep: NoPayload;
    /** Finds refunds and chargebacks that were not reported. */
    pix_sweep_refunds: NoPayload;
  }
}

/** The ids of a payment, or only of its charge, and when it arrived, as a callback reports. None of it is trusted. */
export type ReportedPayment = { txid: string | null; endToEndId: string | null; paidAt: string | null };

/** With backoff these attempts take about two days. Reconciliation continues after that. */
export const SYNC_ATTEMPTS = 12;
export const REFUND_ATTEMPTS = 12;

/** Limit of payments that one job reads and settles together. */
const MAX_PAYMENTS_PER_JOB = 100;

/** Computes the key of a job from its input, which may be too long for a key. */
const computeDigest = (input: object): string =>
  createHash('sha256').update(JSON.stringify(input)).digest('base64url');

/** Creates jobs that sync up to a hundred payments each. A retry after a partial failure finds the other payments settled. */
export function createSyncJobs(
  reportedPayments: readonly ReportedPayment[],
  callbackAtMs: number | null = null,
) {
  const jobs: Job<'pix_sync'>[] = [];
  for (let i = 0; i < reportedPayments.length; i += MAX_PAYMENTS_PER_JOB) {
    const payments = reportedPayments.slice(i, i + MAX_PAYMENTS_PER_JOB);
    jobs.push({
      task: 'pix_sync',
      payload: { payments, noticed_at_ms: callbackAtMs },
      key: `pix_sync ${computeDigest(payments)}`,
    });
  }
  return jobs;
}

/** Creates a job for one charge, and optionally for a payment that was reported for it. */
export const createSyncJob = (txid: string, endToEndId: string | null = null): Job<'pix_sync'> =>
  createSyncJobs([{ txid, endToEndId, paidAt: null }])[0]!;

/** Jobs that run both sweeps ahead of schedule. */
export const SWEEP_JOBS: Job[] = [
  { task: 'pix_sweep', payload: {}, key: 'pix_sweep now' },
  { task: 'pix_sweep_refunds', payload: {}, key: 'pix_sweep_refunds now' },
];

/** Limit of authorisations that one job reads and updates together. */
const MAX_AUTHORISATIONS_PER_JOB = 20;

export function createAuthorisationJobs(recIds: readonly string[]): Job<'pix_sync_authorisation'>[] {
  const jobs: Job<'pix_sync_authorisation'>[] = [];
  for (let i = 0; i < recIds.length; i += MAX_AUTHORISATIONS_PER_JOB) {
    const rec_ids = recIds.slice(i, i + MAX_AUTHORISATIONS_PER_JOB);
    const key = `pix_sync_authorisation ${computeDigest(rec_ids)}`;
    jobs.push({ task: 'pix_sync_authorisation', payload: { rec_ids }, key });
  }
  return jobs;
}

export const AUTOPAY_JOB: Job<'pix_autopay'> = { task: 'pix_autopay', payload: {}, key: 'pix_autopay now' };

export const createOrphanRefundJob = (endToEndId: string): Job => ({
  task: 'pix_refund_orphan',
  payload: { end_to_end_id: endToEndId },
  key: `pix_refund_orphan ${endToEndId}`,
});

export const createRefundJob = ({ customer_id, end_to_end_id, id }: RefundKey): Job<'pix_refund'> => ({
  task: 'pix_refund',
  payload: { customer_id, end_to_end_id, id },
  key: `pix_refund ${id}`,
});
