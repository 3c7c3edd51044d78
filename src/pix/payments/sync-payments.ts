import { isPartialOutage } from '#platform/database/db.ts';
import { limitConcurrency, waitForAllOrThrow } from '#platform/jobs/concurrency.ts';
import { countNewPayments } from '../metrics.ts';
import { sendOrphanRefund } from '../orphans/send-orphan-refund.ts';
import type { Pix } from '../pix.ts';
import { getIfReadable, PspRefused, type ReceivedPix } from '../psp/index.ts';
import { settlePayment } from '../settlement/settle-payment.ts';
import { syncCharge } from '../settlement/sync-charge.ts';
import {
  type ChargeRow,
  findCharge,
  isForCharge,
  listChargesByTxid,
  normaliseTxid,
} from '../store/charges.ts';
import { insertOrphan } from '../store/orphans.ts';
import { listPaymentOwners, type PaymentOwner } from '../store/payments.ts';
import type { ReportedPayment } from '../tasks.ts';

const CONCURRENCY = 32;
/** A payment whose reported time is further from the median than this is looked up alone. */
const WINDOW_MS = 10_000;
const PAGE_SIZE = 500;
const MAX_PAGES = 4;

/**
 * Settles payments that a callback or the sweep reported. They are read from the PSP with one list request for the time in which
 * they arrived. A payment in that list is settled if it is for a charge of ours. For each other payment, the charge is read from
 * the PSP, or only the payment if its charge is unknown.
 */
export async function syncPayments(
  pix: Pix,
  reported: readonly ReportedPayment[],
  callbackAtMs: number | null,
): Promise<void> {
  let context: PaymentContext;
  try {
    context = await findPaymentContext(pix, reported);
  } catch (error) {
    // Some database shards are unavailable: the payments of the other customers are settled.
    if (reported.length === 1 || !isPartialOutage(error)) throw error;
    return settleEach(reported, (payment) => syncPayments(pix, [payment], callbackAtMs));
  }
  await settleEach(reported, async (payment) =>
    countNewPayments(pix.metrics, await syncPayment(pix, payment, context), callbackAtMs),
  );
}

/** Runs concurrently, so that payments of different customers share transactions. */
function settleEach(
  reported: readonly ReportedPayment[],
  settle: (payment: ReportedPayment) => Promise<void>,
): Promise<void> {
  const limit = limitConcurrency(CONCURRENCY);
  return waitForAllOrThrow(reported.map((payment) => limit(() => settle(payment))));
}

/** `charges` is keyed by normalised txid, the other maps by end-to-end id. */
type PaymentContext = {
  readonly charges: ReadonlyMap<string, ChargeRow>;
  readonly owners: ReadonlyMap<string, PaymentOwner>;
  readonly listed: ReadonlyMap<string, ReceivedPix>;
};

async function findPaymentContext(pix: Pix, reported: readonly ReportedPayment[]): Promise<PaymentContext> {
  const txids = reported.flatMap(({ txid }) => txid ?? []);
  const endToEndIds = reported.flatMap(({ endToEndId }) => endToEndId ?? []);
  const [charges, owners, listed] = await Promise.all([
    listChargesByTxid(pix.db, txids),
    listPaymentOwners(pix.db, endToEndIds),
    listReceived(pix, reported),
  ]);
  pix.failpoint('after-truth-read');
  return {
    charges: new Map(charges.map((charge) => [normaliseTxid(charge.txid), charge])),
    owners: new Map(owners.map((owner) => [owner.end_to_end_id, owner])),
    listed,
  };
}

/** Lists payments at the PSP around the median of the reported times. For a single payment, reading its charge is as cheap. */
async function listReceived(pix: Pix, reported: readonly ReportedPayment[]) {
  const timed = reported.filter(({ endToEndId, paidAt }) => endToEndId !== null && paidAt !== null);
  const found = new Map<string, ReceivedPix>();
  if (timed.length < 2) return found;
  const times = timed.map(({ paidAt }) => Date.parse(paidAt!)).toSorted((a, b) => a - b);
  const median = times[times.length >> 1]!;
  const near = times.filter((time) => Math.abs(time - median) <= WINDOW_MS);
  const window = { from: new Date(near[0]!), to: new Date(near.at(-1)! + 1), pageSize: PAGE_SIZE };
  const wantedIds = new Set(timed.map(({ endToEndId }) => endToEndId));
  await getIfReadable(async () => {
    for await (const { payments, page } of pix.psp().listPix(window)) {
      for (const payment of payments)
        if (wantedIds.has(payment.endToEndId)) found.set(payment.endToEndId, payment);
      if (found.size === wantedIds.size || page + 1 >= MAX_PAGES) break;
    }
  });
  return found;
}

/** Returns the number of new payments. */
async function syncPayment(pix: Pix, { txid, endToEndId }: ReportedPayment, context: PaymentContext) {
  const charge = txid === null ? undefined : context.charges.get(normaliseTxid(txid));
  const listed = endToEndId === null ? undefined : context.listed.get(endToEndId);
  if (charge && listed && listed.txid !== null && isForCharge(charge, listed))
    return settlePayment(pix, charge, listed, context.owners.get(listed.endToEndId));
  if (charge) return syncCharge(pix, charge, endToEndId);
  return endToEndId === null ? 0 : syncUnmatchedPayment(pix, endToEndId, listed);
}

/**
 * Settles a payment without a known charge, or records it as an orphan. `listed` is its entry in the PSP's list. If that has no
 * txid, the payment is read from the PSP, which may return one. Returns the number of new payments.
 */
export async function syncUnmatchedPayment(pix: Pix, endToEndId: string, listed?: ReceivedPix) {
  // A PSP may not allow lookups by id: the sweep finds the payment in that case.
  const getReceived = () =>
    pix
      .psp()
      .getPix(endToEndId)
      .catch((error: unknown) => {
        if (!(error instanceof PspRefused)) throw error;
      });
  const received = listed && listed.txid !== null ? listed : ((await getReceived()) ?? listed);
  if (!received) {
    pix.log.warn({ end_to_end_id: endToEndId }, 'a callback reported a payment that the PSP does not have');
    return 0;
  }
  const charge = await findMatchingCharge(pix, received);
  if (charge) return syncCharge(pix, charge, endToEndId);
  await recordOrphan(pix, received);
  // The callback may report our refund of the orphan.
  if (received.refunds.length > 0) await sendOrphanRefund(pix, endToEndId);
  return 0;
}

async function findMatchingCharge({ db }: Pix, { txid, endToEndId }: ReceivedPix) {
  const [charge] = txid === null ? [] : await listChargesByTxid(db, [txid]);
  if (charge) return charge;
  const [owner] = await listPaymentOwners(db, [endToEndId]);
  return owner?.customer_id && owner.charge_id
    ? findCharge(db, owner.customer_id, owner.charge_id)
    : undefined;
}

async function recordOrphan(pix: Pix, received: ReceivedPix): Promise<void> {
  const { endToEndId, txid, amountCents, paidAt, key } = received;
  // A payment to another Pix key of the same account is not ours.
  if (key !== null && key.toLowerCase() !== pix.key.toLowerCase()) return;
  const isNew = await insertOrphan(pix.db, {
    endToEndId,
    txid,
    amountCents,
    paidAt,
    foundAt: pix.clock.now(),
  });
  if (!isNew) return;
  pix.metrics.orphans.inc();
  pix.log.warn({ end_to_end_id: endToEndId, txid }, 'a payment arrived without a charge of ours');
}
