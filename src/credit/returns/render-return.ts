import { toReais } from '#core/money.ts';
import type { Tx } from '#platform/database/db.ts';
import { shown } from '#platform/http/shown.ts';
import type { By } from '../by.ts';
import { type CheckoutRecord, toCheckoutRecord } from '../purchases/checkout-record.ts';
import { type Merchants, showMerchants } from '../purchases/current-merchant.ts';
import { findCheckoutRecord } from '../purchases/reading-store.ts';
import type { DebtChange } from './ask-return.ts';
import type { MadeReturn, ReturnOrder } from './return-purchase.ts';
import { StaffWaitingReturn, WaitingReturn } from './schemas.ts';
import type { WaitingReturnRow } from './waiting-store.ts';

/** The result of a return. The payer is not shown: a refund is named by its payment alone. */
export function renderReturn(made: MadeReturn, { reason }: Pick<ReturnOrder, 'reason'>, by: By = null) {
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
    by,
  };
}

/** What a return would do to its merchant. */
export const renderPreview = ({ owedBefore, owedAfter, wouldWait }: DebtChange & { wouldWait: boolean }) => ({
  would_wait: wouldWait,
  merchant: { owed_before: toReais(owedBefore), owed_after: toReais(owedAfter) },
});

/** A return that waits or waited, for the merchant who asked for it. */
export const renderWaiting = (row: WaitingReturnRow, by: By) => ({ ...shown(WaitingReturn, row), by });

export const renderWaitingForStaff = (row: WaitingReturnRow) => ({
  ...shown(StaffWaitingReturn, row),
  merchant: { slug: row.merchant_slug, name: row.merchant_name },
});

export type RenderedWaiting = ReturnType<typeof renderWaitingForStaff>;

/** The purchase after it, in the same transaction. */
export async function readReturned(
  tx: Tx,
  { customerId, hash }: Pick<ReturnOrder, 'customerId' | 'hash'>,
  merchants: Merchants,
): Promise<CheckoutRecord<string>> {
  const [row] = await showMerchants([(await findCheckoutRecord(tx, customerId, hash))!], merchants);
  return toCheckoutRecord(row!);
}
