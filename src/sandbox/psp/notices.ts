import type { Tx } from '#platform/database/db.ts';
import type { Bank } from './bank.ts';
import { writePix } from './dialect.ts';
import { type Faults, noticeDelaysMs } from './faults.ts';
import { insertDelivery } from './store/deliveries.ts';
import { findPix } from './store/pix.ts';

/**
 * Puts the notice of a pix, as it is at this moment, on its way to the webhook of its key, in the transaction that changed
 * it. `bank.wake()` after the commit sends it. The faults are given, not read here: a transaction that waits for a second
 * connection can wait for itself.
 */
export async function enqueueNotice(tx: Tx, bank: Bank, faults: Faults, endToEndId: string): Promise<void> {
  const row = (await findPix(tx, endToEndId))!;
  // By the standard only payments with a txid are told of.
  const pix = writePix({ ...faults, txid: faults.txid === 'missing' ? 'normal' : faults.txid }, row);
  const notice = { key: row.key, pix };
  const delaysMs = noticeDelaysMs(faults, bank.chance);
  if (delaysMs.length === 0) await insertDelivery(tx, { ...notice, state: 'withheld', delayMs: 0 });
  for (const delayMs of delaysMs) await insertDelivery(tx, { ...notice, state: 'waiting', delayMs });
}
