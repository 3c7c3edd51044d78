import type { Pix } from './pix.ts';
import { PspRefused, type ReceivedPix } from './psp/index.ts';
import { findChargeByTxid } from './store/charges.ts';
import { insertOrphan } from './store/payments.ts';
import { syncCharge } from './sync-charge.ts';

/** Somebody told us of a payment without a txid we know: the PSP says whether there is one, and whose it is. */
export async function syncPayment(pix: Pix, endToEndId: string): Promise<void> {
  try {
    const found = await pix.psp().getPix(endToEndId);
    if (found.kind === 'not_found') {
      pix.log.warn({ end_to_end_id: endToEndId }, 'a notice told of a payment the PSP does not have');
      return;
    }
    const { txid } = found.pix;
    if (txid !== null && (await findChargeByTxid(pix.db, txid))) await syncCharge(pix, txid, endToEndId);
    else await recordOrphan(pix, found.pix);
  } catch (error) {
    // Some PSPs do not let one look a payment up by its id; the sweep finds it all the same.
    if (!(error instanceof PspRefused)) throw error;
    pix.log.warn({ err: error, end_to_end_id: endToEndId }, 'the PSP does not show a payment');
  }
}

/** Money that belongs to no charge of ours is written down for the operator, and nothing else is touched. */
export async function recordOrphan(pix: Pix, received: ReceivedPix): Promise<void> {
  const { endToEndId, txid, amountCents, paidAt, key } = received;
  // For another key of the same account: not ours to wonder about. Of no amount: no money.
  if ((key !== null && key.toLowerCase() !== pix.key.toLowerCase()) || amountCents === 0) return;
  const isNew = await insertOrphan(pix.db, {
    ...{ endToEndId, txid, amountCents, paidAt },
    foundAt: pix.clock.now(),
  });
  if (!isNew) return;
  pix.metrics.orphans.inc();
  pix.log.warn({ end_to_end_id: endToEndId, txid }, 'money arrived that belongs to no charge of ours');
}
