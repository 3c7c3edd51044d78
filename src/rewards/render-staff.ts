import type { Static } from 'typebox';
import { saoPauloDay } from '#core/day.ts';
import { reaisOf } from '#core/money.ts';
import { lockCustomerById } from '#customers';
import type { CustomerTx } from '#platform/database/customer-transaction.ts';
import type { Queryable } from '#platform/database/db.ts';
import { listPage } from '#platform/http/listing.ts';
import { shown } from '#platform/http/shown.ts';
import type { Subject } from '#platform/privacy/trail.ts';
import { findBalances } from './reading-store.ts';
import { renderBalance, renderMovement } from './render.ts';
import { type StaffCashback, type StaffCashbackEntry, StaffReferral } from './schemas.ts';
import { referralOf, type StaffMovement, type StaffReferral as StaffReferralRow } from './staff-store.ts';
import { findReferrer } from './store/invitations.ts';

export const renderStaffMovement = (row: StaffMovement): Static<typeof StaffCashbackEntry> => ({
  customer_id: row.customer_id,
  ...renderMovement(row),
});

export const renderStaffReferral = (row: StaffReferralRow): Static<typeof StaffReferral> => ({
  ...shown(StaffReferral, row),
  referrer_id: row.customer_id,
  promised: { referrer: reaisOf(row.referrer_reward_cents), invited: reaisOf(row.invited_reward_cents) },
  reward: reaisOf(row.reward_cents ?? 0),
});

export async function showCashback(
  db: Queryable,
  customerId: string,
  now: Date,
): Promise<Static<typeof StaffCashback>> {
  const balance = await findBalances(db, customerId, saoPauloDay(now.getTime()));
  return { customer_id: customerId, ...renderBalance(balance) };
}

/** What a customer has, with the customer locked. */
export const cashbackSubject = (now: Date): Subject<Static<typeof StaffCashback>, CustomerTx> => ({
  kind: 'cashback',
  async read(tx, customerId) {
    return (await lockCustomerById(tx, customerId)) && showCashback(tx, customerId, now);
  },
});

/** How a customer was invited, if they were. */
export async function showReferral(
  db: Queryable,
  invitedId: string,
  now: Date,
): Promise<Static<typeof StaffReferral> | undefined> {
  const referrerId = await findReferrer(db, invitedId);
  if (referrerId === undefined) return undefined;
  const { rows } = await listPage(db, referralOf(referrerId, invitedId, now), { page: 1, limit: 1 });
  return rows[0] && renderStaffReferral(rows[0]);
}
