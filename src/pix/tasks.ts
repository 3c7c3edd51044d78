import { createHash } from 'node:crypto';

/** Brings a charge in line with what the PSP says of it: payments, refunds, expiry, removal. */
export const SYNC_CHARGE = 'pix_sync_charge';
/** The same for payments that one notice, or the sweep, names together. */
export const SYNC_NOTICED = 'pix_sync_noticed';
/** Looks at a payment of which we know only the end-to-end id. */
export const SYNC_PAYMENT = 'pix_sync_payment';
/** Takes the cancelled charges of an installment out of circulation at the PSP. */
export const REMOVE_CHARGES = 'pix_remove_charges';
/** Sends money back. */
export const REFUND = 'pix_refund';
/** Sends money back that belongs to no charge of ours, as the operator said. */
export const REFUND_ORPHAN = 'pix_refund_orphan';
/** Finds what was left behind. */
export const RECONCILE = 'pix_reconcile';
/** Finds money that nobody told us of. */
export const SWEEP = 'pix_sweep';
/** Finds money that went back without a word. */
export const SWEEP_REFUNDS = 'pix_sweep_refunds';

/** Over about two days, later and later; reconciliation goes on after that. */
export const SYNC_ATTEMPTS = 12;
export const REFUND_ATTEMPTS = 12;

/** How many one job takes up. */
const MOST_IN_JOB = 100;

type Job = { task: string; payload: Record<string, string>; key: string };

/**
 * `endToEndId`: a payment that is said to be for it, and `paidAt` when it is said to have arrived. However often it is asked for,
 * one waits.
 */
export const syncJob = (
  txid: string,
  {
    endToEndId,
    paidAt,
    noticedAt = '',
  }: { endToEndId?: string | null; paidAt?: Date | null; noticedAt?: string } = {},
): Job => ({
  task: SYNC_CHARGE,
  payload: {
    txid,
    end_to_end_id: endToEndId ?? '',
    noticed_at: noticedAt,
    paid_at: paidAt?.toISOString() ?? '',
  },
  key: `${SYNC_CHARGE} ${txid} ${endToEndId ?? ''}`,
});

type NamedPayment = { txid: string; endToEndId: string | null; paidAt: Date | null };

/**
 * Jobs for payments that are named together: one for many of them, by charge where it is not said when it was paid. A job that is
 * done again, because of one that failed, finds the others known.
 */
export function syncJobs(named: readonly NamedPayment[], noticedAt = ''): Job[] {
  const isTimed = ({ endToEndId, paidAt }: NamedPayment) => endToEndId !== null && paidAt !== null;
  const timed = named.filter(isTimed);
  const alone = timed.length > 1 ? named.filter((payment) => !isTimed(payment)) : named;
  const jobs = alone.map(({ txid, ...payment }) => syncJob(txid, { ...payment, noticedAt }));
  for (let i = 0; timed.length > 1 && i < timed.length; i += MOST_IN_JOB) {
    const payments = JSON.stringify(timed.slice(i, i + MOST_IN_JOB));
    const key = `${SYNC_NOTICED} ${createHash('sha256').update(payments).digest('base64url')}`;
    jobs.push({ task: SYNC_NOTICED, payload: { payments, noticed_at: noticedAt }, key });
  }
  return jobs;
}

export const syncPaymentJob = (endToEndId: string): Job => ({
  task: SYNC_PAYMENT,
  payload: { end_to_end_id: endToEndId },
  key: `${SYNC_PAYMENT} ${endToEndId}`,
});

/** Both sweeps, before their time comes. */
export const SWEEP_JOBS: Job[] = [SWEEP, SWEEP_REFUNDS].map((task) => ({
  task,
  payload: {},
  key: `${task} now`,
}));

export const orphanJob = (endToEndId: string): Job => ({
  task: REFUND_ORPHAN,
  payload: { end_to_end_id: endToEndId },
  key: `${REFUND_ORPHAN} ${endToEndId}`,
});

export const refundJob = ({
  customer_id,
  end_to_end_id,
  id,
}: {
  customer_id: string;
  end_to_end_id: string;
  id: string;
}): Job => ({ task: REFUND, payload: { customer_id, end_to_end_id, id }, key: `${REFUND} ${id}` });
