import type { Day } from '#core/day.ts';
import { sql, type Tx } from '#platform/db.ts';

export const CASHBACK_KINDS = ['earned', 'referral', 'redeemed', 'expired', 'reversed', 'adjusted'] as const;
export type Kind = (typeof CASHBACK_KINDS)[number];

/** A line of the statement. Position, amount and balance are filled in by the database, from the book. */
export type NewMovement = {
  readonly customerId: string;
  readonly id: string;
  readonly postingId: number;
  readonly kind: Kind;
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
  const { customerId, id, postingId, kind, description, checkoutHash, occurredAt } = movement;
  const row = await tx.row<Written>(sql`
    with movement as (
      insert into cashback_movements (customer_id, id, posting_id, kind, description, checkout_hash, occurred_at,
                                      expires_on)
      values (${customerId}, ${id}, ${postingId}, ${kind}, ${description}, ${checkoutHash}, ${occurredAt},
              ${expiresOn})
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
  const { customerId, id, postingId, kind, description, checkoutHash, occurredAt } = movement;
  const row = await tx.row<Written>(sql`
    insert into cashback_movements (customer_id, id, posting_id, kind, description, checkout_hash, occurred_at,
                                    of_position)
    values (${customerId}, ${id}, ${postingId}, ${kind}, ${description}, ${checkoutHash}, ${occurredAt},
            ${ofPosition})
    returning position, amount_cents, balance_after_cents`);
  return row!;
}

/** Whether something was posted for this customer under this reference. */
export async function isPosted(tx: Tx, customerId: string, reference: string): Promise<boolean> {
  const row = await tx.row<{ exists: boolean }>(sql`
    select exists (select from ledger_postings where customer_id = ${customerId} and reference = ${reference})`);
  return row!.exists;
}
