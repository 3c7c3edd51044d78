import type { ChargeType } from '#core/finance/charge.ts';
import { saoPauloDay } from '#core/values/day.ts';
import type { EventHandler } from '#events';
import type { Tx } from '#platform/database/db.ts';
import { enqueue } from '#platform/jobs/jobs.ts';
import { scheduleReview } from '../store/autopay.ts';
import {
  type ChargeRow,
  type InstallmentCharge,
  markCheckoutChargesCancelled,
  markDebitCancelled,
  markOtherChargesCancelled,
} from '../store/charges.ts';
import { SYNC_ATTEMPTS } from '../tasks.ts';

/** Cancels the other charges of the installment (all if `id` is null), or only those of one type. One job removes them at the PSP. */
export async function cancelOtherCharges(
  tx: Tx,
  charge: InstallmentCharge,
  filter: { now: Date; type?: ChargeType },
): Promise<void> {
  const installmentIds = await markOtherChargesCancelled(tx, charge, filter);
  if (installmentIds.length > 0) await enqueueChargeCancellation(tx, charge);
}

export async function cancelDebit(tx: Tx, debit: ChargeRow): Promise<void> {
  await markDebitCancelled(tx, debit);
  await enqueueChargeCancellation(tx, debit);
}

/** Cashback has paid an installment, so the amounts of its charges are no longer right. */
export const onCashbackChanged: EventHandler<'cashback.changed'> = async (tx, event) => {
  const { customerId, data, occurredAt: now } = event;
  if (data.kind !== 'redeemed' || data.installment_id === null) return;
  await cancelOtherCharges(
    tx,
    { customer_id: customerId, installment_id: data.installment_id, id: null },
    { now },
  );
};

/** A return has reduced what is owed for a purchase, so the amounts of its charges are no longer right. */
export const onCheckoutReturned: EventHandler<'checkout.returned'> = async (tx, event) => {
  const { customerId, data, occurredAt: now } = event;
  scheduleReview(tx, customerId, data.checkout_hash, saoPauloDay(now.getTime()));
  const installmentIds = await markCheckoutChargesCancelled(tx, customerId, data.checkout_hash, now);
  for (const installment_id of installmentIds)
    await enqueueChargeCancellation(tx, { customer_id: customerId, installment_id });
};

/** Schedules a review, which ends the authorisation of the paid purchase. */
export const onCheckoutPaid: EventHandler<'checkout.paid'> = async (tx, { customerId, data, occurredAt }) =>
  scheduleReview(tx, customerId, data.checkout_hash, saoPauloDay(occurredAt.getTime()));

export async function enqueueChargeCancellation(
  tx: Tx,
  { customer_id, installment_id }: Pick<ChargeRow, 'customer_id' | 'installment_id'>,
): Promise<void> {
  const key = `pix_remove_charges ${installment_id}`;
  await enqueue(tx, 'pix_remove_charges', { customer_id, installment_id }, SYNC_ATTEMPTS, { key });
}
