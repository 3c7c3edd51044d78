import { isTooOldToRefund } from '#core/finance/receipts.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '#core/values/duration.ts';
import { cents, centsToReais } from '#core/values/money.ts';
import { applyRefundChanges, convertStrandedMoney, type ReportedRefunds } from '#credit';
import { type Entry, post } from '#ledger';
import type { CustomerTx } from '#platform/database/customer-transaction.ts';
import { clampInstant, type Pix, renderEventIds } from '../pix.ts';
import type { ReceivedPix, Refund } from '../psp/index.ts';
import type { ChargeRow } from '../store/charges.ts';
import { findPayment, isRefundOpen, lockRefunds, type RefundRow, upsertRefunds } from '../store/payments.ts';
import { FIRST_ATTEMPT, requestRefunds } from './request-refunds.ts';

export const REFUND_POSTING = 'refund';

async function emitRefunded(
  tx: CustomerTx,
  { events, clock }: Pix,
  charge: ChargeRow,
  endToEndId: string,
  { amountCents, reason }: { amountCents: number; reason: 'too_much' | 'taken_back' },
): Promise<void> {
  const data = {
    ...renderEventIds(charge),
    amount: centsToReais(amountCents),
    reason,
    end_to_end_id: endToEndId,
  };
  await events.emit(tx, { type: 'pix.refunded', customerId: charge.customer_id, data }, clock.now());
}

/** The delay after each failed attempt to refund the same money. After the last one the refund is given up. */
const RETRY_AFTER_MS = [MINUTE_MS, 10 * MINUTE_MS, HOUR_MS, DAY_MS];

/**
 * A refund that the PSP did not carry out. `isFinal`: a retry would be refused as well. `isTooOld`: the payment is too old to be
 * refunded, so the amount becomes cashback.
 */
type FailedRefund = {
  readonly refund: RefundRow;
  readonly reason: string;
  readonly isFinal: boolean;
  readonly isTooOld: boolean;
};

/** Stored for a chargeback, which does not refund a certain part of the payment. */
const NO_PART = 0;
const DEFAULT_FAILURE_REASON = 'The PSP did not carry it out (NAO_REALIZADO) and gave no reason';

/**
 * Records the refunds of a payment that the PSP reports, each once. Our own refunds are completed; all others are chargebacks,
 * whose amount is owed again.
 */
export async function syncRefunds(
  tx: CustomerTx,
  pix: Pix,
  charge: ChargeRow,
  { endToEndId, refunds }: Pick<ReceivedPix, 'endToEndId' | 'refunds'>,
): Promise<void> {
  if (refunds.length === 0) return;
  const storedRefunds = await lockRefunds(tx, charge.customer_id, endToEndId);
  const updates: RefundRow[] = [];
  const failures: FailedRefund[] = [];
  for (const reportedRefund of refunds) {
    const { id, status, reason } = reportedRefund;
    const refund = storedRefunds.find((row) => row.id === id && isRefundOpen(row));
    if (!refund) continue;
    if (status === 'processing') updates.push({ ...refund, status: 'processing' });
    else if (status === 'failed')
      failures.push({ refund, reason: reason ?? DEFAULT_FAILURE_REASON, isFinal: false, isTooOld: false });
    else if (status === 'returned') {
      const settledAt = computeSettledAt(reportedRefund, charge, pix.clock.now());
      await recordReturned(tx, pix, charge, refund, settledAt);
      updates.push({ ...refund, status: 'returned', settled_at: settledAt });
    } else
      tx.afterCommit(() =>
        pix.log.warn({ refund_id: id, status }, 'the PSP reports a refund in an unknown status'),
      );
  }
  const isKnown = ({ id }: Refund) => storedRefunds.some((row) => row.id === id);
  const chargebacks = refunds.filter((refund) => refund.status === 'returned' && !isKnown(refund));
  const reportedIds = refunds.map(({ id }) => id);
  const changes = { storedRefunds, updates, failures, chargebacks, reportedIds };
  await applyChanges(tx, pix, charge, endToEndId, changes);
}

/** Records that the PSP refused one of our refunds. */
export async function failRefund(
  tx: CustomerTx,
  pix: Pix,
  charge: ChargeRow,
  { end_to_end_id, id }: Pick<RefundRow, 'end_to_end_id' | 'id'>,
  refusal: Omit<FailedRefund, 'refund'>,
): Promise<void> {
  const storedRefunds = await lockRefunds(tx, charge.customer_id, end_to_end_id);
  const failures = storedRefunds
    .filter((refund) => refund.id === id && isRefundOpen(refund))
    .map((refund) => ({ refund, ...refusal }));
  const noOtherChanges = { updates: [], chargebacks: [], reportedIds: [] };
  await applyChanges(tx, pix, charge, end_to_end_id, { storedRefunds, failures, ...noOtherChanges });
}

type RefundChanges = {
  /** All refunds of the payment before the changes. */
  readonly storedRefunds: readonly RefundRow[];
  /** Our refunds that are in progress or done at the PSP, with their new status. */
  readonly updates: readonly RefundRow[];
  readonly failures: readonly FailedRefund[];
  /** Refunds at the PSP that we did not request. */
  readonly chargebacks: readonly Refund[];
  /** The ids of all refunds that the PSP reports. */
  readonly reportedIds: readonly string[];
};

type AppliedRefunds = Awaited<ReturnType<typeof applyRefundChanges>>;

/**
 * Saves the changes. Failed refunds and chargebacks change how the payment is allocated: `applyRefundChanges` applies all of them
 * together, and may require new refunds.
 */
async function applyChanges(
  tx: CustomerTx,
  pix: Pix,
  charge: ChargeRow,
  endToEndId: string,
  changes: RefundChanges,
): Promise<void> {
  const { customer_id: customerId, installment_id: installmentId } = charge;
  const { updates, chargebacks } = changes;
  if (changes.failures.length === 0 && chargebacks.length === 0)
    return upsertRefunds(tx, customerId, updates);
  const now = pix.clock.now();
  const failures = await markTooOld(tx, customerId, endToEndId, changes.failures, now);
  const payment = { customerId, installmentId, reference: endToEndId };
  const context = { events: pix.events, now };
  const reportedRefunds = toReportedRefunds({ ...changes, failures }, charge, now);
  const reallocation = await applyRefundChanges(tx, payment, reportedRefunds, context);
  const endedRefunds = failures.map((failure) => endFailedRefund(failure, reallocation));
  const stranded = [...reallocation.stranded];
  for (const { id: refundId, part, credited_cents: amountCents } of endedRefunds) {
    if (amountCents === 0) continue;
    const creditResult = await convertStrandedMoney(tx, { ...payment, part, refundId, amountCents }, context);
    stranded.push(...creditResult.stranded);
  }
  const supersededRefunds = changes.storedRefunds
    .filter(({ id }) => reallocation.supersededIds.includes(id))
    .map((refund): RefundRow => ({ ...refund, part: findPart(refund, reallocation), status: 'overtaken' }));
  const newChargebacks = chargebacks.map(
    (refund): RefundRow => ({
      customer_id: customerId,
      end_to_end_id: endToEndId,
      id: refund.id,
      part: NO_PART,
      forced: true,
      tries: 1,
      amount_cents: refund.amountCents,
      status: 'returned',
      reason: refund.nature,
      stranded_cents: 0,
      created_at: now,
      due_at: now,
      settled_at: computeSettledAt(refund, charge, now),
    }),
  );
  const computeAttempt = ({ reference, part }: { reference: string; part: number }) =>
    reference === endToEndId ? computeNextAttempt(part, endedRefunds, supersededRefunds) : FIRST_ATTEMPT;
  const changedRefunds = [...updates, ...endedRefunds, ...supersededRefunds, ...newChargebacks];
  const options = { changedRefunds, computeAttempt };
  await requestRefunds(tx, customerId, { ...reallocation, stranded }, now, options);
  for (const { amountCents } of chargebacks)
    await emitRefunded(tx, pix, charge, endToEndId, { amountCents, reason: 'taken_back' });
  tx.afterCommit(() => {
    if (reallocation.shortfall > 0)
      pix.log.error({ end_to_end_id: endToEndId }, 'the chargebacks of a payment exceed its amount');
    for (const { id, status, reason } of endedRefunds) {
      pix.metrics.refunds.inc({ outcome: status });
      if (status === 'given_up')
        pix.log.error({ refund_id: id, reason }, 'a refund was given up: see semana pix refunds list');
    }
    pix.metrics.refunds.inc({ outcome: 'forced' }, chargebacks.length);
  });
}

/** If the payment is too old by our clock, marks the failures as too old: they are not retried, whatever reason the PSP gave. */
async function markTooOld(
  tx: CustomerTx,
  customerId: string,
  endToEndId: string,
  failures: readonly FailedRefund[],
  now: Date,
): Promise<readonly FailedRefund[]> {
  if (failures.length === 0) return failures;
  const { paid_at } = (await findPayment(tx, customerId, endToEndId))!;
  const isTooOld = isTooOldToRefund(paid_at.getTime(), now.getTime());
  return failures.map((failure) => ({ ...failure, isTooOld: failure.isTooOld || isTooOld }));
}

function toReportedRefunds(
  { storedRefunds, updates, failures, chargebacks, reportedIds }: RefundChanges,
  charge: ChargeRow,
  now: Date,
): ReportedRefunds {
  const isReturned = ({ id }: RefundRow) => updates.some((row) => row.id === id && row.status === 'returned');
  const isFailed = ({ id }: RefundRow) => failures.some(({ refund }) => refund.id === id);
  // An `asked` refund that the PSP does not report has not reached it.
  const isUnsent = ({ id, status }: RefundRow) => status === 'asked' && !reportedIds.includes(id);
  const openRefunds = storedRefunds
    .filter((row) => isRefundOpen(row) && !isReturned(row) && !isFailed(row))
    .toReversed();
  return {
    failed: failures.map((failure) => ({
      ...toOwnRefund(failure.refund),
      isAbandoned: computeRetryDelay(failure) === null,
    })),
    chargebacks: chargebacks.map((refund) => ({
      id: refund.id,
      amount: refund.amountCents,
      settledAt: computeSettledAt(refund, charge, now).getTime(),
    })),
    unsent: openRefunds.filter(isUnsent).map(toOwnRefund),
    sent: openRefunds.filter((row) => !isUnsent(row)).map(toOwnRefund),
  };
}

type EndedRefund = RefundRow & { status: 'failed' | 'given_up' | 'credited'; credited_cents: number };

/** Returns the refund with its final status. An amount that is neither retried nor applied is given up, or becomes cashback. */
function endFailedRefund(failure: FailedRefund, reallocation: AppliedRefunds): EndedRefund {
  const { refund, reason, isTooOld } = failure;
  const part = findPart(refund, reallocation);
  const isSamePart = (strandedPart: { reference: string; part: number }) =>
    strandedPart.reference === refund.end_to_end_id && strandedPart.part === part;
  const strandedCents = reallocation.stranded.find(isSamePart)?.amountCents ?? 0;
  const remainingCents =
    computeRetryDelay(failure) === null ? Math.min(refund.amount_cents, strandedCents) : 0;
  if (isTooOld && remainingCents > 0)
    return { ...refund, part, status: 'credited', reason, stranded_cents: 0, credited_cents: remainingCents };
  const status = remainingCents > 0 ? 'given_up' : 'failed';
  return { ...refund, part, status, reason, stranded_cents: remainingCents, credited_cents: 0 };
}

/** A failed refund is retried with backoff; the remaining amount of a superseded refund is requested immediately. */
function computeNextAttempt(
  part: number,
  endedRefunds: readonly EndedRefund[],
  supersededRefunds: readonly RefundRow[],
) {
  const findLastAttempt = (rows: readonly RefundRow[]) =>
    Math.max(0, ...rows.filter((row) => row.part === part).map(({ tries }) => tries));
  const failedAttempt = findLastAttempt(endedRefunds.filter(({ status }) => status === 'failed'));
  if (failedAttempt > 0)
    return { attemptNumber: failedAttempt + 1, delayMs: RETRY_AFTER_MS[failedAttempt - 1] ?? 0 };
  return { attemptNumber: Math.max(1, findLastAttempt(supersededRefunds)), delayMs: 0 };
}

const computeSettledAt = ({ settledAt, requestedAt }: Refund, { created_at }: ChargeRow, now: Date): Date =>
  clampInstant(settledAt ?? requestedAt ?? now, { earliest: created_at, now });

/** Returns the number of the payment part that contains the money of a refund now. */
const findPart = ({ id, part }: RefundRow, reallocation: AppliedRefunds): number =>
  reallocation.partByRefundId.get(id) ?? part;

/** Posts a refund that the PSP has carried out, and publishes it. */
async function recordReturned(
  tx: CustomerTx,
  pix: Pix,
  charge: ChargeRow,
  { id, end_to_end_id, amount_cents }: RefundRow,
  settledAt: Date,
): Promise<void> {
  const { customer_id: customerId, installment_id: installmentId } = charge;
  const entries: Entry[] = [
    { account: 'pix_clearing', installmentId, amountCents: -amount_cents },
    { account: 'refunds_payable', installmentId, amountCents: amount_cents },
  ];
  const posting = { customerId, reference: `${REFUND_POSTING} ${id}`, kind: REFUND_POSTING };
  post(tx, { ...posting, occurredAt: settledAt, entries }, pix.clock.now());
  await emitRefunded(tx, pix, charge, end_to_end_id, { amountCents: amount_cents, reason: 'too_much' });
  tx.afterCommit(() => pix.metrics.refunds.inc({ outcome: 'returned' }));
}

const toOwnRefund = ({ id, part, amount_cents }: RefundRow) => ({ id, part, amount: cents(amount_cents) });

const computeRetryDelay = ({ refund, isFinal, isTooOld }: FailedRefund): number | null =>
  isFinal || isTooOld ? null : (RETRY_AFTER_MS[refund.tries - 1] ?? null);
