import { HOUR_MS } from '#core/duration.ts';
import { sum } from '#core/money.ts';
import { REFUNDABLE_MS } from '#core/receipts.ts';
import { enqueueAll } from '#platform/jobs/jobs.ts';
import type { Pix } from '../pix.ts';
import type { PixPage, ReceivedPix } from '../psp/index.ts';
import { findCharge, findFirstChargeAt, listOurTxids, listTxidsToSync, txidKey } from '../store/charges.ts';
import { listTxidsToRecheck } from '../store/discrepancies.ts';
import { findSweptTo, markSweptTo } from '../store/notices.ts';
import { listOpenOrphanRefunds, markOrphansReturned } from '../store/orphans.ts';
import { listPaymentOwners } from '../store/payments.ts';
import { listKnownRefunds, listOpenRefunds } from '../store/refunds.ts';
import {
  type NamedPayment,
  orphanJob,
  REFUND_ATTEMPTS,
  refundJob,
  SYNC_ATTEMPTS,
  syncJobs,
} from '../tasks.ts';
import { EXPIRED_AFTER_MS, IN_DOUBT_AFTER_MS } from './sync-charge.ts';
import { syncCharges } from './sync-charges.ts';
import { syncUnknown } from './sync-payments.ts';

/** The most that one run handles; the next is a minute away. */
const BATCH_SIZE = 500;
/** A PSP may book a payment slightly in the past, and clocks differ. */
const OVERLAP_MS = HOUR_MS;
const PAGE_SIZE = 500;

/** Finds what a crash, an unavailable PSP, a missing notice or time left behind, and syncs it. */
export async function reconcile(pix: Pix): Promise<void> {
  const { db, clock } = pix;
  const now = clock.now();
  const doubtfulBefore = new Date(now.getTime() - IN_DOUBT_AFTER_MS);
  const refunds = await listOpenRefunds(db, doubtfulBefore, BATCH_SIZE);
  const orphans = await listOpenOrphanRefunds(db, doubtfulBefore, BATCH_SIZE);
  const jobs = [...orphans.map(orphanJob), ...refunds.map(refundJob)];
  await db.transaction((tx) => enqueueAll(tx, jobs, REFUND_ATTEMPTS));
  const txids = await listTxidsToSync(db, {
    doubtfulBefore,
    expiredBefore: new Date(now.getTime() - EXPIRED_AFTER_MS),
    limit: BATCH_SIZE,
  });
  await syncCharges(pix, [...(await listTxidsToRecheck(db, now, BATCH_SIZE)), ...txids]);
}

/**
 * Compares all payments since the last run, with an overlap, with what we know. It needs no notice, and makes up for a job that
 * died with its node.
 */
export async function sweep(pix: Pix): Promise<void> {
  const { db, clock, psp } = pix;
  const now = clock.now();
  const sweptTo = (await findSweptTo(db)) ?? (await findFirstChargeAt(db));
  if (!sweptTo) return;
  // The sandbox's clock can be set back.
  const fromMs = Math.min(sweptTo.getTime(), now.getTime()) - OVERLAP_MS;
  const window = { from: new Date(fromMs), to: now, pageSize: PAGE_SIZE };
  for await (const page of psp().listPix(window)) await comparePayments(pix, page);
  await markSweptTo(db, now);
}

/** The same for refunds, which may come weeks after the payment. */
export async function sweepRefunds(pix: Pix): Promise<void> {
  const now = pix.clock.now();
  const window = { from: new Date(now.getTime() - REFUNDABLE_MS), to: now, pageSize: PAGE_SIZE };
  for await (const page of pix.psp().listPix({ ...window, withRefund: true })) {
    await comparePayments(pix, page);
    await compareRefunds(pix, page);
  }
}

const idOf = ({ endToEndId }: ReceivedPix) => endToEndId;

async function comparePayments(pix: Pix, { payments, unreadable }: PixPage): Promise<void> {
  const { db } = pix;
  if (unreadable.length > 0)
    pix.log.error({ unreadable: unreadable.length }, 'the PSP lists payments that cannot be read');
  const owners = await listPaymentOwners(db, payments.map(idOf));
  const known = new Set(owners.map(({ end_to_end_id }) => end_to_end_id));
  const fresh = payments.filter(({ endToEndId }) => !known.has(endToEndId));
  const txids = [...fresh, ...unreadable].flatMap(({ txid }) => txid ?? []);
  const ours = await listOurTxids(db, txids);
  const isOurs = (txid: string | null) => txid !== null && ours.has(txidKey(txid));
  const named = [...fresh, ...unreadable.map((entry) => ({ ...entry, paidAt: null }))]
    .filter(({ txid }) => isOurs(txid))
    .map(({ txid, endToEndId, paidAt }) => ({ txid, endToEndId, paidAt: paidAt?.toISOString() ?? null }));
  await db.transaction((tx) => enqueueAll(tx, syncJobs(named), SYNC_ATTEMPTS));
  for (const received of fresh)
    if (!isOurs(received.txid)) await syncUnknown(pix, received.endToEndId, received);
}

async function compareRefunds({ db, clock }: Pix, { payments }: PixPage): Promise<void> {
  const gone = payments.filter(({ amountCents, refunds }) => {
    const returned = refunds.filter(({ status }) => status === 'returned');
    return sum(returned.map((refund) => refund.amountCents)) >= amountCents;
  });
  await markOrphansReturned(db, gone.map(idOf), clock.now());
  const owners = await listPaymentOwners(db, payments.map(idOf));
  const ended = payments.flatMap(({ endToEndId, refunds }) =>
    refunds
      .filter(({ status }) => status === 'returned' || status === 'failed')
      .map(({ id }) => `${endToEndId}/${id}`),
  );
  const customers = owners.flatMap(({ customer_id }) => customer_id ?? []);
  const known = new Set(await listKnownRefunds(db, [...new Set(customers)], ended));
  const changed = new Set(ended.filter((name) => !known.has(name)).map((name) => name.split('/')[0]!));
  const named: NamedPayment[] = [];
  for (const { end_to_end_id: endToEndId, customer_id, charge_id } of owners) {
    if (!changed.has(endToEndId) || customer_id === null || charge_id === null) continue;
    const charge = await findCharge(db, customer_id, charge_id);
    named.push({ txid: charge!.txid, endToEndId, paidAt: null });
  }
  await db.transaction((tx) => enqueueAll(tx, syncJobs(named), SYNC_ATTEMPTS));
}
