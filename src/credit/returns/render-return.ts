import { toReais } from '#core/money.ts';
import type { Tx } from '#platform/database/db.ts';
import { type CheckoutRecord, toCheckoutRecord } from '../purchases/checkout-record.ts';
import { type Merchants, showMerchants } from '../purchases/current-merchant.ts';
import { findCheckoutRecord } from '../purchases/reading-store.ts';
import type { MadeReturn, ReturnOrder } from './return-purchase.ts';

/** The result of a return. The payer is not shown: a refund is named by its payment alone. */
export function renderReturn(made: MadeReturn, { reason }: Pick<ReturnOrder, 'reason'>) {
  return {
    id: made.id,
    amount: toReais(made.amount),
    reason,
    returned_at: made.returnedAt.toISOString(),
    refunds: made.refunds.map(({ reference, amountCents }) => ({
      end_to_end_id: reference,
      amount: toReais(amountCents),
    })),
    cashback: toReais(made.credited),
  };
}

/** The purchase after it, in the same transaction. */
export async function readReturned(
  tx: Tx,
  { customerId, hash }: Pick<ReturnOrder, 'customerId' | 'hash'>,
  merchants: Merchants,
): Promise<CheckoutRecord<string>> {
  const [row] = await showMerchants([(await findCheckoutRecord(tx, customerId, hash))!], merchants);
  return toCheckoutRecord(row!);
}
