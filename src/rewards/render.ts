import type { Static } from 'typebox';
import { findEarliestValidInvitation } from '#core/finance/cashback.ts';
import { saoPauloDay } from '#core/values/day.ts';
import { centsToReais } from '#core/values/money.ts';
import { EXPIRED_DESCRIPTION, toExpiry } from './cashback-account.ts';
import type { BalanceRow, InvitationTuple, MovementRow, ReferralRow } from './reading-store.ts';
import type { CashbackBalance, CashbackEntry, Referral } from './schemas.ts';
import type { RewardsSettings } from './settings.ts';

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

export function renderMovement(row: MovementRow): Static<typeof CashbackEntry> {
  const { id, description, occurredAt, expires_on } =
    row.description === null ? toUnwrittenExpiry(row) : { ...row, occurredAt: row.occurred_at };
  return {
    id,
    kind: row.kind,
    amount: centsToReais(row.amount_cents),
    balance_after: centsToReais(row.balance_after_cents),
    description: description!,
    checkout_hash: row.checkout_hash,
    installment_id: row.installment_id,
    occurred_at: occurredAt.toISOString(),
    expires_on,
  };
}

function toUnwrittenExpiry({ id, expires_on, occurred_at }: MovementRow) {
  return {
    ...toExpiry({ id, expires_on: expires_on!, occurred_at }),
    description: EXPIRED_DESCRIPTION,
    expires_on: null,
  };
}

export function renderReferral(
  row: ReferralRow,
  referral: RewardsSettings,
  now: Date,
): Static<typeof Referral> {
  const inTimeFrom = new Date(findEarliestValidInvitation(saoPauloDay(now.getTime()))).toISOString();
  return {
    code: row.referral_code,
    link: referral.link.replaceAll('{code}', row.referral_code),
    reward: {
      referrer: centsToReais(referral.referrerCents),
      invited: centsToReais(referral.invitedCents),
      min_paid: centsToReais(referral.minPaidCents),
    },
    summary: { invited: row.invited, rewarded: row.rewarded, earned: centsToReais(row.earned_cents) },
    invitations: (row.invitations ?? []).map((invitation) => renderInvitation(invitation, inTimeFrom)),
  };
}

function renderInvitation(
  [, name, invited_at, rewarded_at, rewardCents]: InvitationTuple,
  inTimeFrom: string,
) {
  const unrewardedStatus = invited_at < inTimeFrom ? 'expired' : 'registered';
  return {
    name,
    status: rewarded_at === null ? unrewardedStatus : 'rewarded',
    invited_at,
    rewarded_at,
    reward: centsToReais(rewardCents ?? 0),
  } as const;
}
