import type { Static } from 'typebox';
import { invitedInTimeFrom } from '#core/cashback.ts';
import { saoPauloDay } from '#core/day.ts';
import { reaisOf } from '#core/money.ts';
import { EXPIRED, expiryOf } from './cashback-account.ts';
import type { BalanceRow, InvitationTuple, MovementRow, ReferralRow } from './reading-store.ts';
import type { CashbackBalance, CashbackEntry, Referral } from './schemas.ts';
import type { RewardsSettings } from './settings.ts';

export function renderBalance(row: BalanceRow): Static<typeof CashbackBalance> {
  return {
    available: reaisOf(row.balance_cents),
    pending: reaisOf(row.pending_cents),
    expiring: (row.expiring ?? []).map(([amountCents, expires_on]) => ({
      amount: reaisOf(amountCents),
      expires_on,
    })),
    lifetime_earned: reaisOf(row.earned_cents),
  };
}

export function renderMovement(row: MovementRow): Static<typeof CashbackEntry> {
  const { id, description, occurredAt, expires_on } =
    row.description === null ? unwrittenExpiry(row) : { ...row, occurredAt: row.occurred_at };
  return {
    id,
    kind: row.kind,
    amount: reaisOf(row.amount_cents),
    balance_after: reaisOf(row.balance_after_cents),
    description: description!,
    checkout_hash: row.checkout_hash,
    installment_id: row.installment_id,
    occurred_at: occurredAt.toISOString(),
    expires_on,
  };
}

function unwrittenExpiry({ id, expires_on, occurred_at }: MovementRow) {
  return {
    ...expiryOf({ id, expires_on: expires_on!, occurred_at }),
    description: EXPIRED,
    expires_on: null,
  };
}

export function renderReferral(
  row: ReferralRow,
  referral: RewardsSettings,
  now: Date,
): Static<typeof Referral> {
  const inTimeFrom = new Date(invitedInTimeFrom(saoPauloDay(now.getTime()))).toISOString();
  return {
    code: row.referral_code,
    link: referral.link.replaceAll('{code}', row.referral_code),
    reward: {
      referrer: reaisOf(referral.referrerCents),
      invited: reaisOf(referral.invitedCents),
      min_paid: reaisOf(referral.minPaidCents),
    },
    summary: { invited: row.invited, rewarded: row.rewarded, earned: reaisOf(row.earned_cents) },
    invitations: (row.invitations ?? []).map((invitation) => renderInvitation(invitation, inTimeFrom)),
  };
}

function renderInvitation(
  [, name, invited_at, rewarded_at, rewardCents]: InvitationTuple,
  inTimeFrom: string,
) {
  const unrewarded = invited_at < inTimeFrom ? 'expired' : 'registered';
  return {
    name,
    status: rewarded_at === null ? unrewarded : 'rewarded',
    invited_at,
    rewarded_at,
    reward: reaisOf(rewardCents ?? 0),
  } as const;
}
