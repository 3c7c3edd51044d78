import { DAY_MS, HOUR_MS, MINUTE_MS } from '#core/duration.ts';
import { cents } from '#core/money.ts';
import { isTooOldToRefund } from '#core/receipts.ts';
import { applyRefunds, creditStranded, type HeardRefunds } from '#credit';
import type { CustomerTx } from '#platform/database/customer-transaction.ts';
import { plausible } from '../arrival.ts';
import type { Pix } from '../pix.ts';
import type { ReceivedPix, Refund } from '../psp/index.ts';
import type { ChargeRow } from '../store/charges.ts';
import { findPayment } from '../store/payments.ts';
import { lockRefunds, type RefundRow, writeRefunds } from '../store/refunds.ts';
import { emitRefunded, postRefund } from './post-refund.ts';
import { FIRST, type RefundAttempt, requestRefunds } from './request-refunds.ts';

/** The retry budget for refunding the same money: the delay after each failure. */
const RETRY_AFTER_MS = [MINUTE_MS, 10 * MINUTE_MS, HOUR_MS, DAY_MS];

/**
 * The PSP did not carry it out. `isFinal`: it would not carry out another one either. `isTooOld`: because the payment is too old,
 * so what it was to return becomes cashback.
 */
type Failed = {
  readonly refund: RefundRow;
  readonly reason: string;
  readonly isFinal: boolean;
  readonly isTooOld: boolean;
};

const NO_REASON = 'The PSP did not carry it out (NAO_REALIZADO) and gave no reason';

/**
 * Processes the refunds of a payment that the PSP reports, each once: our own are completed, others are chargebacks, which take
 * money away.
 */
export async function syncRefunds(
  tx: CustomerTx,
  pix: Pix,
  charge: ChargeRow,
  { endToEndId, refunds }: Pick<ReceivedPix, 'endToEndId' | 'refunds'>,
): Promise<void> {
  if (refunds.length === 0) return;
  const known = await lockRefunds(tx, charge.customer_id, endToEndId);
  const changed: RefundRow[] = [];
  const failed: Failed[] = [];
  for (const told of refunds) {
    const { id, status, reason } = told;
    const refund = known.find((ours) => ours.id === id && isOpen(ours));
    if (!refund) continue;
    if (status === 'processing') changed.push({ ...refund, status: 'processing' });
    else if (status === 'failed')
      failed.push({ refund, reason: reason ?? NO_REASON, isFinal: false, isTooOld: false });
    else if (status === 'returned') {
      const at = instantOf(told, charge, pix.clock.now());
      await recordReturned(tx, pix, charge, refund, at);
      changed.push({ ...refund, status: 'returned', settled_at: at });
    } else
      tx.afterCommit(() =>
        pix.log.warn({ refund_id: id, status }, 'a refund is in a state we have no word for'),
      );
  }
  const isKnown = ({ id }: Refund) => known.some((ours) => ours.id === id);
  const chargebacks = refunds.filter((refund) => refund.status === 'returned' && !isKnown(refund));
  const atPsp = refunds.map(({ id }) => id);
  await applyChanges(tx, pix, charge, endToEndId, { known, changed, failed, chargebacks, atPsp });
}

/** The PSP refused a refund that we asked for. */
export async function failRefund(
  tx: CustomerTx,
  pix: Pix,
  charge: ChargeRow,
  { end_to_end_id, id }: Pick<RefundRow, 'end_to_end_id' | 'id'>,
  refusal: Omit<Failed, 'refund'>,
): Promise<void> {
  const known = await lockRefunds(tx, charge.customer_id, end_to_end_id);
  const failed = known
    .filter((refund) => refund.id === id && isOpen(refund))
    .map((refund) => ({ refund, ...refusal }));
  const nothingElse = { changed: [], chargebacks: [], atPsp: [] };
  await applyChanges(tx, pix, charge, end_to_end_id, { known, failed, ...nothingElse });
}

type Changes = {
  readonly known: readonly RefundRow[];
  /** Known ones with a new status. */
  readonly changed: readonly RefundRow[];
  readonly failed: readonly Failed[];
  readonly chargebacks: readonly Refund[];
  /** All that may have reached the PSP. */
  readonly atPsp: readonly string[];
};

type Applied = Awaited<ReturnType<typeof applyRefunds>>;

/** Failed refunds and chargebacks move money: credit plans and applies that, once for all of them. New refunds follow from it. */
async function applyChanges(
  tx: CustomerTx,
  pix: Pix,
  charge: ChargeRow,
  endToEndId: string,
  changes: Changes,
): Promise<void> {
  const { customer_id: customerId, installment_id: installmentId } = charge;
  const { changed, chargebacks } = changes;
  if (changes.failed.length === 0 && chargebacks.length === 0) return writeRefunds(tx, customerId, changed);
  const now = pix.clock.now();
  const failed = await judgeAge(tx, customerId, endToEndId, changes.failed, now);
  const payment = { customerId, installmentId, reference: endToEndId };
  const context = { events: pix.events, now };
  const heard = toHeard({ ...changes, failed }, charge, now);
  const applied = await applyRefunds(tx, payment, heard, context);
  const ended = failed.map((failure) => endedBy(failure, applied));
  const stranded = [...applied.stranded];
  for (const { id: refundId, part, credited_cents: amountCents } of ended)
    if (amountCents > 0)
      stranded.push(
        ...(await creditStranded(tx, { ...payment, part, refundId, amountCents }, context)).stranded,
      );
  const superseded = changes.known
    .filter(({ id }) => applied.superseded.includes(id))
    .map((refund): RefundRow => ({ ...refund, part: partOf(refund, applied), status: 'overtaken' }));
  const forced = chargebacks.map(
    (refund): RefundRow => ({
      customer_id: customerId,
      end_to_end_id: endToEndId,
      id: refund.id,
      part: 0,
      forced: true,
      tries: 1,
      amount_cents: refund.amountCents,
      status: 'returned',
      reason: refund.nature,
      stranded_cents: 0,
      created_at: now,
      due_at: now,
      settled_at: instantOf(refund, charge, now),
    }),
  );
  const attemptOf = (money: { reference: string; part: number }) =>
    money.reference === endToEndId ? nextAttempt(money.part, ended, superseded) : FIRST;
  const rows = [...changed, ...ended, ...superseded, ...forced];
  await requestRefunds(tx, pix, customerId, { ...applied, stranded }, rows, attemptOf);
  for (const { amountCents } of chargebacks)
    await emitRefunded(tx, pix, charge, endToEndId, { amountCents, reason: 'taken_back' });
  tx.afterCommit(() => {
    if (applied.missing > 0)
      pix.log.error({ end_to_end_id: endToEndId }, 'more money was taken back than a payment had brought');
    for (const { id, status, reason } of ended) {
      pix.metrics.refunds.inc({ outcome: status });
      if (status === 'given_up')
        pix.log.error({ refund_id: id, reason }, 'money could not be given back: see semana pix refunds');
    }
    pix.metrics.refunds.inc({ outcome: 'forced' }, chargebacks.length);
  });
}

/** A payment that is too old by our own clock is not asked for again, whatever the PSP said. */
async function judgeAge(
  tx: CustomerTx,
  customerId: string,
  endToEndId: string,
  failed: readonly Failed[],
  now: Date,
): Promise<readonly Failed[]> {
  if (failed.length === 0) return failed;
  const { paid_at } = (await findPayment(tx, customerId, endToEndId))!;
  const isTooOld = isTooOldToRefund(paid_at.getTime(), now.getTime());
  return failed.map((failure) => ({ ...failure, isTooOld: failure.isTooOld || isTooOld }));
}

function toHeard(
  { known, changed, failed, chargebacks, atPsp }: Changes,
  charge: ChargeRow,
  now: Date,
): HeardRefunds {
  const isReturned = ({ id }: RefundRow) => changed.some((row) => row.id === id && row.status === 'returned');
  const isFailed = ({ id }: RefundRow) => failed.some(({ refund }) => refund.id === id);
  const isUnsent = ({ id, status }: RefundRow) => status === 'asked' && !atPsp.includes(id);
  const open = known.filter((row) => isOpen(row) && !isReturned(row) && !isFailed(row)).toReversed();
  return {
    failed: failed.map((failure) => ({ ...toOwn(failure.refund), isGivenUp: delayAfter(failure) === null })),
    chargebacks: chargebacks.map((refund) => ({
      id: refund.id,
      amount: refund.amountCents,
      at: instantOf(refund, charge, now).getTime(),
    })),
    unsent: open.filter(isUnsent).map(toOwn),
    sent: open.filter((row) => !isUnsent(row)).map(toOwn),
  };
}

type Ended = RefundRow & { status: 'failed' | 'given_up' | 'credited'; credited_cents: number };

/** Abandoned, or cashback from now on: what is not retried and did not pay anything either. */
function endedBy(failure: Failed, applied: Applied): Ended {
  const { refund, reason, isTooOld } = failure;
  const part = partOf(refund, applied);
  const isHere = (money: { reference: string; part: number }) =>
    money.reference === refund.end_to_end_id && money.part === part;
  const strandedCents = applied.stranded.find(isHere)?.amountCents ?? 0;
  const left = delayAfter(failure) === null ? Math.min(refund.amount_cents, strandedCents) : 0;
  if (isTooOld && left > 0)
    return { ...refund, part, status: 'credited', reason, stranded_cents: 0, credited_cents: left };
  const status = left > 0 ? 'given_up' : 'failed';
  return { ...refund, part, status, reason, stranded_cents: left, credited_cents: 0 };
}

/** The money of a failed refund is retried with backoff, the rest of a superseded one at once. */
function nextAttempt(part: number, ended: readonly Ended[], superseded: readonly RefundRow[]): RefundAttempt {
  const triesOf = (rows: readonly RefundRow[]) =>
    Math.max(0, ...rows.filter((row) => row.part === part).map(({ tries }) => tries));
  const failures = triesOf(ended.filter(({ status }) => status === 'failed'));
  if (failures > 0) return { tries: failures + 1, delayMs: RETRY_AFTER_MS[failures - 1] ?? 0 };
  return { tries: Math.max(1, triesOf(superseded)), delayMs: 0 };
}

const instantOf = ({ settledAt, requestedAt }: Refund, { created_at }: ChargeRow, now: Date): Date =>
  plausible(settledAt ?? requestedAt ?? now, { earliest: created_at, now });

/** The part of the payment that holds what was not refunded. */
function partOf({ id, part }: RefundRow, applied: Applied): number {
  return applied.partOf.get(id) ?? part;
}

async function recordReturned(
  tx: CustomerTx,
  pix: Pix,
  charge: ChargeRow,
  { id, end_to_end_id, amount_cents }: RefundRow,
  at: Date,
): Promise<void> {
  await postRefund(tx, pix, charge, { id, amountCents: amount_cents, at });
  await emitRefunded(tx, pix, charge, end_to_end_id, { amountCents: amount_cents, reason: 'too_much' });
  tx.afterCommit(() => pix.metrics.refunds.inc({ outcome: 'returned' }));
}

const isOpen = ({ status }: RefundRow) => status === 'asked' || status === 'processing';

const toOwn = ({ id, part, amount_cents }: RefundRow) => ({ id, part, amount: cents(amount_cents) });

/** null: it is not retried. */
function delayAfter({ refund, isFinal, isTooOld }: Failed): number | null {
  return isFinal || isTooOld ? null : (RETRY_AFTER_MS[refund.tries - 1] ?? null);
}
