import { isRewardDeserved, type LotLine, lastDayOf, REWARDS_A_YEAR, replayLots } from '#core/cashback.ts';
import type { Day } from '#core/day.ts';
import { isOnTime } from '#core/debt.ts';
import { cents } from '#core/money.ts';
import { percentDown, ppm } from '#core/percent.ts';
import { listReceived, listSettled, type ReceivedMoney, type Settled } from '#credit';
import { compare, listAccountBalances } from '#ledger';
import type { Auditor } from '#module';
import {
  type AuditedInvitation,
  type AuditedLot,
  type AuditedMovement,
  listAuditedInvitations,
  listAuditedLots,
  listAuditedMovements,
  listStrayRewards,
} from './audit-store.ts';
import { postingKind } from './cashback-account.ts';
import { receiptReference } from './redeem-cashback.ts';
import { CASHBACK_KINDS } from './store/movements.ts';

/**
 * Compares the statement with the ledger, recomputes what is left of every lot, and checks that every installment has earned, and
 * every invitation was rewarded, as it should.
 */
export const rewardsAuditor: Auditor = {
  kinds: CASHBACK_KINDS.map(postingKind),
  async check(tx, range) {
    const found: string[] = [];
    const { movements, unstated } = await listAuditedMovements(tx, range);
    for (const { customer_id, reference } of unstated)
      found.push(
        `customer ${customer_id}: posting '${reference}' touches cashback and is not in the statement`,
      );
    const lots = await listAuditedLots(tx, range);
    const lotsOf = Map.groupBy(lots, (lot) => lot.customer_id);
    for (const [customerId, lines] of Map.groupBy(movements, (row) => row.customer_id)) {
      found.push(...checkStatement(lines));
      found.push(...checkLots(lines, lotsOf.get(customerId) ?? []));
    }
    found.push(...checkRedeemed(movements, await listReceived(tx, range)));
    for (const { customer_id, amount_cents } of await listAccountBalances(tx, range, 'cashback_clearing'))
      if (amount_cents !== 0)
        found.push(`customer ${customer_id}: cashback_clearing is ${amount_cents}, should be 0`);
    found.push(...checkEarnings(await listSettled(tx, range), lots));
    for (const invitation of await listAuditedInvitations(tx, range))
      found.push(...checkInvitation(invitation));
    for (const { customer_id, id } of await listStrayRewards(tx, range))
      found.push(`cashback ${id} of customer ${customer_id}: no invitation accounts for it`);
    return found;
  },
};

function checkStatement(lines: readonly AuditedMovement[]): string[] {
  let balance = 0;
  let earned = 0;
  return lines.flatMap((line, i) => {
    balance += line.amount_cents;
    if (['earned', 'referral', 'reversed'].includes(line.kind)) earned += line.amount_cents;
    const isRedeemed = line.kind === 'redeemed';
    const { posting } = line;
    const kept = {
      ...line,
      'the kind of its posting': posting?.kind ?? null,
      'cashback_owed of its entries': posting?.balances.cashback_owed ?? null,
      'cashback_expense of its entries': posting?.balances.cashback_expense ?? null,
      'cashback_clearing of its entries': posting?.balances.cashback_clearing ?? null,
    };
    return compare(`cashback ${line.id} of customer ${line.customer_id}`, kept, {
      position: i + 1,
      balance_after_cents: balance,
      earned_after_cents: earned,
      'the kind of its posting': postingKind(line.kind),
      'cashback_owed of its entries': -line.amount_cents,
      'cashback_expense of its entries': isRedeemed ? null : line.amount_cents,
      'cashback_clearing of its entries': isRedeemed ? line.amount_cents : null,
      expires_on: line.amount_cents > 0 && posting ? lastDayOf(posting.occurred_at.getTime()) : null,
    });
  });
}

function checkLots(lines: readonly AuditedMovement[], lots: readonly AuditedLot[]): string[] {
  const right = replayLots(lines.map(toLine)).lots;
  const reversed = new Map(
    lines.filter(({ kind }) => kind === 'reversed').map((line) => [line.of_position, -line.amount_cents]),
  );
  const found = lots.flatMap((lot) => {
    const state = right.get(lot.position);
    right.delete(lot.position);
    const kept = { ...lot, 'taken back': reversed.get(lot.position) ?? 0 };
    return compare(`cashback lot ${lot.position} of customer ${lot.customer_id}`, kept, {
      remaining_cents: state?.remaining,
      expired_cents: state?.expired,
      expires_on: state?.expiresOn,
      'taken back': lot.reversed_at === null ? 0 : lot.amount_cents - lot.expired_cents,
    });
  });
  for (const position of right.keys())
    found.push(`cashback lot ${position} of customer ${lines[0]!.customer_id}: is missing`);
  return found;
}

function toLine(row: AuditedMovement): LotLine {
  const amount = cents(Math.abs(row.amount_cents));
  const { position, of_position: of, kind } = row;
  return row.amount_cents > 0
    ? { position, amount, went: false, expiresOn: row.expires_on as Day }
    : { position, amount, went: true, of, expired: kind === 'expired' };
}

/** Spent cashback has arrived at an installment, once, and its excess has come back. */
function checkRedeemed(movements: readonly AuditedMovement[], received: readonly ReceivedMoney[]): string[] {
  const found: string[] = [];
  const receipts = received.filter(({ source }) => source === 'cashback');
  const arrived = new Map(receipts.map((money) => [`${money.customer_id} ${money.reference}`, money]));
  const comeBack = new Map<string, number>();
  const add = (customerId: string, cents: number) =>
    comeBack.set(customerId, (comeBack.get(customerId) ?? 0) + cents);
  for (const { customer_id, id, kind, amount_cents } of movements) {
    if (kind !== 'redeemed') continue;
    const name = `${customer_id} ${receiptReference(id)}`;
    const is = arrived.get(name)?.received_cents;
    // What was spent and paid nothing had come back, and was charged back with the payment.
    if (amount_cents > 0 || is === undefined) {
      add(customer_id, amount_cents);
      continue;
    }
    arrived.delete(name);
    if (is !== -amount_cents)
      found.push(`cashback ${id}: ${is} has paid something, should be ${-amount_cents}`);
  }
  for (const { reference } of arrived.values())
    found.push(`receipt ${reference}: is not in the statement of the cashback`);
  for (const { customer_id, refunded_cents } of receipts) add(customer_id, -refunded_cents);
  for (const { customer_id, credited_cents } of received) add(customer_id, -credited_cents);
  for (const [customerId, offBy] of comeBack)
    if (offBy !== 0) found.push(`customer ${customerId}: ${offBy} more cashback came back than was too much`);
  return found;
}

/** An installment has earned if and only if it was settled by its effective due day, on what was not paid with cashback. */
function checkEarnings(settled: readonly Settled[], lots: readonly AuditedLot[]): string[] {
  const earned = new Map(
    lots
      .filter((lot) => lot.installment_id !== null && lot.reversed_at === null)
      .map((lot) => [lot.installment_id!, lot.amount_cents]),
  );
  const found: string[] = [];
  for (const row of settled) {
    const { id, amount_cents, returned_cents, redeemed_cents, cashback_ppm, paid_at, effective_due_on } = row;
    const right = isOnTime(paid_at.getTime(), effective_due_on as Day)
      ? percentDown(cents(amount_cents - returned_cents - redeemed_cents), ppm(cashback_ppm))
      : 0;
    const is = earned.get(id) ?? 0;
    earned.delete(id);
    if (is !== right) found.push(`installment ${id}: has earned ${is}, should have earned ${right}`);
  }
  for (const [id, is] of earned) found.push(`installment ${id}: has earned ${is}, and is not settled`);
  return found;
}

function checkInvitation(row: AuditedInvitation): string[] {
  const what = `invitation of ${row.invited_id} by ${row.customer_id}`;
  const isDeserved = isRewardDeserved(row.invited_at.getTime(), row.paid_off_at?.getTime() ?? null);
  const found: string[] = [];
  if (!row.is_listed) found.push(`${what}: the invited does not know of it`);
  if ((row.rewarded_at !== null) !== isDeserved)
    found.push(`${what}: is ${isDeserved ? 'not ' : ''}rewarded, should ${isDeserved ? '' : 'not '}be`);
  const say = (whom: string, is: number | null, right: number | null) => {
    if ((is ?? 0) !== (right ?? 0))
      found.push(`${what}: ${is ?? 0} was credited to ${whom}, should be ${right ?? 0}`);
  };
  say('whoever invited', row.referrer_credited_cents, row.reward_cents);
  // None after so many within a year.
  if (row.rewarded_at !== null && (row.reward_cents !== 0 || row.rewards_before < REWARDS_A_YEAR))
    say('whoever invited', row.reward_cents, row.referrer_reward_cents);
  say('the invited', row.invited_credited_cents, row.rewarded_at && row.invited_reward_cents);
  return found;
}
