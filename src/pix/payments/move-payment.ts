import type { Static } from 'typebox';
import { saoPauloDay } from '#core/day.ts';
import { cents, sum, toReais } from '#core/money.ts';
import {
  findInstallmentPlace,
  findNextPart,
  installmentPaid,
  readInstallment,
  showInstallment,
  takeReceipt,
} from '#credit';
import { customerErased, lockCustomerById } from '#customers';
import { type CustomerTx, forCustomers } from '#platform/database/customer-transaction.ts';
import type { Db, Queryable, Transactions } from '#platform/database/db.ts';
import { newId, randomBase62 } from '#platform/ids.ts';
import { type Change, recordChange, type Subject } from '#platform/privacy/trail.ts';
import { plausible } from '../arrival.ts';
import { chargeIdentity } from '../charge-events.ts';
import type { Pix } from '../pix.ts';
import { installmentUnknown, paymentMoved, paymentNotWhole } from '../problems.ts';
import { requestRefunds } from '../refunds/request-refunds.ts';
import { type ChargeRow, findCharge, insertCharge } from '../store/charges.ts';
import { claimMoved, insertMove, type MoveRow, markPaymentMoved } from '../store/moves.ts';
import { findPayment, listPaymentOwners, type PaymentRow } from '../store/payments.ts';
import type { MovedPayment } from './move-schemas.ts';
import { applyClaimed } from './settle-payment.ts';

const TXID_LENGTH = 32;

type MoveOrder = {
  readonly endToEndId: string;
  readonly installmentId: string;
  /** The installment it is thought to count for; another one is refused. */
  readonly fromInstallmentId?: string | undefined;
  readonly reason: string;
};

/** Where a payment counts now; undefined when it counts nowhere: unknown, or an orphan. */
async function findHeld(db: Queryable, endToEndId: string): Promise<PaymentRow | undefined> {
  const [owner] = await listPaymentOwners(db, [endToEndId]);
  return owner?.customer_id ? findPayment(db, owner.customer_id, endToEndId) : undefined;
}

/** For the trail: what of a payment a move changes. */
const placeSubject: Subject<{ customer_id: string; installment_id: string; value: number }> = {
  kind: 'pix_payment',
  async read(tx, endToEndId) {
    const held = await findHeld(tx, endToEndId);
    if (!held) return undefined;
    const { customer_id, installment_id, amount_cents } = held;
    return { customer_id, installment_id, value: toReais(cents(amount_cents)) };
  },
};

/** The transactions of a move: those of both customers. Undefined: no such payment. */
export async function forMove(
  db: Db,
  order: MoveOrder,
): Promise<(Transactions<CustomerTx> & { readonly payment: PaymentRow }) | undefined> {
  const payment = await findHeld(db, order.endToEndId);
  if (!payment) return undefined;
  const place = await findInstallmentPlace(db, order.installmentId);
  if (!place) throw installmentUnknown(order.installmentId);
  return { payment, ...forCustomers(db, [payment.customer_id, place.customer_id]) };
}

/** Moves the payment, records the author, and says what each side owes after it. */
export async function movePayment(
  tx: CustomerTx,
  pix: Pick<Pix, 'events' | 'clock' | 'key'>,
  held: PaymentRow,
  order: MoveOrder,
  change: Change,
): Promise<Static<typeof MovedPayment>> {
  const place = (await findInstallmentPlace(tx, order.installmentId))!;
  for (const id of [...new Set([held.customer_id, place.customer_id])].toSorted()) {
    const locked = await lockCustomerById(tx, id);
    if (locked?.erased_at) throw customerErased();
  }
  const payment = await findHeld(tx, order.endToEndId);
  const expected = order.fromInstallmentId ?? held.installment_id;
  if (payment?.installment_id !== expected || payment.customer_id !== held.customer_id)
    throw paymentMoved(payment?.installment_id ?? null);
  if (payment.installment_id === order.installmentId) throw paymentMoved(order.installmentId);
  const id = newId('mov', change.now);
  let moved: Awaited<ReturnType<typeof move>> | undefined;
  await recordChange(tx, change, { of: placeSubject, id: order.endToEndId }, async () => {
    moved = await move(tx, pix, { id, payment, place, order, by: change.actor.id });
  });
  const now = change.now.getTime();
  const side = async ({ customer_id, checkout_hash, installment_id }: ChargeRow) => ({
    customer_id,
    checkout_hash,
    installment: (await showInstallment(tx, customer_id, installment_id, now))!,
  });
  const { from, to, receivedAt, tooMuchCents } = moved!;
  return {
    id,
    end_to_end_id: order.endToEndId,
    value: toReais(cents(payment.amount_cents)),
    received_at: receivedAt.toISOString(),
    too_much: toReais(cents(tooMuchCents)),
    from: await side(from),
    to: await side(to),
  };
}

/**
 * What the payment had paid is owed again from now on, as after a chargeback. For the other installment it counts as of when it
 * arrived, as an orphan that is assigned does. Nothing that was written changes: both are new parts and new postings.
 */
async function move(
  tx: CustomerTx,
  pix: Pick<Pix, 'events' | 'clock' | 'key'>,
  given: {
    id: string;
    payment: PaymentRow;
    place: { customer_id: string; checkout_hash: string; purchased_at: Date };
    order: MoveOrder;
    by: string;
  },
) {
  const { id, payment, place, order, by } = given;
  const { end_to_end_id: endToEndId, amount_cents, paid_at } = payment;
  const now = pix.clock.now();
  const context = { events: pix.events, now };
  const target = { customerId: place.customer_id, installmentId: order.installmentId };
  if ((await readInstallment(tx, target)).row.paid_at !== null) throw installmentPaid();
  const from = (await findCharge(tx, payment.customer_id, payment.charge_id))!;
  const source = { customerId: payment.customer_id, installmentId: payment.installment_id };
  const gone = await takeReceipt(tx, { ...source, reference: endToEndId, moveId: id }, context);
  if (gone.amount !== amount_cents) throw paymentNotWhole(gone.amount);
  await requestRefunds(tx, pix, payment.customer_id, gone);
  if (place.customer_id !== payment.customer_id) await markPaymentMoved(tx, payment, now);

  const receivedAt = plausible(paid_at, { earliest: place.purchased_at, now });
  const to = insertAssignedCharge(tx, pix, { place, order, receivedAt, amountCents: amount_cents });
  if (!(await claimMoved(tx, endToEndId, from, to))) throw paymentMoved(null);
  const part = await findNextPart(tx, place.customer_id, endToEndId);
  // Read again: it may be of the same purchase.
  const installment = await readInstallment(tx, target);
  const received = { endToEndId, amountCents: cents(amount_cents), paidAt: paid_at };
  const applied = await applyClaimed(tx, pix, to, received, { receivedAt, installment, move: { id, part } });

  const row = (side: MoveRow['side'], charge: ChargeRow): MoveRow => ({
    customer_id: charge.customer_id,
    id,
    side,
    end_to_end_id: endToEndId,
    charge_id: charge.id,
    installment_id: charge.installment_id,
    checkout_hash: charge.checkout_hash,
    amount_cents,
    reason: order.reason,
    moved_at: now,
    moved_by: by,
  });
  await insertMove(tx, row('from', from));
  await insertMove(tx, row('to', to));
  const data = {
    ...chargeIdentity(from),
    amount: toReais(cents(amount_cents)),
    moved_at: now.toISOString(),
    end_to_end_id: endToEndId,
  };
  await pix.events.emit(tx, { type: 'pix.moved', customerId: from.customer_id, data }, now);
  return { from, to, receivedAt, tooMuchCents: sum(applied.toRefund.map(({ amountCents }) => amountCents)) };
}

type Assignment = {
  place: { customer_id: string; checkout_hash: string };
  order: { endToEndId: string; installmentId: string };
  receivedAt: Date;
  amountCents: number;
};

/** The charge of a payment that a person assigns: paid, and never shown. */
export function insertAssignedCharge(
  tx: CustomerTx,
  { clock, key }: Pick<Pix, 'clock' | 'key'>,
  { place, order, receivedAt, amountCents }: Assignment,
): ChargeRow {
  return insertCharge(tx, {
    customer_id: place.customer_id,
    id: newId('pix', clock.now()),
    installment_id: order.installmentId,
    checkout_hash: place.checkout_hash,
    type: 'settle_partial',
    value_cents: amountCents,
    txid: randomBase62(TXID_LENGTH),
    priced_on: saoPauloDay(receivedAt.getTime()),
    pix_key: key,
    expiration_seconds: 1,
    created_at: receivedAt,
    expires_at: receivedAt,
    status: 'paid',
    paid_at: receivedAt,
    assigned_end_to_end_id: order.endToEndId,
  });
}
