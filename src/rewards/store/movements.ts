import type { Day } from '#core/day.ts';
import { sql, type Tx } from '#platform/db.ts';

export const CASHBACK_KINDS = ['earned', 'referral', 'redeemed', 'expired', 'reversed', 'adjusted'] as const;
export type Kind = (typeof CASHBACK_KINDS)[number];

/** A line of the statement, with what was posted for it. Position and sums are filled in by the database, from the line before. */
export type NewMovement = {
  readonly customerId: string;
  readonly id: string;
  readonly postingId: number;
  readonly kind: Kind;
  /** Above zero: the customer has more. */
  readonly amountCents: number;
  readonly description: string;
  readonly checkoutHash: string | null;
  readonly occurredAt: Date;
};

export type Written = { position: number; amount_cents: number; balance_after_cents: number };

/** Writes the line and the lot it brings. Of a lot that meets a debt only what is over remains. */
export async function insertCredit(
  tx: Tx,
  movement: NewMovement,
  { expiresOn, installmentId }: { expiresOn: Day; installmentId: string | null },
): Promise<Written> {
  const { customerId, id, postingId, kind, amountCents, description, checkoutHash, occurredAt } = movement;
  const row = await tx.row<Written>(sql`
    with movement as (
      insert into cashback_movements (customer_id, id, posting_id, kind, amount_cents, description, checkout_hash,
                                      occurred_at, expires_on)
      values (${customerId}, ${id}, ${postingId}, ${kind}, ${amountCents}, ${description}, ${checkoutHash},
              ${occurredAt}, ${expiresOn})
      returning *
    ), lot as (
      insert into cashback_lots (customer_id, position, installment_id, expires_on, amount_cents, remaining_cents)
      select customer_id, position, ${installmentId}, expires_on, amount_cents,
             least(amount_cents, greatest(0, balance_after_cents))
      from movement)
    select position, amount_cents, balance_after_cents from movement`);
  return row!;
}

export async function insertDebit(
  tx: Tx,
  movement: NewMovement,
  ofPosition: number | null,
): Promise<Written> {
  const { customerId, id, postingId, kind, amountCents, description, checkoutHash, occurredAt } = movement;
  const row = await tx.row<Written>(sql`
    insert into cashback_movements (customer_id, id, posting_id, kind, amount_cents, description, checkout_hash,
                                    occurred_at, of_position)
    values (${customerId}, ${id}, ${postingId}, ${kind}, ${amountCents}, ${description}, ${checkoutHash},
            ${occurredAt}, ${ofPosition})
    returning position, amount_cents, balance_after_cents`);
  return row!;
}
