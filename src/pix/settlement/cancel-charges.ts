import type { ChargeType } from '#core/finance/charge.ts';
import { saoPauloDay } from '#core/values/day.ts';
import type { EventHandler } from '#events';
import type { Tx } from '#platform/database/db.ts';
import { enqueue } from '#platform/jobs/jobs.ts';
import { scheduleReview } from '../store/authorisations.ts';
import {
  type ChargeRow,
  markCheckoutChargesCancelled,
  markDebitCancelled,
  markInstallmentChargesCancelled,
} from '../store/charges.ts';
import { SYNC_ATTEMPTS } from '../tasks.ts';

type InstallmentKey = Pick<ChargeRow, 'customer_id' | 'installment_id'>;

/** Cancels the charges of an installment, or only those of one type. A job removes them at the PSP. */
export async function cancelInstallmentCharges(
  tx: Tx,
  installment: InstallmentKey,
  filter: { now: Date; type?: ChargeType },
): Promise<void> {
  const installmentIds = await markInstallmentChargesCancelled(tx, installment, filter);
  if (installmentIds.length > 0) await enqueueChargeRemoval(tx, installment);
}

/** Cancels a debit, and returns it with its new status. A job cancels it at the PSP. */
export async function cancelDebit(tx: Tx, debit: ChargeRow): Promise<ChargeRow> {
  await markDebitCancelled(tx, debit);
  await enqueueChargeRemoval(tx, debit);
  return { ...debit, status: 'cancelled' };
}

/** Cancels the charges of an installment that cashback has paid, because their amounts are no longer right. */
export const onCashbackChanged: EventHandler<'cashback.changed'> = async (tx, event) => {
  const { customerId, data, occurredAt: now } = event;
  if (data.kind !== 'redeemed' || data.installment_id === null) return;
  await cancelInstallmentCharges(
    tx,
    { customer_id: customerId, installment_id: data.installment_id },
    { now },
  );
};

/** Cancels the charges of a purchase after a return, because their amounts are no longer right. */
export const onCheckoutReturned: EventHandler<'checkout.returned'> = async (tx, event) => {
  const { customerId, data, occurredAt: now } = event;
  scheduleReview(tx, customerId, data.checkout_hash, saoPauloDay(now.getTime()));
  const installmentIds = await markCheckoutChargesCancelled(tx, customerId, data.checkout_hash, now);
  for (const installment_id of installmentIds)
    await enqueueChargeRemoval(tx, { customer_id: customerId, installment_id });
};

/** Schedules a review, which ends the authorisation of the paid purchase. */
export const onCheckoutPaid: EventHandler<'checkout.paid'> = async (tx, { customerId, data, occurredAt }) =>
  scheduleReview(tx, customerId, data.checkout_hash, saoPauloDay(occurredAt.getTime()));

/** Enqueues a job that removes the cancelled charges of the installment at the PSP. */
export async function enqueueChargeRemoval(
  tx: Tx,
  { customer_id, installment_id }: InstallmentKey,
): Promise<void> {
  const key = `pix_remove_charges ${installment_id}`;
  await enqueue(tx, 'pix_remove_charges', { customer_id, installment_id }, SYNC_ATTEMPTS, { key });
}
