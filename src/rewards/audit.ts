import {
  computeExpiryDay,
  isRewardEarned,
  type LotLine,
  MAX_REWARDS_PER_YEAR,
  replayLots,
} from '#core/finance/cashback.ts';
import { isOnTime } from '#core/finance/debt.ts';
import type { Day } from '#core/values/day.ts';
import { cents } from '#core/values/money.ts';
import { computePercentDown, ppm } from '#core/values/percent.ts';
import {
  listReceivedMoney,
  listSettledInstallments,
  type ReceivedMoney,
  type SettledInstallment,
} from '#credit';
import { compareFigures, listAccountBalances } from '#ledger';
import type { Auditor } from '#module';
import {
  type AuditedInvitation,
  type AuditedLot,
  type AuditedMovement,
  listAuditedInvitations,
  listAuditedLots,
  listAuditedMovements,
  listUnexplainedRewards,
} from './audit-store.ts';
import { toPostingKind, toReceiptReference } from './cashback-account.ts';
import { CASHBACK_KINDS } from './store/cashback.ts';

/**
 * Compares the statements with the ledger, recomputes the remaining amount of every lot, and checks the cashback of every installment
 * and the reward of every invitation.
 */
export const rewardsAuditor: Auditor = {
  postingKinds: CASHBACK_KINDS.map(toPostingKind),
  async check(tx, range) {
    const mismatches: string[] = [];
    const { movements, postingsWithoutLine } = await listAuditedMovements(tx, range);
    for (const { customer_id, reference } of postingsWithoutLine)
      mismatches.push(
        `customer ${customer_id}: posting '${reference}' touches cashback and is not in the statement`,
      );
    const lots = await listAuditedLots(tx, range);
    const lotsByCustomer = Map.groupBy(lots, (lot) => lot.customer_id);
    for (const [customerId, lines] of Map.groupBy(movements, (row) => row.customer_id)) {
      mismatches.push(...checkStatement(lines));
      mismatches.push(...checkLots(lines, lotsByCustomer.get(customerId) ?? []));
    }
    mismatches.push(...checkRedemptions(movements, await listReceivedMoney(tx, range)));
    for (const { customer_id, amount_cents } of await listAccountBalances(tx, range, 'cashback_clearing'))
      if (amount_cents !== 0)
        mismatches.push(`customer ${customer_id}: cashback_clearing is ${amount_cents}, should be 0`);
    mismatches.push(...checkEarnings(await listSettledInstallments(tx, range), lots));
    for (const invitation of await listAuditedInvitations(tx, range))
      mismatches.push(...checkInvitation(invitation));
    for (const { customer_id, id } of await listUnexplainedRewards(tx, range))
      mismatches.push(`cashback ${id} of customer ${customer_id}: no invitation accounts for it`);
    return mismatches;
  },
};

/** Checks the lines of one customer's statement, in order, against each other and their postings. */
function checkStatement(lines: readonly AuditedMovement[]): string[] {
  let balance = 0;
  let earnedCents = 0;
  return lines.flatMap((line, i) => {
    balance += line.amount_cents;
    if (['earned', 'referral', 'reversed'].includes(line.kind)) earnedCents += line.amount_cents;
    const isRedeemed = line.kind === 'redeemed';
    const { posting } = line;
    const storedFigures = {
      ...line,
      'the kind of its posting': posting?.kind ?? null,
      'cashback_owed of its entries': posting?.balances.cashback_owed ?? null,
      'cashback_expense of its entries': posting?.balances.cashback_expense ?? null,
      'cashback_clearing of its entries': posting?.balances.cashback_clearing ?? null,
    };
    return compareFigures(`cashback ${line.id} of customer ${line.customer_id}`, storedFigures, {
      position: i + 1,
      balance_after_cents: balance,
      earned_after_cents: earnedCents,
      'the kind of its posting': toPostingKind(line.kind),
      'cashback_owed of its entries': -line.amount_cents,
      'cashback_expense of its entries': isRedeemed ? null : line.amount_cents,
      'cashback_clearing of its entries': isRedeemed ? line.amount_cents : null,
      expires_on: line.amount_cents > 0 && posting ? computeExpiryDay(posting.occurred_at.getTime()) : null,
    });
  });
}

/** Checks the lots of one customer against the lines of the statement. */
function checkLots(lines: readonly AuditedMovement[], lots: readonly AuditedLot[]): string[] {
  const expectedLots = replayLots(lines.map(toLotLine)).lots;
  const reversedCentsByPosition = new Map(
    lines.filter(({ kind }) => kind === 'reversed').map((line) => [line.of_position, -line.amount_cents]),
  );
  const mismatches = lots.flatMap((lot) => {
    const expectedLot = expectedLots.get(lot.position);
    expectedLots.delete(lot.position);
    const storedFigures = { ...lot, 'taken back': reversedCentsByPosition.get(lot.position) ?? 0 };
    return compareFigures(`cashback lot ${lot.position} of customer ${lot.customer_id}`, storedFigures, {
      remaining_cents: expectedLot?.remaining,
      expired_cents: expectedLot?.expired,
      expires_on: expectedLot?.expiresOn,
      'taken back': lot.reversed_at === null ? 0 : lot.amount_cents - lot.expired_cents,
    });
  });
  for (const position of expectedLots.keys())
    mismatches.push(`cashback lot ${position} of customer ${lines[0]!.customer_id}: is missing`);
  return mismatches;
}

function toLotLine(row: AuditedMovement): LotLine {
  const amount = cents(Math.abs(row.amount_cents));
  const { position, of_position: lotPosition, kind } = row;
  return row.amount_cents > 0
    ? { position, amount, isDebit: false, expiresOn: row.expires_on as Day }
    : { position, amount, isDebit: true, lotPosition, isExpiry: kind === 'expired' };
}

/** Checks that each redeemed amount is the receipt of one installment, and that excess cashback was credited again. */
function checkRedemptions(
  lines: readonly AuditedMovement[],
  receivedMoney: readonly ReceivedMoney[],
): string[] {
  const mismatches: string[] = [];
  const receipts = receivedMoney.filter(({ source }) => source === 'cashback');
  const receiptsByKey = new Map(receipts.map((money) => [`${money.customer_id} ${money.reference}`, money]));
  /** The cashback that was credited again, minus the excess that must be credited again, in centavos. */
  const surplusByCustomer = new Map<string, number>();
  const addToSurplus = (customerId: string, amountCents: number) =>
    surplusByCustomer.set(customerId, (surplusByCustomer.get(customerId) ?? 0) + amountCents);
  for (const { customer_id, id, kind, amount_cents } of lines) {
    if (kind !== 'redeemed') continue;
    const key = `${customer_id} ${toReceiptReference(id)}`;
    const receivedCents = receiptsByKey.get(key)?.received_cents;
    const isCreditedAgain = amount_cents > 0;
    // A debit without a receipt withdraws the cashback that a payment had become, because the payment was charged back.
    if (isCreditedAgain || receivedCents === undefined) {
      addToSurplus(customer_id, amount_cents);
      continue;
    }
    receiptsByKey.delete(key);
    if (receivedCents !== -amount_cents)
      mismatches.push(
        `cashback ${id}: ${receivedCents} was received for installments, should be ${-amount_cents}`,
      );
  }
  for (const { reference } of receiptsByKey.values())
    mismatches.push(`receipt ${reference}: is not in the statement of the cashback`);
  for (const { customer_id, refunded_cents } of receipts) addToSurplus(customer_id, -refunded_cents);
  for (const { customer_id, credited_cents } of receivedMoney) addToSurplus(customer_id, -credited_cents);
  for (const [customerId, surplus] of surplusByCustomer)
    if (surplus !== 0)
      mismatches.push(
        `customer ${customerId}: cashback credited again minus excess cashback is ${surplus}, should be 0`,
      );
  return mismatches;
}

/** Checks that each installment settled by its effective due day earned cashback on the part not paid with cashback, and no other did. */
function checkEarnings(installments: readonly SettledInstallment[], lots: readonly AuditedLot[]): string[] {
  const earnedCentsByInstallment = new Map(
    lots
      .filter((lot) => lot.installment_id !== null && lot.reversed_at === null)
      .map((lot) => [lot.installment_id!, lot.amount_cents]),
  );
  const mismatches: string[] = [];
  for (const row of installments) {
    const { id, amount_cents, returned_cents, redeemed_cents, cashback_ppm, paid_at, effective_due_on } = row;
    const expectedCents = isOnTime(paid_at.getTime(), effective_due_on as Day)
      ? computePercentDown(cents(amount_cents - returned_cents - redeemed_cents), ppm(cashback_ppm))
      : 0;
    const actualCents = earnedCentsByInstallment.get(id) ?? 0;
    earnedCentsByInstallment.delete(id);
    if (actualCents !== expectedCents)
      mismatches.push(`installment ${id}: has earned ${actualCents}, should have earned ${expectedCents}`);
  }
  // The remaining credits belong to installments that are not settled.
  for (const [id, amount] of earnedCentsByInstallment)
    mismatches.push(`installment ${id}: has earned ${amount}, and is not settled`);
  return mismatches;
}

function checkInvitation(row: AuditedInvitation): string[] {
  const label = `invitation of ${row.invited_id} by ${row.customer_id}`;
  const isEarned = isRewardEarned(row.invited_at.getTime(), row.minimum_paid_at?.getTime() ?? null);
  const mismatches: string[] = [];
  if (!row.is_current_referrer) mismatches.push(`${label}: the invited customer has another referrer`);
  const isRewardedOrHeld = row.rewarded_at !== null || row.held_at !== null;
  const shouldBeRewarded = isEarned && row.reward_outcome !== 'refused';
  if (isRewardedOrHeld !== shouldBeRewarded)
    mismatches.push(
      shouldBeRewarded ? `${label}: is not rewarded, should be` : `${label}: is rewarded, should not be`,
    );
  const compareReward = (recipient: string, actualCents: number | null, expectedCents: number | null) => {
    if ((actualCents ?? 0) !== (expectedCents ?? 0))
      mismatches.push(
        `${label}: ${actualCents ?? 0} was credited to ${recipient}, should be ${expectedCents ?? 0}`,
      );
  };
  compareReward('the referrer', row.referrer_credited_cents, row.reward_cents);
  // A recorded reward of 0 is correct if the referrer had the maximum number of rewards of a year.
  if (
    row.rewarded_at !== null &&
    (row.reward_cents !== 0 || row.previous_reward_count < MAX_REWARDS_PER_YEAR)
  )
    compareReward('the referrer', row.reward_cents, row.referrer_reward_cents);
  compareReward(
    'the invited customer',
    row.invited_credited_cents,
    row.rewarded_at === null ? null : row.invited_reward_cents,
  );
  return mismatches;
}
