import { Type } from 'typebox';
import { findEarliestValidInvitation } from '#core/finance/cashback.ts';
import { type Day, saoPauloDay } from '#core/values/day.ts';
import { filterByCustomer } from '#customers';
import { type Sql, sql } from '#platform/database/db.ts';
import { buildListQuery, defineList, filterBy, filterByDays } from '#platform/http/list.ts';
import type { ListQuery } from '#platform/http/list-query.ts';
import { Text } from '#platform/http/schemas.ts';
import { describeSearch } from '#platform/http/search.ts';
import type { StatementRow } from './reading-store.ts';
import { CASHBACK_KINDS } from './store/cashback.ts';
import type { Invitation } from './store/invitations.ts';

export type StaffMovementRow = StatementRow & { customer_id: string };

/** The cashback entries of all customers. Leaves out unwritten expiries. */
export const movementList = defineList({
  select: sql`
    select customer_id, position, id, kind, amount_cents, balance_after_cents, description, checkout_hash, installment_id,
           occurred_at, expires_on
    from cashback_movements`,
  filters: {
    kind: filterBy(Type.Enum([...CASHBACK_KINDS]), sql`kind`),
    customer: filterByCustomer(sql`customer_id`),
    ...filterByDays('Recorded', sql`occurred_at`),
  },
  search: {
    description: describeSearch('the hash of a purchase'),
    customerColumn: sql`customer_id`,
    ownedIdColumns: [sql`checkout_hash`],
  },
  orderBy: [sql`occurred_at`, sql`id`],
  keyOf: ({ occurred_at, id }: StaffMovementRow) => [occurred_at, id],
  sumColumn: sql`amount_cents`,
});

export const REFERRAL_STATUSES = ['registered', 'held', 'rewarded', 'refused', 'expired'] as const;
type ReferralStatus = (typeof REFERRAL_STATUSES)[number];

export type StaffReferralRow = Invitation & {
  customer_id: string;
  reward_cents: number | null;
  status: ReferralStatus;
};

const earliestValid = (now: Date): Date =>
  new Date(findEarliestValidInvitation(saoPauloDay(now.getTime()) as Day));

const IS_OPEN = sql`rewarded_at is null and held_at is null and reward_outcome is distinct from 'refused'`;
const statusConditions = (now: Date): Record<ReferralStatus, Sql> => ({
  registered: sql`${IS_OPEN} and invited_at >= ${earliestValid(now)}`,
  held: sql`held_at is not null`,
  rewarded: sql`rewarded_at is not null`,
  refused: sql`reward_outcome = 'refused'`,
  expired: sql`${IS_OPEN} and invited_at < ${earliestValid(now)}`,
});

/** Invitations. Their status `expired` is computed from the time. */
export const referralList = defineList({
  select: (now) => sql`
    select customer_id, invited_id, invited_at, referrer_reward_cents, invited_reward_cents, rewarded_at, reward_cents,
           held_at, reward_outcome,
           case when rewarded_at is not null then 'rewarded' when held_at is not null then 'held'
                when reward_outcome = 'refused' then 'refused' when invited_at < ${earliestValid(now)} then 'expired'
                else 'registered' end as status
    from invitations`,
  filters: {
    status: filterBy(
      Type.Enum([...REFERRAL_STATUSES]),
      (status: ReferralStatus, now) => statusConditions(now)[status],
    ),
    referrer: filterByCustomer(sql`customer_id`, Text(80, { description: 'Id or phone of the referrer.' })),
    ...filterByDays('Invited', sql`invited_at`),
  },
  orderBy: [sql`invited_at`, sql`invited_id`],
  keyOf: ({ invited_at, invited_id }: StaffReferralRow) => [invited_at, invited_id],
});

/** The query of one invitation. */
export function referralQuery(referrerId: string, invitedId: string, now: Date): ListQuery<StaffReferralRow> {
  const query = buildListQuery(referralList, { referrer: referrerId }, now);
  return { ...query, where: [...query.where, sql`invited_id = ${invitedId}`] };
}
