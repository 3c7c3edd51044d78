import { cents, sum } from '#core/values/money.ts';
import { lockCustomerById } from '#customers';
import type { EventContext } from '#events';
import { type CustomerTx, forCustomer } from '#platform/database/customer-transaction.ts';
import { dryRun } from '#platform/database/db.ts';
import { type ActionDescription, buildAmountChange } from '#platform/http/approval.ts';
import type { AuditEntity } from '#platform/privacy/audit-trail.ts';
import type { CreditDeps } from '../deps.ts';
import { returnClosed } from '../problems.ts';
import { findCustomerByCheckout } from '../purchases/reading-store.ts';
import { describeCheckout } from '../purchases/write-off.ts';
import { renderStaffWaitingReturn, type StaffWaitingReturnView } from './render-return.ts';
import { type RequestRefunds, type ReturnOrder, returnPurchase } from './return-purchase.ts';
import { closeWaitingReturn, lockWaitingReturn, type WaitingReturnRow } from './waiting-store.ts';

/** Describes the waiting return to the audit trail. Locks the customer, as for every return, and then the waiting return. */
export const createReturnAuditEntity = (
  customerId: string,
): AuditEntity<StaffWaitingReturnView, CustomerTx> => ({
  kind: 'return',
  async read(tx, id) {
    await lockCustomerById(tx, customerId);
    const row = await lockWaitingReturn(tx, id);
    return row && renderStaffWaitingReturn(row);
  },
});

/** Which return is decided on, and by whom. */
export type ReturnDecision = { readonly id: string; readonly staffUserId: string };

/** Carries out the return as requested. Throws a problem if the purchase no longer allows the return, which then stays waiting. */
export async function approveReturn(
  tx: CustomerTx,
  { id, staffUserId }: ReturnDecision,
  deps: EventContext & { readonly requestRefunds: RequestRefunds },
): Promise<void> {
  const waitingReturn = await requireWaitingReturn(tx, id);
  const order = {
    id,
    customerId: waitingReturn.customer_id,
    hash: waitingReturn.checkout_hash,
    reason: waitingReturn.reason,
    authorId: waitingReturn.asked_by,
    amount: cents(waitingReturn.amount_cents),
  };
  await returnPurchase(tx, order, deps);
  await closeWaitingReturn(tx, id, { status: 'made', staffUserId, closedAt: deps.now, refusal: null });
}

export async function refuseReturn(
  tx: CustomerTx,
  { id, staffUserId }: ReturnDecision,
  refusal: string,
  { now }: Pick<EventContext, 'now'>,
): Promise<void> {
  await requireWaitingReturn(tx, id);
  await closeWaitingReturn(tx, id, { status: 'refused', staffUserId, closedAt: now, refusal });
}

/** Locks a return. Throws a problem if it is no longer waiting. The caller has checked that the return exists, by reading {@link createReturnAuditEntity}. */
async function requireWaitingReturn(tx: CustomerTx, id: string): Promise<WaitingReturnRow> {
  const waitingReturn = (await lockWaitingReturn(tx, id))!;
  if (waitingReturn.status !== 'waiting') throw returnClosed(waitingReturn.status);
  return waitingReturn;
}

/** Describes a return for approval: the amount that would be refunded by PIX. Returns undefined if no money would be refunded. */
export async function describeReturn(
  { db, events, requestRefunds }: Pick<CreditDeps, 'db' | 'events' | 'requestRefunds'>,
  order: Omit<ReturnOrder, 'customerId'>,
  now: Date,
): Promise<ActionDescription | undefined> {
  const customerId = await findCustomerByCheckout(db, order.hash);
  if (customerId === undefined) return undefined;
  const { amount, refunds } = await dryRun(forCustomer(db, customerId), (tx) =>
    returnPurchase(tx, { ...order, customerId }, { events, now, requestRefunds }),
  );
  const refundedAmount = sum(refunds.map(({ amountCents }) => cents(amountCents)));
  if (refundedAmount === 0) return undefined;
  return {
    amount: refundedAmount,
    subject: await describeCheckout(db, order.hash, customerId),
    change: [
      buildAmountChange('returned', null, amount),
      buildAmountChange('refunded', null, refundedAmount),
    ],
  };
}
