import { YEAR_DAYS } from '#core/cashback.ts';
import type { CustomerRange } from '#ledger';
import { sql, type Tx } from '#platform/db.ts';
import type { Kind } from './store/movements.ts';

export type AuditedMovement = {
  customer_id: string;
  position: number;
  id: string;
  kind: Kind;
  amount_cents: number;
  balance_after_cents: number;
  earned_after_cents: number;
  expires_on: string | null;
  of_position: number | null;
  posting_kind: string | null;
  /** When what it was posted for happened. */
  caused_at: Date | null;
  /** What the entries of its posting come to. */
  owed_cents: number | null;
  expense_cents: number | null;
};

export async function listAuditedMovements(
  tx: Tx,
  { after, upTo }: CustomerRange,
): Promise<AuditedMovement[]> {
  return tx.rows(sql`
    select m.customer_id, m.position, m.id, m.kind, m.amount_cents, m.balance_after_cents,
           m.earned_after_cents, m.expires_on, m.of_position, p.kind as posting_kind,
           p.occurred_at as caused_at, e.owed_cents, e.expense_cents
    from cashback_movements m
    left join ledger_postings p on p.customer_id = m.customer_id and p.id = m.posting_id
    left join lateral (
      select (sum(amount_cents) filter (where account = 'cashback_owed'))::bigint as owed_cents,
             (sum(amount_cents) filter (where account = 'cashback_expense'))::bigint as expense_cents
      from ledger_entries where customer_id = m.customer_id and posting_id = m.posting_id) as e on true
    where m.customer_id > ${after} and m.customer_id <= ${upTo}
    order by m.customer_id, m.position`);
}

/** Postings that touch cashback and are not in the statement. */
export async function listPostingsWithoutMovement(
  tx: Tx,
  { after, upTo }: CustomerRange,
): Promise<Array<{ customer_id: string; reference: string }>> {
  return tx.rows(sql`
    select distinct p.customer_id, p.reference
    from ledger_entries e join ledger_postings p on p.customer_id = e.customer_id and p.id = e.posting_id
    where e.customer_id > ${after} and e.customer_id <= ${upTo}
      and e.account in ('cashback_owed', 'cashback_expense')
      and not exists (select from cashback_movements m
                      where m.customer_id = e.customer_id and m.posting_id = e.posting_id)`);
}

export type AuditedLot = {
  customer_id: string;
  position: number;
  installment_id: string | null;
  expires_on: string;
  amount_cents: number;
  remaining_cents: number;
  expired_cents: number;
  reversed_at: Date | null;
};

export async function listAuditedLots(tx: Tx, { after, upTo }: CustomerRange): Promise<AuditedLot[]> {
  return tx.rows(sql`
    select * from cashback_lots where customer_id > ${after} and customer_id <= ${upTo}
    order by customer_id, position`);
}

export type AuditedInvitation = {
  customer_id: string;
  invited_id: string;
  invited_at: Date;
  rewarded_at: Date | null;
  reward_cents: number | null;
  referrer_reward_cents: number;
  invited_reward_cents: number;
  /** What was credited for invitations in the year before, taken back since or not. */
  rewards_before: number;
  is_listed: boolean;
  /** What stands in the two statements for it, and was not taken back. */
  referrer_credited_cents: number | null;
  invited_credited_cents: number | null;
  /** The first settled installment of the invited. */
  first_paid_at: Date | null;
};

/** The invitations made by these customers. */
export async function listAuditedInvitations(
  tx: Tx,
  { after, upTo }: CustomerRange,
): Promise<AuditedInvitation[]> {
  return tx.rows(sql`
    select i.customer_id, i.invited_id, i.invited_at, i.rewarded_at, i.reward_cents, i.referrer_reward_cents,
           i.invited_reward_cents,
           (select count(*) from cashback_movements m
            where m.customer_id = i.customer_id and m.kind = 'referral'
              and m.occurred_at between i.rewarded_at - make_interval(days => ${YEAR_DAYS}) and i.rewarded_at) as rewards_before,
           exists (select from referrers r where r.customer_id = i.invited_id and r.referrer_id = i.customer_id)
             as is_listed,
           (select amount_cents from cashback_lots l
            where l.customer_id = i.customer_id and l.position = i.referrer_position and l.reversed_at is null)
             as referrer_credited_cents,
           (select amount_cents from cashback_lots l
            where l.customer_id = i.invited_id and l.position = i.invited_position and l.reversed_at is null)
             as invited_credited_cents,
           (select min(paid_at) from installments n where n.customer_id = i.invited_id) as first_paid_at
    from invitations i where i.customer_id > ${after} and i.customer_id <= ${upTo}`);
}

/** Referral cashback that no invitation accounts for. */
export async function listStrayRewards(
  tx: Tx,
  { after, upTo }: CustomerRange,
): Promise<Array<{ customer_id: string; id: string }>> {
  return tx.rows(sql`
    select c.customer_id, c.id from cashback_credits c
    where c.customer_id > ${after} and c.customer_id <= ${upTo} and c.kind = 'referral' and c.reversed_at is null
      and not exists (select from invitations i
                      where i.customer_id = c.customer_id and i.referrer_position = c.position)
      and not exists (select from referrers r join invitations i
                        on i.customer_id = r.referrer_id and i.invited_id = r.customer_id
                      where r.customer_id = c.customer_id and i.invited_position = c.position)`);
}
