import { YEAR_DAYS } from '#core/cashback.ts';
import { listPaidOff } from '#credit';
import { listPostingBalances, type PostingBalances } from '#ledger';
import type { CustomerRange } from '#module';
import { sql, type Tx } from '#platform/database/db.ts';
import { pluck } from '#platform/database/pluck.ts';
import type { Invitation } from './store/invitations.ts';
import type { LotRow } from './store/lots.ts';
import type { Kind } from './store/movements.ts';

type MovementRow = {
  customer_id: string;
  position: number;
  id: string;
  kind: Kind;
  amount_cents: number;
  balance_after_cents: number;
  earned_after_cents: number;
  expires_on: string | null;
  of_position: number | null;
  posting_id: number;
};

export type AuditedMovement = MovementRow & { posting: PostingBalances | undefined };

/** The lines of the statements next to their postings; and postings on cashback accounts without a line. */
export async function listAuditedMovements(
  tx: Tx,
  range: CustomerRange,
): Promise<{ movements: AuditedMovement[]; unstated: Array<{ customer_id: string; reference: string }> }> {
  const { after, upTo } = range;
  const rows = await tx.rows<MovementRow>(sql`
    select customer_id, position, id, kind, amount_cents, balance_after_cents, earned_after_cents, expires_on,
           of_position, posting_id
    from cashback_movements
    where customer_id > ${after} and customer_id <= ${upTo}
    order by customer_id, position`);
  const posted = await listPostingBalances(tx, range, [
    'cashback_owed',
    'cashback_expense',
    'cashback_clearing',
  ]);
  const postings = new Map(posted.map((posting) => [`${posting.customer_id} ${posting.id}`, posting]));
  const movements = rows.map((row) => {
    const name = `${row.customer_id} ${row.posting_id}`;
    const posting = postings.get(name);
    postings.delete(name);
    return { ...row, posting };
  });
  // A receipt takes from the clearing account what a line of the statement had put there.
  const unstated = [...postings.values()].filter(
    ({ balances }) => 'cashback_owed' in balances || 'cashback_expense' in balances,
  );
  return { movements, unstated };
}

export type AuditedLot = Omit<LotRow, 'id' | 'checkout_hash' | 'occurred_at'> & {
  customer_id: string;
  reversed_at: Date | null;
};

export async function listAuditedLots(tx: Tx, { after, upTo }: CustomerRange): Promise<AuditedLot[]> {
  return tx.rows(sql`
    select * from cashback_lots where customer_id > ${after} and customer_id <= ${upTo}
    order by customer_id, position`);
}

export type AuditedInvitation = Invitation & {
  customer_id: string;
  reward_cents: number | null;
  min_paid_cents: number;
  /** What was credited for invitations in the year before, taken back since or not. */
  rewards_before: number;
  is_listed: boolean;
  /** What the two statements have for it, without reversals. */
  referrer_credited_cents: number | null;
  invited_credited_cents: number | null;
  /** When the invited had paid enough for it. */
  paid_off_at: Date | null;
};

type OwnSide = Omit<AuditedInvitation, 'is_listed' | 'invited_credited_cents' | 'paid_off_at'> & {
  invited_position: number | null;
};

/** The invitations made by these customers, next to the facts about the invited. */
export async function listAuditedInvitations(
  tx: Tx,
  { after, upTo }: CustomerRange,
): Promise<AuditedInvitation[]> {
  const rows = await tx.rows<OwnSide>(sql`
    select i.customer_id, i.invited_id, i.invited_at, i.rewarded_at, i.reward_cents, i.referrer_reward_cents,
           i.invited_reward_cents, i.min_paid_cents, i.invited_position,
           (select count(*) from cashback_movements m
            where m.customer_id = i.customer_id and m.kind = 'referral'
              and m.occurred_at between i.rewarded_at - make_interval(days => ${YEAR_DAYS}) and i.rewarded_at) as rewards_before,
           (select amount_cents from cashback_lots l
            where l.customer_id = i.customer_id and l.position = i.referrer_position and l.reversed_at is null)
             as referrer_credited_cents
    from invitations i where i.customer_id > ${after} and i.customer_id <= ${upTo}`);
  const referrers = await listReferrers(tx, pluck(rows, 'invited_id'));
  const paidOff = await listPaidOff(
    tx,
    rows.map((row) => ({ customerId: row.invited_id, minCents: row.min_paid_cents })),
  );
  const credited = await listCredited(tx, rows);
  return rows.map(({ invited_position, ...row }) => ({
    ...row,
    is_listed: referrers.get(row.invited_id) === row.customer_id,
    invited_credited_cents: credited.get(`${row.invited_id} ${invited_position}`) ?? null,
    paid_off_at: paidOff.get(row.invited_id) ?? null,
  }));
}

async function listReferrers(tx: Tx, customerIds: readonly string[]): Promise<Map<string, string>> {
  const rows = await tx.rows<{ customer_id: string; referrer_id: string }>(
    sql`select customer_id, referrer_id from referrers where customer_id = any(${customerIds})`,
  );
  return new Map(rows.map(({ customer_id, referrer_id }) => [customer_id, referrer_id]));
}

/** What was credited to the invited and not taken back, by customer and position. */
async function listCredited(tx: Tx, rows: readonly OwnSide[]): Promise<Map<string, number>> {
  const found = await tx.rows<{ customer_id: string; position: number; amount_cents: number }>(sql`
    select customer_id, position, amount_cents from cashback_lots
    where customer_id = any(${rows.map(({ invited_id }) => invited_id)})
      and position = any(${rows.map(({ invited_position }) => invited_position)}) and reversed_at is null`);
  return new Map(found.map((lot) => [`${lot.customer_id} ${lot.position}`, lot.amount_cents]));
}

/** Referral cashback without an invitation, made by the customer or by the customer's inviter. */
export async function listStrayRewards(
  tx: Tx,
  { after, upTo }: CustomerRange,
): Promise<Array<{ customer_id: string; id: string }>> {
  const rewards = await tx.rows<{ customer_id: string; id: string; position: number }>(sql`
    select c.customer_id, c.id, c.position from cashback_credits c
    where c.customer_id > ${after} and c.customer_id <= ${upTo} and c.kind = 'referral' and c.reversed_at is null
      and not exists (select from invitations i
                      where i.customer_id = c.customer_id and i.referrer_position = c.position)`);
  const referrers = await listReferrers(tx, pluck(rewards, 'customer_id'));
  const accounted = await tx.rows<{ invited_id: string; invited_position: number | null }>(sql`
    select invited_id, invited_position from invitations
    where customer_id = any(${[...referrers.values()]}) and invited_id = any(${[...referrers.keys()]})`);
  const known = new Set(accounted.map((row) => `${row.invited_id} ${row.invited_position}`));
  return rewards.filter(({ customer_id, position }) => !known.has(`${customer_id} ${position}`));
}
