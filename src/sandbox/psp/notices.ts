import type { Tx } from '#platform/database/db.ts';
import type { Bank } from './bank.ts';
import { writePix } from './dialect.ts';
import { type Faults, noticeDelaysMs } from './faults.ts';
import { insertDelivery } from './store/deliveries.ts';
import { findPix } from './store/pix.ts';

/**
 * Queues the notice of a pix for the webhook of its key, in the transaction that changed the pix. Call `bank.wake()` after
 * the commit. The faults are an argument: reading them here would take a second connection inside a transaction, which can
 * deadlock the pool.
 */
export async function enqueueNotice(tx: Tx, bank: Bank, faults: Faults, endToEndId: string): Promise<void> {
  const row = (await findPix(tx, endToEndId))!;
  // By the standard only payments with a txid are notified.
  const pix = writePix({ ...faults, txid: faults.txid === 'missing' ? 'normal' : faults.txid }, row);
  const notice = { key: row.key, pix };
  const delaysMs = noticeDelaysMs(faults, bank.chance);
  if (delaysMs.length === 0) await insertDelivery(tx, { ...notice, state: 'withheld', delayMs: 0 });
  for (const delayMs of delaysMs) await insertDelivery(tx, { ...notice, state: 'waiting', delayMs });
}
