import { Batches, type BatchItem } from '#platform/database/batches.ts';
import { isPartlyAway } from '#platform/database/db.ts';
import { syncCharge } from '../charges/sync-charge.ts';
import type { Pix } from '../pix.ts';
import { PspRefused, PspUnavailable, type ReceivedPix } from '../psp/index.ts';
import { type ChargeRow, listChargesByTxid, txidKey } from '../store/charges.ts';
import { listPaymentOwners, type PaymentOwner } from '../store/payments.ts';
import { recordDiscrepancy } from './record-discrepancy.ts';
import { settlePayment } from './settle-payment.ts';

/** A payment that is said to be for a charge of ours, and when it is said to have arrived. */
type NoticedPayment = { readonly txid: string; readonly endToEndId: string; readonly paidAt: Date };

/** Two batches at once: while the PSP is asked for the one, the other is settled. */
const BATCHES = { atOnce: 2, most: 100 };
/** Of one batch: they share transactions. */
const SETTLED_AT_ONCE = 64;
/** What is said to have arrived further away than that is looked up by itself. */
const WINDOW_MS = 10_000;
const PAGE_SIZE = 500;
const MOST_PAGES = 4;

/**
 * Syncs what notices name, and answers how many payments were new. Payments that wait at the same time are read from the PSP together,
 * by the window in which they are said to have arrived, instead of charge by charge. What is not found there as it should be, or waits
 * alone, takes the way of `syncCharge`, which knows of everything that PSPs do differently.
 */
export const openNoticedPayments = (pix: Pix): Batches<NoticedPayment, number> =>
  new Batches(BATCHES, (batch) => syncBatch(pix, batch));

async function syncBatch(pix: Pix, batch: ReadonlyArray<BatchItem<NoticedPayment, number>>): Promise<void> {
  const payments = batch.map(({ item }) => item);
  let found: Found | undefined;
  try {
    if (payments.length > 1) found = await find(pix, payments);
  } catch (error) {
    // Of some customers nothing can be read: one by one, what is for the others is settled.
    if (!isPartlyAway(error)) throw error;
  }
  const left = batch.values();
  const work = async () => {
    for (const { item, resolve, reject } of left) await syncNoticed(pix, item, found).then(resolve, reject);
  };
  await Promise.all(Array.from({ length: SETTLED_AT_ONCE }, work));
}

type Found = {
  readonly charges: ReadonlyMap<string, ChargeRow>;
  readonly owners: ReadonlyMap<string, PaymentOwner>;
  readonly payments: ReadonlyMap<string, ReceivedPix>;
};

async function find(pix: Pix, batch: readonly NoticedPayment[]): Promise<Found> {
  const [charges, owners, payments] = await Promise.all([
    listChargesByTxid(
      pix.db,
      batch.map(({ txid }) => txid),
    ),
    listPaymentOwners(
      pix.db,
      batch.map(({ endToEndId }) => endToEndId),
    ),
    listReceived(pix, batch),
  ]);
  pix.crash('after-truth-read');
  return {
    charges: new Map(charges.map((charge) => [txidKey(charge.txid), charge])),
    owners: new Map(owners.map((owner) => [owner.end_to_end_id, owner])),
    payments,
  };
}

/** Those the PSP lists around the time of most of them. */
async function listReceived(
  pix: Pix,
  batch: readonly NoticedPayment[],
): Promise<ReadonlyMap<string, ReceivedPix>> {
  const times = batch.map(({ paidAt }) => paidAt.getTime()).toSorted((a, b) => a - b);
  const middle = times[times.length >> 1]!;
  const near = times.filter((time) => Math.abs(time - middle) <= WINDOW_MS);
  const window = { from: new Date(near[0]!), to: new Date(near.at(-1)! + 1), pageSize: PAGE_SIZE };
  const wanted = new Set(batch.map(({ endToEndId }) => endToEndId));
  const found = new Map<string, ReceivedPix>();
  try {
    for await (const { payments, page } of pix.psp().listPix(window)) {
      for (const payment of payments)
        if (wanted.has(payment.endToEndId)) found.set(payment.endToEndId, payment);
      if (found.size === wanted.size || page + 1 >= MOST_PAGES) break;
    }
  } catch (error) {
    if (!isNoList(error)) throw error;
  }
  return found;
}

/** It says no to the list, or garbles it; what it says of a single charge may be of use all the same. */
const isNoList = (error: unknown): boolean =>
  error instanceof PspRefused || (error instanceof PspUnavailable && error.reason === 'garbled');

async function syncNoticed(
  pix: Pix,
  { txid, endToEndId }: NoticedPayment,
  found: Found | undefined,
): Promise<number> {
  const charge = found?.charges.get(txidKey(txid));
  const received = found?.payments.get(endToEndId);
  if (!charge || !received || !isOf(charge, received)) return syncCharge(pix, txid, endToEndId);
  const settled = await settlePayment(pix, charge, received, found!.owners.get(endToEndId));
  pix.crash('after-settlement');
  if (settled === 'reused') await recordDiscrepancy(pix, charge, 'end_to_end_id_reused', endToEndId);
  return settled === 'new' ? 1 : 0;
}

/** Beyond doubt. */
const isOf = (charge: ChargeRow, { txid, key, amountCents }: ReceivedPix): boolean =>
  amountCents > 0 &&
  txid !== null &&
  txidKey(txid) === txidKey(charge.txid) &&
  (key === null || key.toLowerCase() === charge.pix_key.toLowerCase());
