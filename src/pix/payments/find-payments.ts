import { randomBytes } from 'node:crypto';
import { HOUR_MS } from '#core/duration.ts';
import type { Pix } from '../pix.ts';
import { type Charge, type ReceivedPix, readable } from '../psp/index.ts';
import type { ChargeRow } from '../store/charges.ts';
import { isFor } from './is-for.ts';

/** A PSP may book a payment slightly in the past, and clocks differ. */
const BEFORE_CHARGE_MS = HOUR_MS;

/**
 * The payments of a charge. By the standard they are in the charge, but PSPs leave some out, or write some that cannot be parsed.
 * Then they are looked up by the end-to-end id of a notice, and in the list of all payments. `theirs` is null when the PSP does
 * not have the charge.
 */
export async function findPayments(
  pix: Pix,
  charge: ChargeRow,
  theirs: Pick<Charge, 'status' | 'payments' | 'unreadable'> | null,
  endToEndId: string | null,
): Promise<ReceivedPix[]> {
  const isPaid = theirs?.status === 'paid';
  // Whatever key the PSP writes, it was paid to the key of the charge.
  const found = (theirs?.payments ?? []).filter(({ txid }) => isFor(charge, { txid, key: null }));
  const isFound = (id: string) => found.some((payment) => payment.endToEndId === id);
  const add = (payment: ReceivedPix) => !isFound(payment.endToEndId) && found.push(payment);

  const named = (theirs?.unreadable ?? []).flatMap((entry) => entry.endToEndId ?? []);
  // A payment without a txid belongs to the charge when it is listed in it, or when it can have paid nothing else.
  for (const id of [...named, ...(endToEndId === null ? [] : [endToEndId])]) {
    if (isFound(id)) continue;
    const payment = await findById(pix, charge, id);
    if (payment && (payment.txid !== null || named.includes(id) || (isPaid && found.length === 0)))
      add(payment);
  }
  if (isPaid && found.length === 0) for (const payment of await listByTxid(pix, charge)) add(payment);
  return found;
}

/** Undefined when the PSP does not have it, does not show it, or has it for another charge. */
async function findById(pix: Pix, charge: ChargeRow, endToEndId: string): Promise<ReceivedPix | undefined> {
  const found = await readable(() => pix.psp().getPix(endToEndId));
  return found?.kind === 'found' && isFor(charge, found.pix) ? found.pix : undefined;
}

/**
 * Payments without a txid are accepted only from a PSP that filters by txid: if it lists a payment for a txid that does not
 * exist, it lists it for any.
 */
async function listByTxid(pix: Pix, charge: ChargeRow): Promise<ReceivedPix[]> {
  const list = async (txid: string): Promise<ReceivedPix[]> => {
    const from = new Date(charge.created_at.getTime() - BEFORE_CHARGE_MS);
    const all: ReceivedPix[] = [];
    for await (const { payments } of pix.psp().listPix({ from, to: pix.clock.now(), txid })) {
      all.push(...payments);
      if (payments.some((payment) => !isFor({ ...charge, txid }, { ...payment, key: null }))) break;
    }
    return all;
  };
  const listed = (await readable(() => list(charge.txid))) ?? [];
  const ours = listed.filter((payment) => isFor(charge, payment));
  const named = ours.filter(({ txid }) => txid !== null);
  if (named.length === ours.length || ours.length < listed.length) return named;
  const others = (await readable(() => list(randomBytes(16).toString('hex')))) ?? listed;
  return others.length === 0 ? ours : named;
}
