import type { Tx } from '#platform/database/db.ts';
import { renderDebitState, renderRecState } from './autopay/render.ts';
import { findDebit, findRec } from './autopay/store.ts';
import type { Bank } from './bank.ts';
import { writePix } from './dialect.ts';
import { type Faults, noticeDelaysMs } from './faults.ts';
import { type DeliveryRow, insertDelivery } from './store/deliveries.ts';
import { findPix, listPixOf } from './store/pix.ts';

/** The names of the webhooks for authorisations and debits: no Pix key has a space. */
export const REC_WEBHOOK = 'webhook rec';
export const DEBIT_WEBHOOK = 'webhook cobr';

/**
 * Queues the notice of a pix for the webhook of its key, in the transaction that changed the pix. Call `bank.wake()` after
 * the commit. The faults are an argument: reading them here would take a second connection inside a transaction, which can
 * deadlock the pool.
 */
export async function enqueueNotice(tx: Tx, bank: Bank, faults: Faults, endToEndId: string): Promise<void> {
  const row = (await findPix(tx, endToEndId))!;
  // By the standard only payments with a txid are notified.
  const pix = writePix({ ...faults, txid: faults.txid === 'missing' ? 'normal' : faults.txid }, row);
  if (row.key !== null) await enqueueCopies(tx, bank, faults, { key: row.key, kind: 'pix', pix });
  else await enqueueDebitNotice(tx, bank, faults, row.txid);
}

export async function enqueueDebitNotice(tx: Tx, bank: Bank, faults: Faults, txid: string): Promise<void> {
  const pix = renderDebitState((await findDebit(tx, txid))!, faults, await listPixOf(tx, [txid]));
  await enqueueCopies(tx, bank, faults, { key: DEBIT_WEBHOOK, kind: 'cobr', pix });
}

export async function enqueueRecNotice(tx: Tx, bank: Bank, faults: Faults, recId: string): Promise<void> {
  const pix = renderRecState((await findRec(tx, recId))!);
  await enqueueCopies(tx, bank, faults, { key: REC_WEBHOOK, kind: 'rec', pix });
}

type Notice = { key: string; kind: DeliveryRow['kind']; pix: unknown };

async function enqueueCopies(tx: Tx, bank: Bank, faults: Faults, notice: Notice): Promise<void> {
  const delaysMs = noticeDelaysMs(faults, bank.chance);
  if (delaysMs.length === 0) await insertDelivery(tx, { ...notice, state: 'withheld', delayMs: 0 });
  for (const delayMs of delaysMs) await insertDelivery(tx, { ...notice, state: 'waiting', delayMs });
}
