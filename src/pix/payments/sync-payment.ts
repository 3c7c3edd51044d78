import { syncCharge } from '../charges/sync-charge.ts';
import type { Pix } from '../pix.ts';
import { PspRefused, type ReceivedPix } from '../psp/index.ts';
import { sendOrphanRefund } from '../refunds/send-orphan-refund.ts';
import { findCharge, findChargeByTxid } from '../store/charges.ts';
import { insertOrphan } from '../store/orphans.ts';
import { listPaymentOwners } from '../store/payments.ts';

/** Somebody told us of a payment without a txid we know: the PSP says whether there is one, and whose it is. */
export async function syncPayment(pix: Pix, endToEndId: string): Promise<void> {
  const received = await findReceived(pix, endToEndId);
  if (received) await assign(pix, received);
  else pix.log.warn({ end_to_end_id: endToEndId }, 'a notice told of a payment the PSP does not show');
}

/** The PSP lists a payment for no charge of ours. Without a txid there, it may have one when it is shown by itself. */
export async function syncUnknownPayment(pix: Pix, listed: ReceivedPix): Promise<void> {
  const shown = listed.txid === null ? await findReceived(pix, listed.endToEndId) : undefined;
  await assign(pix, shown ?? listed);
}

/** Undefined too at a PSP that lets nobody look a payment up by its id; the sweep finds it all the same. */
async function findReceived(pix: Pix, endToEndId: string): Promise<ReceivedPix | undefined> {
  try {
    const found = await pix.psp().getPix(endToEndId);
    return found.kind === 'found' ? found.pix : undefined;
  } catch (error) {
    if (error instanceof PspRefused) return undefined;
    throw error;
  }
}

async function assign(pix: Pix, received: ReceivedPix): Promise<void> {
  const { txid, endToEndId } = received;
  if (txid !== null && (await findChargeByTxid(pix.db, txid))) return syncOf(pix, txid, endToEndId);
  const [owner] = await listPaymentOwners(pix.db, [endToEndId]);
  if (owner?.customer_id && owner.charge_id) {
    const charge = await findCharge(pix.db, owner.customer_id, owner.charge_id);
    return syncOf(pix, charge!.txid, endToEndId);
  }
  await recordOrphan(pix, received);
  // It may be about what we give back of it.
  if (received.refunds.length > 0) await sendOrphanRefund(pix, endToEndId);
}

async function syncOf(pix: Pix, txid: string, endToEndId: string): Promise<void> {
  await syncCharge(pix, txid, endToEndId);
}

/** Money that belongs to no charge of ours is written down for the operator, and nothing else is touched. */
async function recordOrphan(pix: Pix, received: ReceivedPix): Promise<void> {
  const { endToEndId, txid, amountCents, paidAt, key } = received;
  // For another key of the same account: not ours to wonder about. Of no amount: no money.
  if ((key !== null && key.toLowerCase() !== pix.key.toLowerCase()) || amountCents === 0) return;
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
