import { toReais } from '#core/values/money.ts';
import { listMemberNames } from '#members';
import type { Queryable } from '#platform/database/db.ts';
import { project } from '#platform/http/project.ts';
import { listStaffNames } from '#staff';
import type { RecordCreator } from '../fields.ts';
import type { BalanceChange, CompletedReturn, ReturnOrder } from './return-purchase.ts';
import { StaffWaitingReturn, WaitingReturn } from './schemas.ts';
import type { WaitingReturnRow } from './waiting-store.ts';

/** Renders a completed return. Refunds are identified by their payment, without the payer. */
export function renderReturn(
  completedReturn: CompletedReturn,
  { reason }: Pick<ReturnOrder, 'reason'>,
  author: RecordCreator = null,
) {
  return {
    id: completedReturn.id,
    amount: toReais(completedReturn.amount),
    reason,
    returned_at: completedReturn.returnedAt.toISOString(),
    refunds: completedReturn.refunds.map(({ reference, amountCents }) => ({
      end_to_end_id: reference,
      amount: toReais(amountCents),
    })),
    cashback: toReais(completedReturn.credited),
    by: author,
  };
}

export const renderReturnPreview = ({
  owedBefore,
  owedAfter,
  wouldWait,
}: BalanceChange & { wouldWait: boolean }) => ({
  would_wait: wouldWait,
  merchant: { owed_before: toReais(owedBefore), owed_after: toReais(owedAfter) },
});

export const renderWaitingReturn = (row: WaitingReturnRow, author: RecordCreator) => ({
  ...project(WaitingReturn, row),
  by: author,
});

export const renderStaffWaitingReturn = (row: WaitingReturnRow) => ({
  ...project(StaffWaitingReturn, row),
  merchant: { slug: row.merchant_slug, name: row.merchant_name },
});

export type StaffWaitingReturnView = ReturnType<typeof renderStaffWaitingReturn>;

/** Returns the names of staff users and members of merchants by id. API keys have no name. */
export async function listAuthorNames(db: Queryable, ids: readonly string[]) {
  if (ids.length === 0) return new Map();
  const [staffUsers, members] = await Promise.all([listStaffNames(db, ids), listMemberNames(db, ids)]);
  return new Map([...staffUsers, ...members]);
}
