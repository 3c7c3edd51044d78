import { REFUNDABLE_MS } from '#core/finance/receipts.ts';
import { HOUR_MS } from '#core/values/duration.ts';
import { sum } from '#core/values/money.ts';
import { enqueueAll } from '#platform/jobs/jobs.ts';
import type { Pix } from '../pix.ts';
import type { PixPage, ReceivedPix } from '../psp/index.ts';
import { EXPIRED_AFTER_MS, IN_DOUBT_AFTER_MS, syncCharges } from '../settlement/sync-charge.ts';
import { findSweptTo, saveSweptTo } from '../store/callbacks.ts';
import {
  findCharge,
  findFirstChargeAt,
  listOurTxids,
  listTxidsToSync,
  normaliseTxid,
} from '../store/charges.ts';
import { listTxidsToRecheck } from '../store/discrepancies.ts';
import { listOpenOrphanRefunds, markOrphansReturned } from '../store/orphans.ts';
import { listPaymentOwners } from '../store/payments.ts';
import { listEndedRefunds, listOpenRefunds } from '../store/refunds.ts';
import {
  createOrphanRefundJob,
  createRefundJob,
  createSyncJobs,
  REFUND_ATTEMPTS,
  type ReportedPayment,
  SYNC_ATTEMPTS,
} from '../tasks.ts';
import { syncUnmatchedPayment } from './sync-payments.ts';

/** Limit of one run. The next run starts a minute later. */
const BATCH_SIZE = 500;
/** A PSP may book a payment slightly in the past, and clocks differ. */
const OVERLAP_MS = HOUR_MS;
const PAGE_SIZE = 500;

/** Finds refunds and charges left behind by a crash, an unavailable PSP, a missing callback or their expiry, and syncs them. */
export async function reconcile(pix: Pix): Promise<void> {
  const { db, clock } = pix;
  const now = clock.now();
  const createdBefore = new Date(now.getTime() - IN_DOUBT_AFTER_MS);
  const refunds = await listOpenRefunds(db, createdBefore, BATCH_SIZE);
  const orphans = await listOpenOrphanRefunds(db, createdBefore, BATCH_SIZE);
  const jobs = [...orphans.map(createOrphanRefundJob), ...refunds.map(createRefundJob)];
  await db.transaction((tx) => enqueueAll(tx, jobs, REFUND_ATTEMPTS));
  const txids = await listTxidsToSync(db, {
    createdBefore,
    expiredBefore: new Date(now.getTime() - EXPIRED_AFTER_MS),
    limit: BATCH_SIZE,
  });
  await syncCharges(pix, [...(await listTxidsToRecheck(db, now, BATCH_SIZE)), ...txids]);
}

/**
 * Compares all payments at the PSP since the last run, with an overlap, with ours. It needs no callback, and replaces a job that
 * was lost with its node.
 */
export async function sweep(pix: Pix): Promise<void> {
  const { db, clock, psp } = pix;
  const now = clock.now();
  const sweptTo = (await findSweptTo(db)) ?? (await findFirstChargeAt(db));
  if (!sweptTo) return;
  // The sandbox clock can be set back.
  const fromMs = Math.min(sweptTo.getTime(), now.getTime()) - OVERLAP_MS;
  const window = { from: new Date(fromMs), to: now, pageSize: PAGE_SIZE };
  for await (const page of psp().listPix(window)) await comparePayments(pix, page);
  await saveSweptTo(db, now);
}

export async function sweepRefunds(pix: Pix): Promise<void> {
  const now = pix.clock.now();
  const window = { from: new Date(now.getTime() - REFUNDABLE_MS), to: now, pageSize: PAGE_SIZE };
  for await (const page of pix.psp().listPix({ ...window, withRefund: true })) {
    await comparePayments(pix, page);
    await compareRefunds(pix, page);
  }
}

const endToEndIdOf = ({ endToEndId }: ReceivedPix) => endToEndId;

async function comparePayments(pix: Pix, { payments, unreadable }: PixPage): Promise<void> {
  const { db } = pix;
  if (unreadable.length > 0)
    pix.log.error({ unreadable: unreadable.length }, 'the PSP lists payments that cannot be parsed');
  const owners = await listPaymentOwners(db, payments.map(endToEndIdOf));
  const knownIds = new Set(owners.map(({ end_to_end_id }) => end_to_end_id));
  const newPayments = payments.filter(({ endToEndId }) => !knownIds.has(endToEndId));
  const txids = [...newPayments, ...unreadable].flatMap(({ txid }) => txid ?? []);
  const ourTxids = await listOurTxids(db, txids);
  const isOurs = (txid: string | null) => txid !== null && ourTxids.has(normaliseTxid(txid));
  const reported = [...newPayments, ...unreadable.map((entry) => ({ ...entry, paidAt: null }))]
    .filter(({ txid }) => isOurs(txid))
    .map(({ txid, endToEndId, paidAt }) => ({ txid, endToEndId, paidAt: paidAt?.toISOString() ?? null }));
  await db.transaction((tx) => enqueueAll(tx, createSyncJobs(reported), SYNC_ATTEMPTS));
  for (const received of newPayments)
    if (!isOurs(received.txid)) await syncUnmatchedPayment(pix, received.endToEndId, received);
}

async function compareRefunds({ db, clock }: Pix, { payments }: PixPage): Promise<void> {
  const fullyRefunded = payments.filter(({ amountCents, refunds }) => {
    const returned = refunds.filter(({ status }) => status === 'returned');
    return sum(returned.map((refund) => refund.amountCents)) >= amountCents;
  });
  await markOrphansReturned(db, fullyRefunded.map(endToEndIdOf), clock.now());
  const owners = await listPaymentOwners(db, payments.map(endToEndIdOf));
  const endedNames = payments.flatMap(({ endToEndId, refunds }) =>
    refunds
      .filter(({ status }) => status === 'returned' || status === 'failed')
      .map(({ id }) => `${endToEndId}/${id}`),
  );
  const customerIds = [...new Set(owners.flatMap(({ customer_id }) => customer_id ?? []))];
  const knownNames = new Set(await listEndedRefunds(db, customerIds, endedNames));
  const newNames = endedNames.filter((name) => !knownNames.has(name));
  const changedIds = new Set(newNames.map((name) => name.split('/')[0]!));
  const reported: ReportedPayment[] = [];
  for (const { end_to_end_id: endToEndId, customer_id, charge_id } of owners) {
    if (!changedIds.has(endToEndId) || customer_id === null || charge_id === null) continue;
    const charge = await findCharge(db, customer_id, charge_id);
    reported.push({ txid: charge!.txid, endToEndId, paidAt: null });
  }
  await db.transaction((tx) => enqueueAll(tx, createSyncJobs(reported), SYNC_ATTEMPTS));
}
