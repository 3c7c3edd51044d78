import { renderDebitState, renderRecState } from './autopay/render.ts';
import { findDebit, findRec } from './autopay/store.ts';
import type { BankChange } from './bank-change.ts';
import { writePix } from './dialect.ts';
import { noticeDelaysMs } from './faults.ts';
import { insertDelivery, type Notice } from './store/deliveries.ts';
import { findPix, listPixOf } from './store/pix.ts';
import { DEBIT_WEBHOOK, REC_WEBHOOK } from './store/webhooks.ts';

/** Queues the notice of a pix for the webhook of its key. */
export async function enqueueNotice(change: BankChange, endToEndId: string): Promise<void> {
  const { faults } = change;
  const row = (await findPix(change.tx, endToEndId))!;
  // By the standard only payments with a txid are notified.
  const pix = writePix({ ...faults, txid: faults.txid === 'missing' ? 'normal' : faults.txid }, row);
  if (row.key !== null) await enqueueCopies(change, { key: row.key, kind: 'pix', pix });
  else await enqueueDebitNotice(change, row.txid);
}

export async function enqueueDebitNotice(change: BankChange, txid: string): Promise<void> {
  const { tx, faults } = change;
  const pix = renderDebitState((await findDebit(tx, txid))!, faults, await listPixOf(tx, [txid]));
  await enqueueCopies(change, { key: DEBIT_WEBHOOK, kind: 'cobr', pix });
}

export async function enqueueRecNotice(change: BankChange, recId: string): Promise<void> {
  const pix = renderRecState((await findRec(change.tx, recId))!);
  await enqueueCopies(change, { key: REC_WEBHOOK, kind: 'rec', pix });
}

async function enqueueCopies({ tx, bank, faults }: BankChange, notice: Notice): Promise<void> {
  const delaysMs = noticeDelaysMs(faults, bank.chance);
  if (delaysMs.length === 0) await insertDelivery(tx, notice, { state: 'withheld', delayMs: 0 });
  for (const delayMs of delaysMs) await insertDelivery(tx, notice, { state: 'waiting', delayMs });
}
