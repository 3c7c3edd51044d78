import { toReais } from '#core/values/money.ts';
import type { Tx } from '#platform/database/db.ts';
import { project } from '#platform/http/project.ts';
import type { MemberRef } from '../member-ref.ts';
import { type CheckoutRecord, toCheckoutRecord } from '../purchases/checkout-record.ts';
import { type Merchants, withCurrentMerchants } from '../purchases/current-merchant.ts';
import { findCheckoutRecord } from '../purchases/reading-store.ts';
import type { BalanceChange } from './request-return.ts';
import type { CompletedReturn, ReturnOrder } from './return-purchase.ts';
import { StaffWaitingReturn, WaitingReturn } from './schemas.ts';
import type { WaitingReturnRow } from './waiting-store.ts';

/** Renders a completed return. Refunds are identified by their payment, without the payer. */
export function renderReturn(
  completed: CompletedReturn,
  { reason }: Pick<ReturnOrder, 'reason'>,
  author: MemberRef = null,
) {
  return {
    id: completed.id,
    amount: toReais(completed.amount),
    reason,
    returned_at: completed.returnedAt.toISOString(),
    refunds: completed.refunds.map(({ reference, amountCents }) => ({
      end_to_end_id: reference,
      amount: toReais(amountCents),
    })),
    cashback: toReais(completed.credited),
    by: author,
  };
}

/** Renders the effect of a return on the merchant's balance. */
export const renderReturnPreview = ({
  owedBefore,
  owedAfter,
  wouldWait,
}: BalanceChange & { wouldWait: boolean }) => ({
  would_wait: wouldWait,
  merchant: { owed_before: toReais(owedBefore), owed_after: toReais(owedAfter) },
});

/** Renders a return that needed approval, for its merchant. */
export const renderWaitingReturn = (row: WaitingReturnRow, author: MemberRef) => ({
  ...project(WaitingReturn, row),
  by: author,
});

export const renderStaffWaitingReturn = (row: WaitingReturnRow) => ({
  ...project(StaffWaitingReturn, row),
  merchant: { slug: row.merchant_slug, name: row.merchant_name },
});

export type StaffWaitingReturnView = ReturnType<typeof renderStaffWaitingReturn>;

/** Finds the purchase after a return, in the same transaction. */
export async function findReturnedCheckout(
  tx: Tx,
  { customerId, hash }: Pick<ReturnOrder, 'customerId' | 'hash'>,
  merchants: Merchants,
): Promise<CheckoutRecord<string>> {
  const [row] = await withCurrentMerchants([(await findCheckoutRecord(tx, customerId, hash))!], merchants);
  return toCheckoutRecord(row!);
}
