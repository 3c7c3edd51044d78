import type { Static } from 'typebox';
import { type Cents, centsToReais, sum } from '#core/values/money.ts';
import { holdStrandedMoney, type ReallocationResult } from '#credit';
import { lockCustomerById } from '#customers';
import type { EventContext } from '#events';
import { type CustomerTx, customerTransaction } from '#platform/database/customer-transaction.ts';
import { project } from '#platform/http/project.ts';
import { randomBase62 } from '#platform/ids.ts';
import { enqueue } from '#platform/jobs/jobs.ts';
import { type AuditContext, createRowAuditEntity, withAuditedResult } from '#platform/privacy/audit-trail.ts';
import type { Pix } from '../pix.ts';
import { refundNotGivenUp } from '../problems.ts';
import { PixRefund } from '../schemas.ts';
import {
  findPayment,
  findRefund,
  findRefundKey,
  type RefundKey,
  type RefundRow,
  reduceStranded,
  upsertRefunds,
} from '../store/payments.ts';
import { createRefundJob, REFUND_ATTEMPTS } from '../tasks.ts';

export const newRefundId = (): string => randomBase62(32);

type RefundAttempt = { readonly attemptNumber: number; readonly delayMs: number };

export const FIRST_ATTEMPT: RefundAttempt = { attemptNumber: 1, delayMs: 0 };

type RequestOptions = {
  /** Saved together with the new refunds. */
  changedRefunds?: readonly RefundRow[];
  /** By default each refund is a first attempt. */
  computeAttempt?: (refund: { reference: string; part: number }) => RefundAttempt;
};

/** Inserts the refunds that a reallocation requires. Jobs request them from the PSP after the commit. */
export async function requestRefunds(
  tx: CustomerTx,
  customerId: string,
  { toRefund, stranded }: ReallocationResult,
  now: Date,
  { changedRefunds = [], computeAttempt = () => FIRST_ATTEMPT }: RequestOptions = {},
): Promise<void> {
  for (const { reference, part, amountCents } of stranded)
    await reduceStranded(tx, { customer_id: customerId, end_to_end_id: reference, part }, amountCents);
  const newRefunds = toRefund.map((excess) => {
    const { attemptNumber, delayMs } = computeAttempt(excess);
    const refund: Omit<RefundRow, 'customer_id'> = {
      end_to_end_id: excess.reference,
      id: newRefundId(),
      part: excess.part,
      amount_cents: excess.amountCents,
      forced: false,
      status: 'asked',
      tries: attemptNumber,
      reason: null,
      stranded_cents: 0,
      created_at: now,
      due_at: new Date(now.getTime() + delayMs),
      settled_at: null,
    };
    return { refund, delayMs };
  });
  await upsertRefunds(tx, customerId, [...changedRefunds, ...newRefunds.map(({ refund }) => refund)]);
  for (const { refund, delayMs } of newRefunds) {
    const { task, payload, key } = createRefundJob({ ...refund, customer_id: customerId });
    await enqueue(tx, task, payload, REFUND_ATTEMPTS, { key, delayMs });
  }
}

export const renderRefund = (refund: RefundRow): Static<typeof PixRefund> => ({
  ...project(PixRefund, refund),
  value: centsToReais(refund.amount_cents),
});

/** Audits a refund by its id. Reading the refund locks its customer. */
const refundAuditEntity = createRowAuditEntity('pix_refund', lockAndFindRefund, renderRefund);

async function lockAndFindRefund(tx: CustomerTx, id: string): Promise<RefundRow | undefined> {
  const key = await findRefundKey(tx, id);
  if (!key) return undefined;
  await lockCustomerById(tx, key.customer_id);
  return findRefund(tx, key);
}

/** Replaces a given up refund by a new one. Returns the amount of the new refund. */
async function retryUnaudited(tx: CustomerTx, key: RefundKey, context: EventContext): Promise<Cents> {
  const refund = (await findRefund(tx, key))!;
  if (refund.status !== 'given_up') throw refundNotGivenUp(refund.id, refund.status);
  const { customer_id: customerId, end_to_end_id: reference, part } = refund;
  const { installment_id: installmentId } = (await findPayment(tx, customerId, reference))!;
  const payment = { customerId, installmentId, reference, part };
  const reallocation = await holdStrandedMoney(tx, payment, context);
  const retriedRefund: RefundRow = { ...refund, status: 'failed', stranded_cents: 0 };
  await requestRefunds(tx, customerId, reallocation, context.now, { changedRefunds: [retriedRefund] });
  return sum(reallocation.toRefund.map(({ amountCents }) => amountCents));
}

/** Requests the amount of a given up refund again, as a new refund with a new set of attempts. Returns undefined if there is no such refund. */
export async function retryRefund(
  { db, events }: Pick<Pix, 'db' | 'events'>,
  id: string,
  auditContext: AuditContext,
): Promise<{ refund: Static<typeof PixRefund>; requestedCents: Cents } | undefined> {
  const key = await findRefundKey(db, id);
  if (!key) return undefined;
  return customerTransaction(db, key.customer_id, async (tx) => {
    const auditedRetry = await withAuditedResult(tx, auditContext, { entity: refundAuditEntity, id }, () =>
      retryUnaudited(tx, key, { events, now: auditContext.now }),
    );
    return auditedRetry && { refund: auditedRetry.after, requestedCents: auditedRetry.result };
  });
}
