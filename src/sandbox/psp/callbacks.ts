import { renderDebitState, renderRecState } from './autopay/render.ts';
import { findDebit, findRec } from './autopay/store.ts';
import type { BankContext } from './bank.ts';
import { drawCallbackDelaysMs } from './faults.ts';
import { renderFaultyPix } from './render.ts';
import {
  type CallbackEntry,
  DEBIT_WEBHOOK_KEY,
  insertDelivery,
  REC_WEBHOOK_KEY,
} from './store/deliveries.ts';
import { findPix, listPixByTxids } from './store/pix.ts';

export async function enqueuePixCallback(context: BankContext, endToEndId: string): Promise<void> {
  const { faults } = context;
  const row = (await findPix(context.tx, endToEndId))!;
  // By the standard a callback contains only payments with a txid.
  const pix = renderFaultyPix({ ...faults, txid: faults.txid === 'missing' ? 'normal' : faults.txid }, row);
  if (row.key !== null) await enqueueCopies(context, { key: row.key, kind: 'pix', content: pix });
  else await enqueueDebitCallback(context, row.txid);
}

export async function enqueueDebitCallback(context: BankContext, txid: string): Promise<void> {
  const { tx, faults } = context;
  const debit = renderDebitState((await findDebit(tx, txid))!, faults, await listPixByTxids(tx, [txid]));
  await enqueueCopies(context, { key: DEBIT_WEBHOOK_KEY, kind: 'cobr', content: debit });
}

export async function enqueueRecCallback(context: BankContext, recId: string): Promise<void> {
  const rec = renderRecState((await findRec(context.tx, recId))!);
  await enqueueCopies(context, { key: REC_WEBHOOK_KEY, kind: 'rec', content: rec });
}

async function enqueueCopies({ tx, bank, faults }: BankContext, entry: CallbackEntry): Promise<void> {
  const delaysMs = drawCallbackDelaysMs(faults, bank.random);
  if (delaysMs.length === 0) await insertDelivery(tx, entry, { state: 'withheld', delayMs: 0 });
  for (const delayMs of delaysMs) await insertDelivery(tx, entry, { state: 'waiting', delayMs });
}
