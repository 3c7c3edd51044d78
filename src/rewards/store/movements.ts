import type { Day } from '#core/values/day.ts';
import { selectPostingByReference } from '#ledger';
import { batchable } from '#platform/database/batchable.ts';
import type { CustomerTx } from '#platform/database/customer-transaction.ts';
import { sql } from '#platform/database/db.ts';
import { pluck } from '#platform/database/pluck.ts';

export const CASHBACK_KINDS = ['earned', 'referral', 'redeemed', 'expired', 'reversed', 'adjusted'] as const;
export type CashbackKind = (typeof CASHBACK_KINDS)[number];

/** A line of the statement and the reference of its posting. A trigger sets position and sums from the previous line. */
type NewMovement = {
  readonly customerId: string;
  readonly id: string;
  readonly reference: string;
  readonly kind: CashbackKind;
  /** Positive for a credit. */
  readonly amountCents: number;
  readonly description: string;
  readonly checkoutHash: string | null;
  /** The installment of the line, if any. */
  readonly installmentId: string | null;
  readonly occurredAt: Date;
};

/** Position and balance of the last line of a statement. */
export type LastLine = { position: number; balance_cents: number };

/** Finds the last line, and whether lots that expired before today have no line yet. The caller has locked the customer. */
export async function findLastLine(
  tx: CustomerTx,
  customerId: string,
  today: Day,
): Promise<LastLine & { has_expired: boolean }> {
  return (await tx.row<LastLine & { has_expired: boolean }>(findLastLines({ customerId, today })))!;
}

const findLastLines = batchable(
  (rows: ReadonlyArray<{ customerId: string; today: Day }>, owner) => sql`
    select k.customer_id, coalesce(m.position, 0) as position, coalesce(m.balance_after_cents, 0) as balance_cents,
           exists (select from cashback_lots l
                   where l.customer_id = ${owner} and l.remaining_cents > 0 and l.expires_on < k.today) as has_expired
    from unnest(${pluck(rows, 'customerId')}::text[], ${pluck(rows, 'today')}::date[]) as k (customer_id, today)
    left join lateral (
      select position, balance_after_cents from cashback_movements
      where customer_id = ${owner} order by position desc limit 1) as m on true`,
);

/** Writes the line and its lot. A negative balance reduces the remaining amount of the lot. */
export function insertCredit(
  tx: CustomerTx,
  movement: NewMovement,
  { expiresOn, earnedBy }: { expiresOn: Day; earnedBy: string | null },
): void {
  tx.write(insertMovements({ ...movement, expiresOn, ofPosition: null }));
  tx.write(insertLots({ ...movement, earnedBy }));
}

export function insertDebit(tx: CustomerTx, movement: NewMovement, ofPosition: number | null): void {
  tx.write(insertMovements({ ...movement, expiresOn: null, ofPosition }));
}

const insertMovements = batchable(
  (rows: ReadonlyArray<NewMovement & { expiresOn: Day | null; ofPosition: number | null }>, owner) => sql`
    insert into cashback_movements (customer_id, id, posting_id, kind, amount_cents, description, checkout_hash,
                                    installment_id, occurred_at, expires_on, of_position)
    select p.customer_id, k.id, p.posting_id, k.kind, k.amount_cents, k.description, k.checkout_hash, k.installment_id,
           k.occurred_at, k.expires_on, k.of_position
    from unnest(${pluck(rows, 'customerId')}::text[], ${pluck(rows, 'reference')}::text[], ${pluck(rows, 'id')}::text[],
                ${pluck(rows, 'kind')}::text[], ${pluck(rows, 'amountCents')}::bigint[],
                ${pluck(rows, 'description')}::text[], ${pluck(rows, 'checkoutHash')}::text[],
                ${pluck(rows, 'installmentId')}::text[], ${pluck(rows, 'occurredAt')}::timestamptz[],
                ${pluck(rows, 'expiresOn')}::date[], ${pluck(rows, 'ofPosition')}::bigint[])
         as k (customer_id, reference, id, kind, amount_cents, description, checkout_hash, installment_id, occurred_at,
               expires_on, of_position)
    cross join lateral ${selectPostingByReference(owner, sql`k.reference`)} as p`,
);

const insertLots = batchable(
  (rows: ReadonlyArray<NewMovement & { earnedBy: string | null }>, owner) => sql`
    insert into cashback_lots (customer_id, position, installment_id, expires_on, amount_cents, remaining_cents)
    select m.customer_id, m.position, k.installment_id, m.expires_on, m.amount_cents,
           least(m.amount_cents, greatest(0, m.balance_after_cents))
    from unnest(${pluck(rows, 'customerId')}::text[], ${pluck(rows, 'id')}::text[],
                ${pluck(rows, 'earnedBy')}::text[]) as k (customer_id, id, installment_id)
    join cashback_movements m on m.customer_id = ${owner} and m.id = k.id`,
);
