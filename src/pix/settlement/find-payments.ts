import { randomBytes } from 'node:crypto';
import { HOUR_MS } from '#core/values/duration.ts';
import type { Pix } from '../pix.ts';
import { type Charge, type ReceivedPix, tryPspCall } from '../psp/index.ts';
import { type ChargeRow, isForCharge, matchesTxid } from '../store/charges.ts';

/** A charge or a debit, as the PSP returns it. */
export type PspCharge = Pick<Charge, 'status' | 'payments' | 'unreadablePix'>;

/** A PSP may book a payment slightly in the past, and clocks differ. */
const CLOCK_TOLERANCE_MS = HOUR_MS;

/**
 * Finds the payments of a charge at the PSP. By the standard the charge contains them, but some PSPs omit payments, or send some
 * that cannot be parsed. Such payments are looked up by the end-to-end id of a callback, and in the list of all payments.
 * `pspCharge` is null if the PSP does not have the charge.
 */
export async function findChargePayments(
  pix: Pix,
  charge: ChargeRow,
  pspCharge: PspCharge | null,
  endToEndId: string | null,
): Promise<ReceivedPix[]> {
  const isPaid = pspCharge?.status === 'paid';
  // The key is ignored here: a payment inside the charge was paid to the key of the charge.
  const payments = (pspCharge?.payments ?? []).filter((payment) => matchesTxid(payment, charge.txid));
  const isListed = (id: string) => payments.some((payment) => payment.endToEndId === id);
  const addPayment = (payment: ReceivedPix) => {
    if (!isListed(payment.endToEndId)) payments.push(payment);
  };

  const unreadableIds = (pspCharge?.unreadablePix ?? []).flatMap((entry) => entry.endToEndId ?? []);
  for (const id of [...unreadableIds, ...(endToEndId === null ? [] : [endToEndId])]) {
    if (isListed(id)) continue;
    const payment = await findPaymentAtPsp(pix, charge, id);
    // A payment without a txid belongs to the charge if the charge lists it, or if the paid charge has no other payment.
    if (payment && (payment.txid !== null || unreadableIds.includes(id) || (isPaid && payments.length === 0)))
      addPayment(payment);
  }
  if (isPaid && payments.length === 0)
    for (const payment of await listChargePayments(pix, charge)) addPayment(payment);
  return payments;
}

async function findPaymentAtPsp(pix: Pix, charge: ChargeRow, endToEndId: string) {
  const payment = await tryPspCall(() => pix.psp().getPix(endToEndId));
  return payment && isForCharge(charge, payment) ? payment : undefined;
}

/**
 * Lists the payments of the charge by its txid. Payments without a txid are accepted only if the PSP really filters by txid: a
 * PSP that lists a payment for a random txid does not filter.
 */
async function listChargePayments(pix: Pix, charge: ChargeRow): Promise<ReceivedPix[]> {
  const payments = (await tryPspCall(() => listPaymentsByTxid(pix, charge, charge.txid))) ?? [];
  const matches = payments.filter((payment) => isForCharge(charge, payment));
  const matchesWithTxid = matches.filter(({ txid }) => txid !== null);
  const isUnfiltered = matches.length < payments.length;
  if (isUnfiltered || matchesWithTxid.length === matches.length) return matchesWithTxid;
  const randomTxid = randomBytes(16).toString('hex');
  const listedForRandomTxid = await tryPspCall(() => listPaymentsByTxid(pix, charge, randomTxid));
  return listedForRandomTxid?.length === 0 ? matches : matchesWithTxid;
}

/** Lists payments by a txid. Stops after a page with another txid: the PSP does not filter, and would list all payments. */
async function listPaymentsByTxid(pix: Pix, charge: ChargeRow, txid: string): Promise<ReceivedPix[]> {
  const from = new Date(charge.created_at.getTime() - CLOCK_TOLERANCE_MS);
  const isMatch = (payment: ReceivedPix) => matchesTxid(payment, txid);
  const payments: ReceivedPix[] = [];
  for await (const page of pix.psp().listPix({ from, to: pix.clock.now(), txid })) {
    payments.push(...page.payments);
    if (!page.payments.every(isMatch)) break;
  }
  return payments;
}
