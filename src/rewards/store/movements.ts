import type { Day } from '#core/day.ts';
import { postedAs } from '#ledger';
import { sql, type Tx } from '#platform/db.ts';

export const CASHBACK_KINDS = ['earned', 'referral', 'redeemed', 'expired', 'reversed', 'adjusted'] as const;
export type Kind = (typeof CASHBACK_KINDS)[number];

/** A line of the statement, with what it was posted as. Position and sums are filled in by the database, from the line before. */
export type NewMovement = {
  readonly customerId: string;
  readonly id: string;
  readonly reference: string;
  readonly kind: Kind;
  /** Above zero: the customer has more. */
  readonly amountCents: number;
  readonly description: string;
  readonly checkoutHash: string | null;
  readonly occurredAt: Date;
};

/** The last line of a statement, which the next one follows. */
export type LastLine = { position: number; balance_cents: number };

/** With whether something has expired before today that is not written down yet. The customer is locked. */
export async function findLastLine(
  tx: Tx,
  customerId: string,
  today: Day,
): Promise<LastLine & { has_expired: boolean }> {
  const row = await tx.row<LastLine & { has_expired: boolean }>(sql`
    select coalesce(m.position, 0) as position, coalesce(m.balance_after_cents, 0) as balance_cents,
           exists (select from cashback_lots
                   where customer_id = ${customerId} and remaining_cents > 0 and expires_on < ${today}) as has_expired
    from (select 1) as always left join lateral (
      select position, balance_after_cents from cashback_movements
      where customer_id = ${customerId} order by position desc limit 1) as m on true`);
  return row!;
}

/** Writes the line and the lot it brings. Of a lot that meets a debt only what is over remains. */
export function insertCredit(
  tx: Tx,
  movement: NewMovement,
  { expiresOn, installmentId }: { expiresOn: Day; installmentId: string | null },
): void {
  const { customerId, id, reference, kind, amountCents, description, checkoutHash, occurredAt } = movement;
  tx.write(sql`
    insert into cashback_movements (customer_id, id, posting_id, kind, amount_cents, description, checkout_hash,
                                    occurred_at, expires_on)
    select p.customer_id, ${id}, p.posting_id, ${kind}, ${amountCents}, ${description}, ${checkoutHash},
           ${occurredAt}, ${expiresOn}
    from ${postedAs(customerId, reference)} as p`);
  tx.write(sql`
    insert into cashback_lots (customer_id, position, installment_id, expires_on, amount_cents, remaining_cents)
    select customer_id, position, ${installmentId}, expires_on, amount_cents,
           least(amount_cents, greatest(0, balance_after_cents))
    from cashback_movements where customer_id = ${customerId} and id = ${id}`);
}

export function insertDebit(tx: Tx, movement: NewMovement, ofPosition: number | null): void {
  const { customerId, id, reference, kind, amountCents, description, checkoutHash, occurredAt } = movement;
  tx.write(sql`
    insert into cashback_movements (customer_id, id, posting_id, kind, amount_cents, description, checkout_hash,
                                    occurred_at, of_position)
    select p.customer_id, ${id}, p.posting_id, ${kind}, ${amountCents}, ${description}, ${checkoutHash},
           ${occurredAt}, ${ofPosition}
    from ${postedAs(customerId, reference)} as p`);
}
