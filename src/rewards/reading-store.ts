import { LRUCache } from 'lru-cache';
import { Type } from 'typebox';
import { computeEarliestValidInvitedAt } from '#core/finance/cashback.ts';
import { type Day, saoPauloDay } from '#core/values/day.ts';
import { MINUTE_MS } from '#core/values/duration.ts';
import { type CashbackDebt, selectPendingCashback } from '#credit';
import { filterByCustomer, selectReferralCode } from '#customers';
import { type Queryable, type Sql, sql } from '#platform/database/db.ts';
import { buildListQuery, defineList, filterBy, filterByDays } from '#platform/http/list.ts';
import { Text } from '#platform/http/schemas.ts';
import { describeSearch } from '#platform/http/search.ts';
import type { Vault } from '#platform/vault.ts';
import { CASHBACK_KINDS, type CashbackKind, type MovementRow } from './store/cashback.ts';
import { decryptName, type Invitation } from './store/invitations.ts';

export type BalanceRow = {
  balance_cents: number;
  pending_cents: number;
  earned_cents: number;
  /** The remaining amount of the lots of each expiry day, the first to expire first; null without lots. */
  expiring: Array<[amountCents: number, expiresOn: string]> | null;
};

/** Finds the balance and its expiry days. Excludes lots that expired before today, even if their lines are not written yet. */
export async function findBalances(db: Queryable, customerId: string, today: Day): Promise<BalanceRow> {
  const row = await db.row<BalanceRow>(sql`
    select coalesce(last_line.balance_after_cents, 0) - coalesce(lot_sums.expired_cents, 0) as balance_cents,
           coalesce(last_line.earned_after_cents, 0) as earned_cents,
           ${selectPendingCashback(sql`${customerId}`, today)} as pending_cents, lot_sums.expiring
    from (select (sum(day_cents) filter (where expires_on < ${today}))::bigint as expired_cents,
                 json_agg(json_build_array(day_cents, expires_on) order by expires_on)
                   filter (where expires_on >= ${today}) as expiring
          from (select expires_on, sum(remaining_cents)::bigint as day_cents from cashback_lots
                where customer_id = ${customerId} and remaining_cents > 0 group by expires_on) as by_day) as lot_sums
    left join lateral (
      select balance_after_cents, earned_after_cents from cashback_movements
      where customer_id = ${customerId} order by position desc limit 1) as last_line on true`);
  return row!;
}

/** SQL fragment: the amount by which the balance is negative, or 0. Unwritten expiries cannot change it: a negative balance has no lots. */
export const selectCashbackDebt: CashbackDebt = (customerId) => sql`
  coalesce((select greatest(0, -balance_after_cents) from cashback_movements
            where customer_id = ${customerId} order by position desc limit 1), 0)`;

export type StatementRow = Omit<
  MovementRow,
  'customer_id' | 'description' | 'earned_after_cents' | 'of_position' | 'posting_id'
> & { description: string | null };

/**
 * Returns a page of the lines of the statement, newest first, and the total count, in one SQL statement. The position of a line is its
 * number, so a page is a range of positions. Unwritten expiries follow all written lines: see `writeDueExpiries`. An unwritten expiry has no
 * description; its `occurred_at` and `expires_on` are those of its lot. Lines after `maxPosition` are excluded.
 */
export async function listMovements(
  db: Queryable,
  customerId: string,
  today: Day,
  { offset, limit, maxPosition }: { offset: number; limit: number; maxPosition: number },
): Promise<{ total: number; movements: StatementRow[] }> {
  const rows = await db.rows<{ total: number } & (StatementRow | { position: null })>(sql`
    with last_line as (
      select coalesce(max(position), 0) as position,
             coalesce(max(balance_after_cents), 0) as balance_cents -- there is at most one row
      from (select position, balance_after_cents from cashback_movements
            where customer_id = ${customerId} order by position desc limit 1) as newest
    ), unwritten_expiries as (
      select last_line.position + row_number() over expiry_order as position, credit.id, -credit.remaining_cents as amount_cents,
             last_line.balance_cents - sum(credit.remaining_cents) over expiry_order as balance_after_cents, credit.checkout_hash,
             credit.installment_id, credit.occurred_at, credit.expires_on
      from last_line, cashback_credits credit
      where credit.customer_id = ${customerId} and credit.remaining_cents > 0 and credit.expires_on < ${today}
      window expiry_order as (order by credit.expires_on, credit.position)
    ), line_count as materialized (
      select least(${maxPosition}::bigint, last_line.position + (select count(*) from unwritten_expiries)) as total from last_line
    )
    select line_count.total, page.*
    from line_count left join lateral (
      select position, id, 'expired' as kind, amount_cents, balance_after_cents::bigint as balance_after_cents,
             null as description, checkout_hash, installment_id, occurred_at, expires_on
      from unwritten_expiries
      where position > line_count.total - ${offset} - ${limit} and position <= line_count.total - ${offset}
      union all
      select position, id, kind, amount_cents, balance_after_cents, description, checkout_hash, installment_id, occurred_at,
             expires_on
      from cashback_movements
      where customer_id = ${customerId}
        and position > line_count.total - ${offset} - ${limit} and position <= line_count.total - ${offset}
    ) as page on true
    order by page.position desc`);
  return { total: rows[0]!.total, movements: rows.filter((row) => row.position !== null) };
}

/** Instants are in the format of the API, which can be compared as text. */
export type InvitationTuple = [
  invitedId: string,
  /** The masked name; until it is decrypted, its ciphertext in base64. */
  name: string,
  invitedAt: string,
  rewardedAt: string | null,
  rewardCents: number | null,
  /** Whether the reward waits for a staff user. */
  isHeld: boolean,
];

export type ReferralRow = {
  referral_code: string;
  invited_count: number;
  rewarded_count: number;
  earned_cents: number;
  /** The invitations of the page; null if it is empty. */
  invitations: InvitationTuple[] | null;
};

/**
 * Finds a customer's referral code, the totals, and a page of the `pagedCount` oldest invitations, newest first, in one statement.
 * Invitations that were added after the first page was requested therefore do not shift the next pages.
 */
export async function findReferral(
  db: Queryable,
  customerId: string,
  { offset, limit, pagedCount }: { offset: number; limit: number; pagedCount: number },
): Promise<ReferralRow | undefined> {
  const row = await db.row<ReferralRow>(sql`
    select ${selectReferralCode(sql`${customerId}`)} as referral_code, totals.invited_count, totals.rewarded_count, totals.earned_cents,
           (select json_agg(json_build_array(
                     invitation.invited_id, encode(invitation.invited_name_sealed, 'base64'),
                     to_char(invitation.invited_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
                     to_char(invitation.rewarded_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), invitation.reward_cents,
                     invitation.held_at is not null)
                     order by invitation.invited_at desc, invitation.invited_id desc)
            from (select * from invitations where customer_id = ${customerId}
                  order by invited_at desc, invited_id desc
                  limit ${limit} offset greatest(0, totals.invited_count - ${pagedCount}::bigint) + ${offset}::bigint) as invitation) as invitations
    from (select count(*) as invited_count, count(rewarded_at) as rewarded_count,
                 coalesce(sum(reward_cents), 0)::bigint as earned_cents
          from invitations where customer_id = ${customerId}) as totals`);
  // An erased customer has no code.
  if (!row?.referral_code) return undefined;
  const { invitations } = row;
  return { ...row, invitations: invitations && decryptInvitedNames(db.vault, customerId, invitations) };
}

type DecryptedName = { readonly encrypted: string; readonly name: string };
const MAX_NAMES_PER_REFERRER = 1_000;

/**
 * Recently decrypted names, by referrer and invited customer. A page has up to a hundred names, and decrypting them takes longer than
 * querying them. Each referrer has one cache entry, because a lookup in the LRU cache is slow compared with a lookup in a map.
 */
const invitedNamesByReferrer = new LRUCache<string, Map<string, DecryptedName>>({
  max: 100,
  ttl: 10 * MINUTE_MS,
});

/** Returns the cached names of the customers whom a referrer has invited. Clears them if they are too many. */
function getInvitedNames(referrerId: string): Map<string, DecryptedName> {
  const cachedNames = invitedNamesByReferrer.get(referrerId);
  if (cachedNames !== undefined && cachedNames.size <= MAX_NAMES_PER_REFERRER) return cachedNames;
  const names = new Map<string, DecryptedName>();
  invitedNamesByReferrer.set(referrerId, names);
  return names;
}

/** Decrypts the names in the invitations. An erased name has another ciphertext, so its cached plaintext is not used. */
function decryptInvitedNames(vault: Vault, referrerId: string, invitations: readonly InvitationTuple[]) {
  const names = getInvitedNames(referrerId);
  return invitations.map(([invitedId, encrypted, ...otherFields]): InvitationTuple => {
    const cachedName = names.get(invitedId);
    const isCurrent = cachedName?.encrypted === encrypted;
    const name = isCurrent
      ? cachedName.name
      : decryptName(vault, invitedId, Buffer.from(encrypted, 'base64'));
    if (!isCurrent) names.set(invitedId, { encrypted, name });
    return [invitedId, name, ...otherFields];
  });
}

/** Sums cashback credits and debits by kind, from `since` (included) to `before` (excluded). */
export const sumMovements = (db: Queryable, since: Date, before: Date) =>
  db.rows<{ kind: CashbackKind; amount_cents: number }>(sql`
    select kind, sum(amount_cents)::bigint as amount_cents from cashback_movements
    where occurred_at >= ${since} and occurred_at < ${before} group by kind`);

export type StaffMovementRow = StatementRow & { customer_id: string };

/** Lists the lines of all customers' statements. Omits unwritten expiries. */
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

export const INVITATION_STATUSES = ['registered', 'held', 'rewarded', 'refused', 'expired'] as const;
type InvitationStatus = (typeof INVITATION_STATUSES)[number];

export type StaffInvitationRow = Invitation & {
  customer_id: string;
  reward_cents: number | null;
  status: InvitationStatus;
};

const getEarliestValidInvitedAt = (now: Date): Date =>
  new Date(computeEarliestValidInvitedAt(saoPauloDay(now.getTime()) as Day));

/** Whether the reward of an invitation is neither credited nor held nor refused. */
const IS_OPEN_SQL = sql`rewarded_at is null and held_at is null and reward_outcome is distinct from 'refused'`;
const buildStatusConditions = (now: Date): Record<InvitationStatus, Sql> => ({
  registered: sql`${IS_OPEN_SQL} and invited_at >= ${getEarliestValidInvitedAt(now)}`,
  held: sql`held_at is not null`,
  rewarded: sql`rewarded_at is not null`,
  refused: sql`reward_outcome = 'refused'`,
  expired: sql`${IS_OPEN_SQL} and invited_at < ${getEarliestValidInvitedAt(now)}`,
});

/** Lists invitations. The status `expired` is computed from the current time. */
export const invitationList = defineList({
  select: (now) => sql`
    select customer_id, invited_id, invited_at, referrer_reward_cents, invited_reward_cents, rewarded_at, reward_cents,
           held_at, reward_outcome,
           case when rewarded_at is not null then 'rewarded' when held_at is not null then 'held'
                when reward_outcome = 'refused' then 'refused' when invited_at < ${getEarliestValidInvitedAt(now)} then 'expired'
                else 'registered' end as status
    from invitations`,
  filters: {
    status: filterBy(
      Type.Enum([...INVITATION_STATUSES]),
      (status: InvitationStatus, now) => buildStatusConditions(now)[status],
    ),
    referrer: filterByCustomer(sql`customer_id`, Text(80, { description: 'Id or phone of the referrer.' })),
    ...filterByDays('Invited', sql`invited_at`),
  },
  orderBy: [sql`invited_at`, sql`invited_id`],
  keyOf: ({ invited_at, invited_id }: StaffInvitationRow) => [invited_at, invited_id],
});

/** Builds the query for one invitation. */
export function buildInvitationQuery(referrerId: string, invitedId: string, now: Date) {
  const query = buildListQuery(invitationList, { referrer: referrerId }, now);
  return { ...query, where: [...query.where, sql`invited_id = ${invitedId}`] };
}
