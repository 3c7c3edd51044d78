import { cents } from '#core/money.ts';
import { lockCustomerById } from '#customers';
import type { EventContext } from '#events';
import type { CustomerTx } from '#platform/database/customer-transaction.ts';
import type { Subject } from '#platform/privacy/trail.ts';
import { returnClosed } from '../problems.ts';
import { type RenderedWaiting, renderWaitingForStaff } from './render-return.ts';
import { type RequestRefunds, returnPurchase } from './return-purchase.ts';
import { lockWaitingReturn, markWaitingClosed, type WaitingReturnRow } from './waiting-store.ts';

/** The return for the trail. Locks the customer first, as for every return, then the return. */
export const waitingSubject = (customerId: string): Subject<RenderedWaiting, CustomerTx> => ({
  kind: 'return',
  async read(tx, id) {
    await lockCustomerById(tx, customerId);
    const row = await lockWaitingReturn(tx, id);
    return row && renderWaitingForStaff(row);
  },
});

type Decision = { readonly id: string; readonly by: string };

/** Makes the return as requested. If the purchase no longer allows it, a problem is thrown and the return keeps waiting. */
export async function approveReturn(
  tx: CustomerTx,
  { id, by }: Decision,
  parts: EventContext & { readonly requestRefunds: RequestRefunds },
): Promise<void> {
  const asked = await lockOpen(tx, id);
  const { customer_id: customerId, checkout_hash: hash, reason } = asked;
  const order = { id, customerId, hash, reason, by: asked.asked_by, amount: cents(asked.amount_cents) };
  await returnPurchase(tx, order, parts);
  await markWaitingClosed(tx, id, { status: 'made', by, at: parts.now, refusal: null });
}

export async function refuseReturn(
  tx: CustomerTx,
  { id, by }: Decision,
  refusal: string,
  { now }: Pick<EventContext, 'now'>,
): Promise<void> {
  await lockOpen(tx, id);
  await markWaitingClosed(tx, id, { status: 'refused', by, at: now, refusal });
}

async function lockOpen(tx: CustomerTx, id: string): Promise<WaitingReturnRow> {
  const asked = (await lockWaitingReturn(tx, id))!;
  if (asked.status !== 'waiting') throw returnClosed(asked.status);
  return asked;
}
