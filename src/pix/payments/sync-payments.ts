import { REFUNDABLE_MS } from '#core/finance/receipts.ts';
import { HOUR_MS } from '#core/values/duration.ts';
import { sum } from '#core/values/money.ts';
import { isPartialOutage } from '#platform/database/db.ts';
import { limitConcurrency, waitForAllOrThrow } from '#platform/jobs/concurrency.ts';
import { enqueueAll } from '#platform/jobs/jobs.ts';
import { countNewPayments } from '../metrics.ts';
import { EXPIRY_GRACE_MS, IN_DOUBT_AFTER_MS, type Pix } from '../pix.ts';
import { type PixPage, PspRefused, type ReceivedPix, tryPspCall } from '../psp/index.ts';
import { settlePayment, toReportedPayment } from '../settlement/settle-payment.ts';
import { syncCharge, syncCharges } from '../settlement/sync-charge.ts';
import {
  type ChargeRow,
  findCharge,
  findFirstChargeTime,
  isForCharge,
  listChargesByTxid,
  listOurTxids,
  listTxidsToSync,
  normaliseTxid,
} from '../store/charges.ts';
import { insertOrphan, listOpenOrphanRefunds, markOrphansReturned } from '../store/orphans.ts';
import {
  findLastSweepTime,
  listEndedRefunds,
  listOpenRefunds,
  listPaymentOwners,
  listTxidsToRecheck,
  type PaymentOwner,
  saveLastSweepTime,
} from '../store/payments.ts';
import {
  createOrphanRefundJob,
  createRefundJob,
  createSyncJobs,
  REFUND_ATTEMPTS,
  type ReportedPayment,
  SYNC_ATTEMPTS,
} from '../tasks.ts';
import { sendOrphanRefund } from './send-refund.ts';

const CONCURRENCY = 32;
/** A payment whose reported time differs by more than this from the median is looked up alone. */
const WINDOW_MS = 10_000;
const PAGE_SIZE = 500;
const MAX_PAGES = 4;

/**
 * Settles payments that a callback or the sweep reported. One list request reads the payments of that time from the PSP. A listed
 * payment for a charge of ours is settled. For every other reported payment the charge is read from the PSP, or the payment itself
 * if its charge is unknown. `callbackAtMs` is null if no callback reported the payments.
 */
export async function syncPayments(
  pix: Pix,
  reportedPayments: readonly ReportedPayment[],
  callbackAtMs: number | null,
): Promise<void> {
  let context: PaymentContext;
  try {
    context = await findPaymentContext(pix, reportedPayments);
  } catch (error) {
    // Some database shards are unavailable. Payments are read one by one, so that those of customers on other shards are settled.
    if (reportedPayments.length === 1 || !isPartialOutage(error)) throw error;
    return settleEach(reportedPayments, (payment) => syncPayments(pix, [payment], callbackAtMs));
  }
  await settleEach(reportedPayments, async (payment) =>
    countNewPayments(pix.metrics, await syncPayment(pix, payment, context), callbackAtMs),
  );
}

/** Settles the payments concurrently, so that those of different customers share transactions. */
function settleEach(
  payments: readonly ReportedPayment[],
  settle: (payment: ReportedPayment) => Promise<void>,
): Promise<void> {
  const runLimited = limitConcurrency(CONCURRENCY);
  return waitForAllOrThrow(payments.map((payment) => runLimited(() => settle(payment))));
}

/** `charges` is keyed by normalised txid, the other maps by end-to-end id. */
type PaymentContext = {
  readonly charges: ReadonlyMap<string, ChargeRow>;
  readonly owners: ReadonlyMap<string, PaymentOwner>;
  readonly listedPayments: ReadonlyMap<string, ReceivedPix>;
};

async function findPaymentContext(pix: Pix, payments: readonly ReportedPayment[]): Promise<PaymentContext> {
  const txids = payments.flatMap(({ txid }) => txid ?? []);
  const endToEndIds = payments.flatMap(({ endToEndId }) => endToEndId ?? []);
  const [charges, owners, listedPayments] = await Promise.all([
    listChargesByTxid(pix.db, txids),
    listPaymentOwners(pix.db, endToEndIds),
    readReportedPayments(pix, payments),
  ]);
  pix.failpoint('after-truth-read');
  return {
    charges: new Map(charges.map((charge) => [normaliseTxid(charge.txid), charge])),
    owners: new Map(owners.map((owner) => [owner.end_to_end_id, owner])),
    listedPayments,
  };
}

/**
 * Reads the PSP's list around the median of the reported times. Returns the reported payments in it, by end-to-end id; none if only one
 * is reported, because reading its charge is as cheap.
 */
async function readReportedPayments(pix: Pix, reportedPayments: readonly ReportedPayment[]) {
  const timedPayments = reportedPayments.filter(
    ({ endToEndId, paidAt }) => endToEndId !== null && paidAt !== null,
  );
  const paymentsById = new Map<string, ReceivedPix>();
  if (timedPayments.length < 2) return paymentsById;
  const times = timedPayments.map(({ paidAt }) => Date.parse(paidAt!)).toSorted((a, b) => a - b);
  const median = times[Math.floor(times.length / 2)]!;
  const nearTimes = times.filter((time) => Math.abs(time - median) <= WINDOW_MS);
  const [from, to] = [new Date(Math.min(...nearTimes)), new Date(Math.max(...nearTimes) + 1)];
  const window = { from, to, pageSize: PAGE_SIZE };
  const reportedIds = new Set(timedPayments.map(({ endToEndId }) => endToEndId));
  await tryPspCall(async () => {
    for await (const { payments, page } of pix.psp().listPix(window)) {
      for (const payment of payments)
        if (reportedIds.has(payment.endToEndId)) paymentsById.set(payment.endToEndId, payment);
      if (paymentsById.size === reportedIds.size || page + 1 >= MAX_PAGES) break;
    }
  });
  return paymentsById;
}

/** Returns the number of new payments. */
async function syncPayment(pix: Pix, { txid, endToEndId }: ReportedPayment, context: PaymentContext) {
  const charge = txid === null ? undefined : context.charges.get(normaliseTxid(txid));
  const listedPayment = endToEndId === null ? undefined : context.listedPayments.get(endToEndId);
  if (charge && listedPayment && listedPayment.txid !== null && isForCharge(charge, listedPayment))
    return settlePayment(pix, charge, listedPayment, context.owners.get(listedPayment.endToEndId));
  if (charge) return syncCharge(pix, charge, endToEndId);
  return endToEndId === null ? 0 : syncUnmatchedPayment(pix, endToEndId, listedPayment);
}

/**
 * Settles a payment without a known charge, or records it as an orphan. `listedPayment` is the payment in the PSP's list. If it
 * has no txid, the payment is read from the PSP, which may return one. Returns the number of new payments.
 */
async function syncUnmatchedPayment(pix: Pix, endToEndId: string, listedPayment?: ReceivedPix) {
  const needsLookup = listedPayment === undefined || listedPayment.txid === null;
  const foundPayment = needsLookup ? await getPixIfAllowed(pix, endToEndId) : null;
  const receivedPix = foundPayment ?? listedPayment;
  if (!receivedPix) {
    pix.log.warn({ end_to_end_id: endToEndId }, 'a callback reported a payment that the PSP does not have');
    return 0;
  }
  const charge = await findMatchingCharge(pix, receivedPix);
  if (charge) return syncCharge(pix, charge, endToEndId);
  await recordOrphan(pix, receivedPix);
  // The callback may report our refund of the orphan.
  if (receivedPix.refunds.length > 0) await sendOrphanRefund(pix, endToEndId);
  return 0;
}

/** Reads a payment by its id. Returns null if the PSP refuses such lookups; the sweep finds the payment later. */
async function getPixIfAllowed(pix: Pix, endToEndId: string): Promise<ReceivedPix | null> {
  try {
    return await pix.psp().getPix(endToEndId);
  } catch (error) {
    if (error instanceof PspRefused) return null;
    throw error;
  }
}

async function findMatchingCharge({ db }: Pix, { txid, endToEndId }: ReceivedPix) {
  const [charge] = txid === null ? [] : await listChargesByTxid(db, [txid]);
  if (charge) return charge;
  const [owner] = await listPaymentOwners(db, [endToEndId]);
  return owner?.customer_id && owner.charge_id
    ? findCharge(db, owner.customer_id, owner.charge_id)
    : undefined;
}

async function recordOrphan(pix: Pix, receivedPix: ReceivedPix): Promise<void> {
  const { endToEndId, txid, key } = receivedPix;
  // A payment to another Pix key of the same account is not ours.
  if (key !== null && key.toLowerCase() !== pix.pixKey.toLowerCase()) return;
  const orphan = { ...toReportedPayment(receivedPix), txid, found_at: pix.clock.now() };
  const isNew = await insertOrphan(pix.db, orphan);
  if (!isNew) return;
  pix.metrics.orphans.inc();
  pix.log.warn({ end_to_end_id: endToEndId, txid }, 'a payment arrived without a charge of ours');
}

/** Limit of one run. The next run starts a minute later. */
const BATCH_SIZE = 500;
/** Each sweep repeats this part of the last one: a PSP may book a payment slightly in the past, and clocks differ. */
const OVERLAP_MS = HOUR_MS;

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
    expiredBefore: new Date(now.getTime() - EXPIRY_GRACE_MS),
    limit: BATCH_SIZE,
  });
  await syncCharges(pix, [...(await listTxidsToRecheck(db, now, BATCH_SIZE)), ...txids]);
}

/** Compares the payments at the PSP since the last run with ours, to find those whose callback is missing, or whose job was lost with its node. */
export async function sweepPayments(pix: Pix): Promise<void> {
  const { db, clock, psp } = pix;
  const now = clock.now();
  const sweepStart = (await findLastSweepTime(db)) ?? (await findFirstChargeTime(db));
  if (!sweepStart) return;
  // The sandbox clock can be set back.
  const fromMs = Math.min(sweepStart.getTime(), now.getTime()) - OVERLAP_MS;
  const window = { from: new Date(fromMs), to: now, pageSize: PAGE_SIZE };
  for await (const page of psp().listPix(window)) await comparePayments(pix, page);
  await saveLastSweepTime(db, now);
}

/** Compares recent refunds at the PSP with ours. Records unknown payments first, because a refund is recorded with its payment. */
export async function sweepRefunds(pix: Pix): Promise<void> {
  const now = pix.clock.now();
  const window = { from: new Date(now.getTime() - REFUNDABLE_MS), to: now, pageSize: PAGE_SIZE };
  for await (const page of pix.psp().listPix({ ...window, withRefund: true })) {
    await comparePayments(pix, page);
    await compareRefunds(pix, page);
  }
}

const getEndToEndId = ({ endToEndId }: { endToEndId: string }) => endToEndId;

async function comparePayments(pix: Pix, { payments, unreadablePix }: PixPage): Promise<void> {
  const { db } = pix;
  if (unreadablePix.length > 0)
    pix.log.error({ unreadable: unreadablePix.length }, 'the PSP lists payments that cannot be parsed');
  const owners = await listPaymentOwners(db, payments.map(getEndToEndId));
  const knownIds = new Set(owners.map(({ end_to_end_id }) => end_to_end_id));
  const newPayments = payments.filter(({ endToEndId }) => !knownIds.has(endToEndId));
  const txids = [...newPayments, ...unreadablePix].flatMap(({ txid }) => txid ?? []);
  const ourTxids = await listOurTxids(db, txids);
  const isOurs = (txid: string | null) => txid !== null && ourTxids.has(normaliseTxid(txid));
  const reportedPayments = [...newPayments, ...unreadablePix.map((entry) => ({ ...entry, paidAt: null }))]
    .filter(({ txid }) => isOurs(txid))
    .map(({ txid, endToEndId, paidAt }) => ({ txid, endToEndId, paidAt: paidAt?.toISOString() ?? null }));
  await db.transaction((tx) => enqueueAll(tx, createSyncJobs(reportedPayments), SYNC_ATTEMPTS));
  for (const payment of newPayments)
    if (!isOurs(payment.txid)) await syncUnmatchedPayment(pix, payment.endToEndId, payment);
}

async function compareRefunds({ db, clock }: Pix, { payments }: PixPage): Promise<void> {
  const fullyRefundedPayments = payments.filter(({ amountCents, refunds }) => {
    const returnedRefunds = refunds.filter(({ status }) => status === 'returned');
    return sum(returnedRefunds.map((refund) => refund.amountCents)) >= amountCents;
  });
  await markOrphansReturned(db, fullyRefundedPayments.map(getEndToEndId), clock.now());
  const owners = await listPaymentOwners(db, payments.map(getEndToEndId));
  const endedRefunds = payments.flatMap(({ endToEndId, refunds }) =>
    refunds
      .filter(({ status }) => status === 'returned' || status === 'failed')
      .map(({ id }) => ({ endToEndId, id })),
  );
  const customerIds = [...new Set(owners.flatMap(({ customer_id }) => customer_id ?? []))];
  const storedRefunds = await listEndedRefunds(db, customerIds, endedRefunds.map(getEndToEndId));
  const storedKeys = new Set(storedRefunds.map(({ end_to_end_id, id }) => `${end_to_end_id} ${id}`));
  const newRefunds = endedRefunds.filter(({ endToEndId, id }) => !storedKeys.has(`${endToEndId} ${id}`));
  const changedPaymentIds = new Set(newRefunds.map(getEndToEndId));
  const reportedPayments: ReportedPayment[] = [];
  for (const { end_to_end_id: endToEndId, customer_id, charge_id } of owners) {
    if (!changedPaymentIds.has(endToEndId) || customer_id === null || charge_id === null) continue;
    const charge = await findCharge(db, customer_id, charge_id);
    reportedPayments.push({ txid: charge!.txid, endToEndId, paidAt: null });
  }
  await db.transaction((tx) => enqueueAll(tx, createSyncJobs(reportedPayments), SYNC_ATTEMPTS));
}
