import { cents, toReais } from '#core/values/money.ts';
import { type Entry, post } from '#ledger';
import type { CustomerTx } from '#platform/database/customer-transaction.ts';
import { chargeEventIds, type Pix } from '../pix.ts';
import type { ChargeRow } from '../store/charges.ts';

export const REFUND_POSTING = 'refund';

export async function postRefund(
  tx: CustomerTx,
  pix: Pix,
  { customer_id, installment_id }: ChargeRow,
  refund: { id: string; amountCents: number; settledAt: Date },
): Promise<void> {
  const entries: Entry[] = [
    { account: 'pix_clearing', installmentId: installment_id, amountCents: -refund.amountCents },
    { account: 'refunds_payable', installmentId: installment_id, amountCents: refund.amountCents },
  ];
  const reference = `${REFUND_POSTING} ${refund.id}`;
  const posting = { customerId: customer_id, reference, kind: REFUND_POSTING, occurredAt: refund.settledAt };
  post(tx, { ...posting, entries }, pix.clock.now());
}

export async function emitRefunded(
  tx: CustomerTx,
  { events, clock }: Pix,
  charge: ChargeRow,
  endToEndId: string,
  { amountCents, reason }: { amountCents: number; reason: 'too_much' | 'taken_back' },
): Promise<void> {
  const data = {
    ...chargeEventIds(charge),
    amount: toReais(cents(amountCents)),
    reason,
    end_to_end_id: endToEndId,
  };
  await events.emit(tx, { type: 'pix.refunded', customerId: charge.customer_id, data }, clock.now());
}
