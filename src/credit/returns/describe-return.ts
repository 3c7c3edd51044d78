import { cents, sum } from '#core/values/money.ts';
import { forCustomer } from '#platform/database/customer-transaction.ts';
import { dryRun } from '#platform/database/dry-run.ts';
import { type ActDescription, amountChange } from '#platform/http/approval.ts';
import type { CreditDeps } from '../deps.ts';
import { findCustomerByCheckout } from '../purchases/reading-store.ts';
import { describeCheckout } from '../purchases/write-off.ts';
import { returnPurchase } from './return-purchase.ts';

type StaffReturn = Omit<Parameters<typeof returnPurchase>[1], 'customerId'>;

/** Describes a return for approval: the amount that it refunds by PIX. Returns undefined if it refunds nothing. */
export async function describeReturn(
  { db, events, requestRefunds }: Pick<CreditDeps, 'db' | 'events' | 'requestRefunds'>,
  order: StaffReturn,
  now: Date,
): Promise<ActDescription | undefined> {
  const customerId = await findCustomerByCheckout(db, order.hash);
  if (customerId === undefined) return undefined;
  const { amount, refunds } = await dryRun(forCustomer(db, customerId), (tx) =>
    returnPurchase(tx, { ...order, customerId }, { events, now, requestRefunds }),
  );
  const refunded = sum(refunds.map(({ amountCents }) => cents(amountCents)));
  if (refunded === 0) return undefined;
  return {
    amount: refunded,
    subject: await describeCheckout(db, order.hash, customerId),
    change: [amountChange('returned', null, amount), amountChange('refunded', null, refunded)],
  };
}
