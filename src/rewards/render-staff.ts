import type { Static } from 'typebox';
import { saoPauloDay } from '#core/values/day.ts';
import { centsToReais } from '#core/values/money.ts';
import { lockCustomerById } from '#customers';
import type { CustomerTx } from '#platform/database/customer-transaction.ts';
import type { Queryable } from '#platform/database/db.ts';
import { queryListPage } from '#platform/http/list-query.ts';
import { project } from '#platform/http/project.ts';
import type { AuditEntity } from '#platform/privacy/audit-trail.ts';
import { findBalances } from './reading-store.ts';
import { renderBalance, renderMovement } from './render.ts';
import { type StaffCashback, type StaffCashbackEntry, StaffReferral } from './schemas.ts';
import { referralQuery, type StaffMovementRow, type StaffReferralRow } from './staff-store.ts';
import { findReferrer } from './store/invitations.ts';

export const renderStaffMovement = (row: StaffMovementRow): Static<typeof StaffCashbackEntry> => ({
  customer_id: row.customer_id,
  ...renderMovement(row),
});

export const renderStaffReferral = (row: StaffReferralRow): Static<typeof StaffReferral> => ({
  ...project(StaffReferral, row),
  referrer_id: row.customer_id,
  promised: {
    referrer: centsToReais(row.referrer_reward_cents),
    invited: centsToReais(row.invited_reward_cents),
  },
  reward: centsToReais(row.reward_cents ?? 0),
});

export async function findStaffCashback(
  db: Queryable,
  customerId: string,
  now: Date,
): Promise<Static<typeof StaffCashback>> {
  const balance = await findBalances(db, customerId, saoPauloDay(now.getTime()));
  return { customer_id: customerId, ...renderBalance(balance) };
}

/** The cashback of a customer for the audit trail. Reading it locks the customer. */
export const cashbackAuditEntity = (now: Date): AuditEntity<Static<typeof StaffCashback>, CustomerTx> => ({
  kind: 'cashback',
  async read(tx, customerId) {
    return (await lockCustomerById(tx, customerId)) && findStaffCashback(tx, customerId, now);
  },
});

/** Finds the invitation of a customer. Returns undefined if they were not invited. */
export async function findStaffReferral(
  db: Queryable,
  invitedId: string,
  now: Date,
): Promise<Static<typeof StaffReferral> | undefined> {
  const referrerId = await findReferrer(db, invitedId);
  if (referrerId === undefined) return undefined;
  const { rows } = await queryListPage(db, referralQuery(referrerId, invitedId, now), { page: 1, limit: 1 });
  return rows[0] && renderStaffReferral(rows[0]);
}
