import { isPartlyAway } from '#platform/database/db.ts';
import { allTried, limitedTo } from '#platform/jobs/many.ts';
import { countSettled } from '../metrics.ts';
import type { Pix } from '../pix.ts';
import { PspRefused, type ReceivedPix, readable } from '../psp/index.ts';
import { sendOrphanRefund } from '../refunds/send-orphan-refund.ts';
import { type ChargeRow, findCharge, listChargesByTxid, txidKey } from '../store/charges.ts';
import { insertOrphan } from '../store/orphans.ts';
import { listPaymentOwners, type PaymentOwner } from '../store/payments.ts';
import type { NamedPayment } from '../tasks.ts';
import { isFor } from './is-for.ts';
import { settlePayment } from './settle-payment.ts';
import { syncCharge } from './sync-charge.ts';

/** Of one job. */
const MOST_CONCURRENT_SETTLEMENTS = 32;
/** A payment said to have arrived further from the median than this is looked up alone. */
const WINDOW_MS = 10_000;
const PAGE_SIZE = 500;
const MOST_PAGES = 4;

/**
 * The job that settles payments named by a notice or the sweep. They are read from the PSP together, by the window of their
 * arrival. A payment that the PSP lists there for a charge of ours is settled. For all others the charge is read, or the payment
 * alone where its charge is unknown.
 */
export async function syncPayments(
  pix: Pix,
  named: readonly NamedPayment[],
  noticedAtMs: number | null,
): Promise<void> {
  let found: FoundPayments;
  try {
    found = await find(pix, named);
  } catch (error) {
    // Some customers cannot be read: the payments of the others are settled.
    if (named.length === 1 || !isPartlyAway(error)) throw error;
    return forEach(named, (one) => syncPayments(pix, [one], noticedAtMs));
  }
  await forEach(named, async (one) => countSettled(pix.metrics, await sync(pix, one, found), noticedAtMs));
}

/** Payments of different customers share transactions. */
function forEach(named: readonly NamedPayment[], work: (one: NamedPayment) => Promise<void>): Promise<void> {
  const inTurn = limitedTo(MOST_CONCURRENT_SETTLEMENTS);
  return allTried(named.map((one) => inTurn(() => work(one))));
}

/** By txid in lower case, and by end-to-end id. */
type FoundPayments = {
  readonly charges: ReadonlyMap<string, ChargeRow>;
  readonly owners: ReadonlyMap<string, PaymentOwner>;
  readonly listed: ReadonlyMap<string, ReceivedPix>;
};

async function find(pix: Pix, named: readonly NamedPayment[]): Promise<FoundPayments> {
  const txids = named.flatMap(({ txid }) => txid ?? []);
  const endToEndIds = named.flatMap(({ endToEndId }) => endToEndId ?? []);
  const [charges, owners, listed] = await Promise.all([
    listChargesByTxid(pix.db, txids),
    listPaymentOwners(pix.db, endToEndIds),
    listReceived(pix, named),
  ]);
  pix.crash('after-truth-read');
  return {
    charges: new Map(charges.map((charge) => [txidKey(charge.txid), charge])),
    owners: new Map(owners.map((owner) => [owner.end_to_end_id, owner])),
    listed,
  };
}

/** The PSP's list around the time of most of them. A single one is read with its charge: that is one call, too, and says more. */
async function listReceived(
  pix: Pix,
  named: readonly NamedPayment[],
): Promise<ReadonlyMap<string, ReceivedPix>> {
  const timed = named.filter(({ endToEndId, paidAt }) => endToEndId !== null && paidAt !== null);
  const found = new Map<string, ReceivedPix>();
  if (timed.length < 2) return found;
  const times = timed.map(({ paidAt }) => Date.parse(paidAt!)).toSorted((a, b) => a - b);
  const median = times[times.length >> 1]!;
  const near = times.filter((time) => Math.abs(time - median) <= WINDOW_MS);
  const window = { from: new Date(near[0]!), to: new Date(near.at(-1)! + 1), pageSize: PAGE_SIZE };
  const wanted = new Set(timed.map(({ endToEndId }) => endToEndId));
  await readable(async () => {
    for await (const { payments, page } of pix.psp().listPix(window)) {
      for (const payment of payments)
        if (wanted.has(payment.endToEndId)) found.set(payment.endToEndId, payment);
      if (found.size === wanted.size || page + 1 >= MOST_PAGES) break;
    }
  });
  return found;
}

/** Returns how many payments were new. */
async function sync(pix: Pix, { txid, endToEndId }: NamedPayment, found: FoundPayments): Promise<number> {
  const charge = txid === null ? undefined : found.charges.get(txidKey(txid));
  const listed = endToEndId === null ? undefined : found.listed.get(endToEndId);
  if (charge && listed && listed.txid !== null && isFor(charge, listed))
    return settlePayment(pix, charge, listed, found.owners.get(listed.endToEndId));
  if (charge) return syncCharge(pix, charge, endToEndId);
  return endToEndId === null ? 0 : syncUnknown(pix, endToEndId, listed);
}

/**
 * A payment without a known charge of ours: the PSP decides whether it has one. `listed` is its entry in the list. Without a txid
 * there, it may have one when read alone.
 */
export async function syncUnknown(pix: Pix, endToEndId: string, listed?: ReceivedPix): Promise<number> {
  const received = listed && listed.txid !== null ? listed : ((await getReceived(pix, endToEndId)) ?? listed);
  if (!received) {
    pix.log.warn({ end_to_end_id: endToEndId }, 'a notice told of a payment the PSP does not show');
    return 0;
  }
  const charge = await findChargeOf(pix, received);
  if (charge) return syncCharge(pix, charge, endToEndId);
  await recordOrphan(pix, received);
  // It may be about our refund of it.
  if (received.refunds.length > 0) await sendOrphanRefund(pix, endToEndId);
  return 0;
}

/** Also undefined at a PSP that does not allow lookups by id; the sweep finds it anyway. */
async function getReceived(pix: Pix, endToEndId: string): Promise<ReceivedPix | undefined> {
  try {
    const found = await pix.psp().getPix(endToEndId);
    return found.kind === 'found' ? found.pix : undefined;
  } catch (error) {
    if (error instanceof PspRefused) return undefined;
    throw error;
  }
}

/** By its txid, or the charge it counts for already. */
async function findChargeOf({ db }: Pix, { txid, endToEndId }: ReceivedPix): Promise<ChargeRow | undefined> {
  const [charge] = txid === null ? [] : await listChargesByTxid(db, [txid]);
  if (charge) return charge;
  const [owner] = await listPaymentOwners(db, [endToEndId]);
  return owner?.customer_id && owner.charge_id
    ? findCharge(db, owner.customer_id, owner.charge_id)
    : undefined;
}

/** Records a payment that belongs to no charge of ours for the operator, and changes nothing else. */
async function recordOrphan(pix: Pix, received: ReceivedPix): Promise<void> {
  const { endToEndId, txid, amountCents, paidAt, key } = received;
  // For another key of the same account: ignored.
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
  pix.log.warn({ end_to_end_id: endToEndId, txid }, 'money arrived that belongs to no charge of ours');
}
