import { YEAR_DAYS } from '#core/finance/cashback.ts';
import { listDatesMinimumPaid } from '#credit';
import { listPostingBalances, type PostingBalances } from '#ledger';
import type { CustomerRange } from '#module';
import { pluck, sql, type Tx } from '#platform/database/db.ts';
import type { LotRow, MovementRow } from './store/cashback.ts';
import type { Invitation } from './store/invitations.ts';

type AuditedRow = Omit<MovementRow, 'description' | 'checkout_hash' | 'installment_id' | 'occurred_at'>;
export type AuditedMovement = AuditedRow & { posting: PostingBalances | undefined };

/** Lists the lines of the statements with their postings, and the postings on cashback accounts that have no line. */
export async function listAuditedMovements(
  tx: Tx,
  range: CustomerRange,
): Promise<{
  movements: AuditedMovement[];
  postingsWithoutLine: Array<{ customer_id: string; reference: string }>;
}> {
  const { afterId, lastId } = range;
  const rows = await tx.rows<AuditedRow>(sql`
    select customer_id, position, id, kind, amount_cents, balance_after_cents, earned_after_cents, expires_on,
           of_position, posting_id
    from cashback_movements
    where customer_id > ${afterId} and customer_id <= ${lastId}
    order by customer_id, position`);
  const cashbackPostings = await listPostingBalances(tx, range, [
    'cashback_owed',
    'cashback_expense',
    'cashback_clearing',
  ]);
  const postings = new Map(
    cashbackPostings.map((posting) => [`${posting.customer_id} ${posting.id}`, posting]),
  );
  const movements = rows.map((row) => {
    const key = `${row.customer_id} ${row.posting_id}`;
    const posting = postings.get(key);
    // A posting belongs to one line only.
    postings.delete(key);
    return { ...row, posting };
  });
  // A posting that touches only cashback_clearing is the receipt of spent cashback, whose line belongs to the posting of the debit.
  const postingsWithoutLine = [...postings.values()].filter(
    ({ balances }) => 'cashback_owed' in balances || 'cashback_expense' in balances,
  );
  return { movements, postingsWithoutLine };
}

export type AuditedLot = Omit<LotRow, 'id' | 'checkout_hash' | 'occurred_at'> & {
  customer_id: string;
  reversed_at: Date | null;
};

export const listAuditedLots = (tx: Tx, { afterId, lastId }: CustomerRange) =>
  tx.rows<AuditedLot>(sql`
    select * from cashback_lots where customer_id > ${afterId} and customer_id <= ${lastId}
    order by customer_id, position`);

export type AuditedInvitation = Invitation & {
  customer_id: string;
  /** The recorded reward of the referrer: `referrer_reward_cents`, or 0 above the maximum number of rewards per year. */
  reward_cents: number | null;
  min_paid_cents: number;
  /** Count of the referrer's rewards in the year before this one, including reversed rewards. */
  previous_reward_count: number;
  /** Whether the invited customer's stored referrer is the customer who sent this invitation. */
  is_current_referrer: boolean;
  /** The credits for this invitation in both statements; null if there is no credit or it was reversed. */
  referrer_credited_cents: number | null;
  invited_credited_cents: number | null;
  /** When the invited customer had paid `min_paid_cents`; null before that. */
  minimum_paid_at: Date | null;
};

type InvitationRow = Omit<
  AuditedInvitation,
  'is_current_referrer' | 'invited_credited_cents' | 'minimum_paid_at'
> & {
  invited_position: number | null;
};

/** Lists the invitations by these customers, with each invited customer's referrer, credit and date of the minimum payment. */
export async function listAuditedInvitations(tx: Tx, { afterId, lastId }: CustomerRange) {
  const rows = await tx.rows<InvitationRow>(sql`
    select invitation.customer_id, invitation.invited_id, invitation.invited_at, invitation.rewarded_at, invitation.held_at,
           invitation.reward_outcome, invitation.reward_cents, invitation.referrer_reward_cents, invitation.invited_reward_cents,
           invitation.min_paid_cents, invitation.invited_position,
           (select count(*) from cashback_movements movement
            where movement.customer_id = invitation.customer_id and movement.kind = 'referral'
              and movement.occurred_at between invitation.rewarded_at - make_interval(days => ${YEAR_DAYS})
                and invitation.rewarded_at) as previous_reward_count,
           (select amount_cents from cashback_lots lot
            where lot.customer_id = invitation.customer_id and lot.position = invitation.referrer_position and lot.reversed_at is null)
             as referrer_credited_cents
    from invitations invitation where invitation.customer_id > ${afterId} and invitation.customer_id <= ${lastId}`);
  const referrers = await listReferrers(tx, pluck(rows, 'invited_id'));
  const paidDates = await listDatesMinimumPaid(
    tx,
    rows.map((row) => ({ customerId: row.invited_id, minCents: row.min_paid_cents })),
  );
  const invitedCredits = await listInvitedCredits(tx, rows);
  return rows.map(({ invited_position, ...row }) => ({
    ...row,
    is_current_referrer: referrers.get(row.invited_id) === row.customer_id,
    invited_credited_cents: invitedCredits.get(`${row.invited_id} ${invited_position}`) ?? null,
    minimum_paid_at: paidDates.get(row.invited_id) ?? null,
  }));
}

async function listReferrers(tx: Tx, customerIds: readonly string[]): Promise<Map<string, string>> {
  const rows = await tx.rows<{ customer_id: string; referrer_id: string }>(
    sql`select customer_id, referrer_id from referrers where customer_id = any(${customerIds})`,
  );
  return new Map(rows.map(({ customer_id, referrer_id }) => [customer_id, referrer_id]));
}

/** Returns the unreversed credits of the invited customers, by customer and position. May include other credits at the same positions. */
async function listInvitedCredits(tx: Tx, rows: readonly InvitationRow[]): Promise<Map<string, number>> {
  const lots = await tx.rows<{ customer_id: string; position: number; amount_cents: number }>(sql`
    select customer_id, position, amount_cents from cashback_lots
    where customer_id = any(${rows.map(({ invited_id }) => invited_id)})
      and position = any(${rows.map(({ invited_position }) => invited_position)}) and reversed_at is null`);
  return new Map(lots.map((lot) => [`${lot.customer_id} ${lot.position}`, lot.amount_cents]));
}

/** Lists unreversed referral credits that belong neither to an invitation that the customer sent nor to one that they accepted. */
export async function listUnexplainedRewards(tx: Tx, { afterId, lastId }: CustomerRange) {
  const rewards = await tx.rows<{ customer_id: string; id: string; position: number }>(sql`
    select credit.customer_id, credit.id, credit.position from cashback_credits credit
    where credit.customer_id > ${afterId} and credit.customer_id <= ${lastId} and credit.kind = 'referral' and credit.reversed_at is null
      and not exists (select from invitations invitation
                      where invitation.customer_id = credit.customer_id and invitation.referrer_position = credit.position)`);
  const referrers = await listReferrers(tx, pluck(rewards, 'customer_id'));
  const invitations = await tx.rows<{ invited_id: string; invited_position: number | null }>(sql`
    select invited_id, invited_position from invitations
    where customer_id = any(${[...referrers.values()]}) and invited_id = any(${[...referrers.keys()]})`);
  const explainedKeys = new Set(invitations.map((row) => `${row.invited_id} ${row.invited_position}`));
  return rewards.filter(({ customer_id, position }) => !explainedKeys.has(`${customer_id} ${position}`));
}
