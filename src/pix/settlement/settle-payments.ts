import { randomBytes } from 'node:crypto';
import { HOUR_MS } from '#core/values/duration.ts';
import type { Pix } from '../pix.ts';
import { type Charge, getIfReadable, type ReceivedPix } from '../psp/index.ts';
import { type ChargeRow, isForCharge } from '../store/charges.ts';
import { listPaymentOwners } from '../store/payments.ts';
import { recordDiscrepancy, settlePayment } from './settle-payment.ts';

/** Settles the payments of a charge at the PSP, and records discrepancies. Returns the number of new payments. */
export async function settlePayments(
  pix: Pix,
  charge: ChargeRow,
  pspCharge: Pick<Charge, 'status' | 'payments' | 'unreadable'> | null,
  endToEndId: string | null = null,
): Promise<number> {
  const payments = await findChargePayments(pix, charge, pspCharge, endToEndId);
  let newCount = 0;
  for (const received of payments) {
    const [owner] = await listPaymentOwners(pix.db, [received.endToEndId]);
    newCount += await settlePayment(pix, charge, received, owner);
  }
  for (const { endToEndId: id } of pspCharge?.unreadable ?? []) {
    const isSettled = payments.some((payment) => payment.endToEndId === id);
    const [owner] = isSettled || id === null ? [] : await listPaymentOwners(pix.db, [id]);
    if (!isSettled && owner?.charge_id !== charge.id)
      await recordDiscrepancy(pix, charge, 'unreadable_payment', id ?? '');
  }
  if (pspCharge?.status === 'paid' && payments.length === 0 && charge.status !== 'paid')
    await recordDiscrepancy(pix, charge, 'paid_without_payment');
  return newCount;
}

/** A PSP may book a payment slightly in the past, and clocks differ. */
const CLOCK_TOLERANCE_MS = HOUR_MS;

/**
 * Finds the payments of a charge at the PSP. By the standard the charge contains them, but some PSPs omit payments, or send some
 * that cannot be parsed. Those are looked up by the end-to-end id of a callback, and in the list of all payments. `pspCharge` is
 * null if the PSP does not have the charge.
 */
export async function findChargePayments(
  pix: Pix,
  charge: ChargeRow,
  pspCharge: Pick<Charge, 'status' | 'payments' | 'unreadable'> | null,
  endToEndId: string | null,
): Promise<ReceivedPix[]> {
  const isPaid = pspCharge?.status === 'paid';
  // The key is ignored here: a payment inside the charge was paid to the key of the charge.
  const found = (pspCharge?.payments ?? []).filter(({ txid }) => isForCharge(charge, { txid, key: null }));
  const isFound = (id: string) => found.some((payment) => payment.endToEndId === id);
  const add = (payment: ReceivedPix) => !isFound(payment.endToEndId) && found.push(payment);

  const unreadableIds = (pspCharge?.unreadable ?? []).flatMap((entry) => entry.endToEndId ?? []);
  // A payment without a txid belongs to the charge if the charge lists it, or if the paid charge has no other payment.
  for (const id of [...unreadableIds, ...(endToEndId === null ? [] : [endToEndId])]) {
    if (isFound(id)) continue;
    const payment = await findById(pix, charge, id);
    if (payment && (payment.txid !== null || unreadableIds.includes(id) || (isPaid && found.length === 0)))
      add(payment);
  }
  if (isPaid && found.length === 0) for (const payment of await listByTxid(pix, charge)) add(payment);
  return found;
}

async function findById(pix: Pix, charge: ChargeRow, endToEndId: string): Promise<ReceivedPix | undefined> {
  const found = await getIfReadable(() => pix.psp().getPix(endToEndId));
  return found && isForCharge(charge, found) ? found : undefined;
}

/**
 * Lists the payments of the charge by its txid. Payments without a txid are accepted only if the PSP really filters by txid: a
 * PSP that lists a payment for a random txid does not filter.
 */
async function listByTxid(pix: Pix, charge: ChargeRow): Promise<ReceivedPix[]> {
  const list = async (txid: string): Promise<ReceivedPix[]> => {
    const from = new Date(charge.created_at.getTime() - CLOCK_TOLERANCE_MS);
    const all: ReceivedPix[] = [];
    for await (const { payments } of pix.psp().listPix({ from, to: pix.clock.now(), txid })) {
      all.push(...payments);
      if (payments.some((payment) => !isForCharge({ ...charge, txid }, { ...payment, key: null }))) break;
    }
    return all;
  };
  const listed = (await getIfReadable(() => list(charge.txid))) ?? [];
  const ours = listed.filter((payment) => isForCharge(charge, payment));
  const withTxid = ours.filter(({ txid }) => txid !== null);
  if (withTxid.length === ours.length || ours.length < listed.length) return withTxid;
  const listedForRandomTxid = (await getIfReadable(() => list(randomBytes(16).toString('hex')))) ?? listed;
  return listedForRandomTxid.length === 0 ? ours : withTxid;
}
