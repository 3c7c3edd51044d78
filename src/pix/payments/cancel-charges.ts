import type { ChargeType } from '#core/charge.ts';
import { saoPauloDay } from '#core/day.ts';
import type { EventHandler } from '#events';
import type { Tx } from '#platform/database/db.ts';
import { enqueue } from '#platform/jobs/jobs.ts';
import { lookAtPurchase } from '../store/authorisations.ts';
import {
  type ChargeRow,
  markCheckoutCancelled,
  markDebitCancelled,
  markOthersCancelled,
} from '../store/charges.ts';
import { SYNC_ATTEMPTS } from '../tasks.ts';

/** Cancels the other charges of the installment, or those of one type. One job removes them at the PSP. */
export async function cancelOtherCharges(
  tx: Tx,
  charge: Pick<ChargeRow, 'customer_id' | 'id' | 'installment_id'>,
  which: { now: Date; type?: ChargeType },
): Promise<void> {
  const cancelled = await markOthersCancelled(tx, charge, which);
  if (cancelled.length > 0) await enqueueRemoval(tx, charge);
}

/** Withdraws the debit of an installment. */
export async function cancelDebit(tx: Tx, debit: ChargeRow): Promise<void> {
  await markDebitCancelled(tx, debit);
  await enqueueRemoval(tx, debit);
}

/** An installment was paid with cashback: its charges no longer ask for what is owed. */
export const onCashbackChanged: EventHandler<'cashback.changed'> = async (tx, event) => {
  const { customerId, data, occurredAt: now } = event;
  if (data.kind !== 'redeemed' || data.installment_id === null) return;
  const none = { customer_id: customerId, installment_id: data.installment_id, id: '' };
  await cancelOtherCharges(tx, none, { now });
};

/** Some of a purchase was returned: its charges no longer ask for what is owed. */
export const onCheckoutReturned: EventHandler<'checkout.returned'> = async (tx, event) => {
  const { customerId, data, occurredAt: now } = event;
  lookAtPurchase(tx, customerId, data.checkout_hash, saoPauloDay(now.getTime()));
  for (const installment_id of await markCheckoutCancelled(tx, customerId, data.checkout_hash, now))
    await enqueueRemoval(tx, { customer_id: customerId, installment_id });
};

/** Nothing is left to be debited: the authorisation ends. */
export const onCheckoutPaid: EventHandler<'checkout.paid'> = async (tx, { customerId, data, occurredAt }) =>
  lookAtPurchase(tx, customerId, data.checkout_hash, saoPauloDay(occurredAt.getTime()));

export async function enqueueRemoval(
  tx: Tx,
  { customer_id, installment_id }: Pick<ChargeRow, 'customer_id' | 'installment_id'>,
): Promise<void> {
  const key = `pix_remove_charges ${installment_id}`;
  await enqueue(tx, 'pix_remove_charges', { customer_id, installment_id }, SYNC_ATTEMPTS, { key });
}
