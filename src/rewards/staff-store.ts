import { invitedInTimeFrom } from '#core/cashback.ts';
import { type Day, saoPauloDay } from '#core/day.ts';
import { sql } from '#platform/database/db.ts';
import { type Listing, type Narrowing, onDays } from '#platform/http/listing.ts';
import { matchesSearch } from '#platform/http/search.ts';
import type { MovementRow } from './reading-store.ts';
import type { Invitation } from './store/invitations.ts';
import type { Kind } from './store/movements.ts';

export type StaffMovement = MovementRow & { customer_id: string };

type OfCustomer = Narrowing & { customerId?: string | undefined };
type MovementFilter = OfCustomer & { kind?: Kind | undefined };

/** Lines of all statements, as written. */
export const listedMovements = ({
  customerId,
  target,
  kind,
  ...days
}: MovementFilter): Listing<StaffMovement> => ({
  of: sql`
    select customer_id, position, id, kind, amount_cents, balance_after_cents, description, checkout_hash, installment_id,
           occurred_at, expires_on
    from cashback_movements`,
  where: [
    ...(customerId === undefined ? [] : [sql`customer_id = ${customerId}`]),
    ...(kind === undefined ? [] : [sql`kind = ${kind}`]),
    ...onDays(sql`occurred_at`, days),
  ],
  by: [sql`occurred_at`, sql`id`],
  keyOf: ({ occurred_at, id }) => [occurred_at, id],
  sum: sql`amount_cents`,
  only: matchesSearch(target, { customer: sql`customer_id`, owned: [sql`checkout_hash`] }),
});

export const REFERRAL_STATUSES = ['registered', 'rewarded', 'expired'] as const;
type ReferralStatus = (typeof REFERRAL_STATUSES)[number];

export type StaffReferral = Invitation & {
  customer_id: string;
  reward_cents: number | null;
  status: ReferralStatus;
};

/** Invitations. They expire by time alone. */
export const listedReferrals = (
  { customerId, status, ...days }: Omit<OfCustomer, 'target'> & { status?: ReferralStatus | undefined },
  now: Date,
): Listing<StaffReferral> => {
  const inTimeFrom = new Date(invitedInTimeFrom(saoPauloDay(now.getTime()) as Day));
  const unrewarded = sql`rewarded_at is null`;
  const ofStatus = {
    rewarded: sql`rewarded_at is not null`,
    expired: sql`${unrewarded} and invited_at < ${inTimeFrom}`,
    registered: sql`${unrewarded} and invited_at >= ${inTimeFrom}`,
  };
  return {
    of: sql`
      select customer_id, invited_id, invited_at, referrer_reward_cents, invited_reward_cents, rewarded_at, reward_cents,
             case when rewarded_at is not null then 'rewarded' when invited_at < ${inTimeFrom} then 'expired'
                  else 'registered' end as status
      from invitations`,
    where: [
      ...(customerId === undefined ? [] : [sql`customer_id = ${customerId}`]),
      ...(status === undefined ? [] : [ofStatus[status]]),
      ...onDays(sql`invited_at`, days),
    ],
    by: [sql`invited_at`, sql`invited_id`],
    keyOf: ({ invited_at, invited_id }) => [invited_at, invited_id],
  };
};

/** The invitation of a customer; undefined when nobody invited them. */
export const referralOf = (referrerId: string, invitedId: string, now: Date): Listing<StaffReferral> => {
  const all = listedReferrals({ customerId: referrerId }, now);
  return { ...all, where: [...all.where, sql`invited_id = ${invitedId}`] };
};
