import type { Static } from 'typebox';
import { computeEarliestValidInvitedAt } from '#core/finance/cashback.ts';
import { saoPauloDay } from '#core/values/day.ts';
import { centsToReais } from '#core/values/money.ts';
import { lockCustomerById } from '#customers';
import type { CustomerTx } from '#platform/database/customer-transaction.ts';
import type { Queryable } from '#platform/database/db.ts';
import { queryListPage } from '#platform/http/list-query.ts';
import { project } from '#platform/http/project.ts';
import type { AuditEntity } from '#platform/privacy/audit-trail.ts';
import { EXPIRED_DESCRIPTION, toExpiry } from './cashback-account.ts';
import {
  type BalanceRow,
  buildInvitationQuery,
  findBalances,
  type InvitationTuple,
  type ReferralRow,
  type StaffInvitationRow,
  type StaffMovementRow,
  type StatementRow,
} from './reading-store.ts';
import {
  type CashbackBalance,
  CashbackEntry,
  type Referral,
  type StaffCashback,
  type StaffCashbackEntry,
  StaffReferral,
} from './schemas.ts';
import type { RewardsSettings } from './settings.ts';
import { findReferrer } from './store/invitations.ts';

export function renderBalance(row: BalanceRow): Static<typeof CashbackBalance> {
  return {
    available: centsToReais(row.balance_cents),
    pending: centsToReais(row.pending_cents),
    expiring: (row.expiring ?? []).map(([amountCents, expires_on]) => ({
      amount: centsToReais(amountCents),
      expires_on,
    })),
    lifetime_earned: centsToReais(row.earned_cents),
  };
}

export function renderMovement(row: StatementRow): Static<typeof CashbackEntry> {
  // An expiry that is not stored yet has no description.
  const completeRow = row.description === null ? { ...row, ...toExpiryLine(row) } : row;
  return { ...project(CashbackEntry, completeRow), description: completeRow.description! };
}

function toExpiryLine({ id, expires_on, occurred_at }: StatementRow) {
  const expiry = toExpiry({ id, expires_on: expires_on!, occurred_at });
  return {
    id: expiry.id,
    occurred_at: expiry.occurredAt,
    description: EXPIRED_DESCRIPTION,
    expires_on: null,
  };
}

export function renderReferral(
  row: ReferralRow,
  settings: RewardsSettings,
  now: Date,
): Static<typeof Referral> {
  const earliestValidAt = new Date(computeEarliestValidInvitedAt(saoPauloDay(now.getTime()))).toISOString();
  return {
    code: row.referral_code,
    link: settings.link.replaceAll('{code}', row.referral_code),
    reward: {
      referrer: centsToReais(settings.referrerCents),
      invited: centsToReais(settings.invitedCents),
      min_paid: centsToReais(settings.minPaidCents),
    },
    summary: {
      invited: row.invited_count,
      rewarded: row.rewarded_count,
      earned: centsToReais(row.earned_cents),
    },
    invitations: (row.invitations ?? []).map((invitation) => renderInvitation(invitation, earliestValidAt)),
  };
}

function renderInvitation(
  [, name, invited_at, rewarded_at, rewardCents, isHeld]: InvitationTuple,
  earliestValidAt: string,
) {
  // Customers must not see that a reward is held.
  const unrewardedStatus = invited_at < earliestValidAt && !isHeld ? 'expired' : 'registered';
  return {
    name,
    status: rewarded_at === null ? unrewardedStatus : 'rewarded',
    invited_at,
    rewarded_at,
    reward: centsToReais(rewardCents ?? 0),
  } as const;
}

export const renderStaffMovement = (row: StaffMovementRow): Static<typeof StaffCashbackEntry> => ({
  customer_id: row.customer_id,
  ...renderMovement(row),
});

export const renderInvitationForStaff = (row: StaffInvitationRow): Static<typeof StaffReferral> => ({
  ...project(StaffReferral, row),
  referrer_id: row.customer_id,
  promised: {
    referrer: centsToReais(row.referrer_reward_cents),
    invited: centsToReais(row.invited_reward_cents),
  },
  reward: centsToReais(row.reward_cents ?? 0),
});

export async function findCashbackForStaff(
  db: Queryable,
  customerId: string,
  now: Date,
): Promise<Static<typeof StaffCashback>> {
  const balance = await findBalances(db, customerId, saoPauloDay(now.getTime()));
  return { customer_id: customerId, ...renderBalance(balance) };
}

/** The cashback of a customer for the audit trail. Reading the cashback locks the customer. */
export const createCashbackAuditEntity = (
  now: Date,
): AuditEntity<Static<typeof StaffCashback>, CustomerTx> => ({
  kind: 'cashback',
  async read(tx, customerId) {
    return (await lockCustomerById(tx, customerId)) && findCashbackForStaff(tx, customerId, now);
  },
});

/** The invitation by which a customer was invited, for the audit trail. */
export const createInvitationAuditEntity = (
  now: Date,
): AuditEntity<Static<typeof StaffReferral>, CustomerTx> => ({
  kind: 'referral',
  read: (tx, invitedId) => findInvitationForStaff(tx, invitedId, now),
});

/** Finds the invitation by which a customer was invited, if there is one. */
export async function findInvitationForStaff(
  db: Queryable,
  invitedId: string,
  now: Date,
): Promise<Static<typeof StaffReferral> | undefined> {
  const referrerId = await findReferrer(db, invitedId);
  if (referrerId === undefined) return undefined;
  const { rows } = await queryListPage(db, buildInvitationQuery(referrerId, invitedId, now), {
    page: 1,
    limit: 1,
  });
  return rows[0] && renderInvitationForStaff(rows[0]);
}
