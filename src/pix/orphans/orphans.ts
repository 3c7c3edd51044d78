import type { Static } from 'typebox';
import { addDays, saoPauloDay } from '#core/values/day.ts';
import { DAY_MS } from '#core/values/duration.ts';
import { centsToReais, sum, toReais } from '#core/values/money.ts';
import { findInstallmentCheckout, findInstallmentView, listInstallmentsByOutstanding } from '#credit';
import { lockCustomerById } from '#customers';
import { type CustomerTx, forCustomer } from '#platform/database/customer-transaction.ts';
import type { Db, Queryable, Tx } from '#platform/database/db.ts';
import { project } from '#platform/http/project.ts';
import { enqueueAll } from '#platform/jobs/jobs.ts';
import { type AuditContext, createRowAuditEntity, withAuditedResult } from '#platform/privacy/audit-trail.ts';
import { clampInstant, type Pix } from '../pix.ts';
import { installmentUnknown, orphanClosed } from '../problems.ts';
import { newRefundId } from '../refunds/request-refunds.ts';
import { PixOrphan } from '../schemas.ts';
import { insertAssignedCharge } from '../settlement/move-payment.ts';
import { applyPayment } from '../settlement/settle-payment.ts';
import {
  findOrphan,
  listPayersFromBank,
  listUnpaidCharges,
  lockOrphan,
  markOrphanRefundRequested,
  type OrphanRow,
} from '../store/orphans.ts';
import { listPaymentOwners } from '../store/payments.ts';
import { createOrphanRefundJob, createSyncJob, REFUND_ATTEMPTS, SYNC_ATTEMPTS } from '../tasks.ts';

export const renderOrphan = (orphan: OrphanRow): Static<typeof PixOrphan> => ({
  ...project(PixOrphan, orphan),
  value: centsToReais(orphan.amount_cents),
});

/** Audits an orphan. Reads it without a lock, because an assignment must lock the customer before the orphan. */
export const orphanAuditEntity = createRowAuditEntity('pix_orphan', findOrphan, renderOrphan);

type AssignmentInput = { endToEndId: string; installmentId: string };

/**
 * Assigns an orphan to an installment, as of its arrival, with all effects of a paid charge. The first claim wins, whether by a
 * staff user or by a late report of the PSP. Locks the customer, then the orphan.
 */
async function assignUnaudited(
  tx: CustomerTx,
  pix: Pick<Pix, 'events' | 'clock' | 'pixKey'>,
  input: AssignmentInput,
) {
  const { endToEndId, installmentId } = input;
  const checkout = await findInstallmentCheckout(tx, installmentId);
  if (!checkout) throw installmentUnknown(installmentId);
  const { customer_id, checkout_hash, purchased_at } = checkout;
  await lockCustomerById(tx, customer_id);
  const orphan = await lockOpenOrphan(tx, endToEndId);
  const { amount_cents: amountCents, paid_at: paidAt } = orphan;
  // A payment cannot be dated before the purchase.
  const receivedAt = clampInstant(paidAt, { earliest: purchased_at, now: pix.clock.now() });
  const charge = insertAssignedCharge(tx, pix, { checkout, input, receivedAt, amountCents });
  const reallocation = await applyPayment(tx, pix, charge, orphan, { receivedAt });
  if (!reallocation) throw orphanClosed({ assignedTo: 'charge' });
  // Part of the payment may have been refunded by hand at the PSP.
  await enqueueAll(tx, [createSyncJob(charge.txid, endToEndId)], SYNC_ATTEMPTS);
  return {
    customer_id,
    checkout_hash,
    received_at: receivedAt.toISOString(),
    /** The excess of this and other payments of the installment, which is refunded. */
    too_much: toReais(sum(reallocation.toRefund.map((refund) => refund.amountCents))),
  };
}

/** Refunds the whole payment to its sender. A job requests the refund from the PSP after the commit. */
export async function refundOrphan(tx: Tx, endToEndId: string, now: Date): Promise<void> {
  await lockOpenOrphan(tx, endToEndId);
  await markOrphanRefundRequested(tx, endToEndId, { refundId: newRefundId(), now });
  await enqueueAll(tx, [createOrphanRefundJob(endToEndId)], REFUND_ATTEMPTS);
}

async function lockOpenOrphan(tx: Tx, endToEndId: string): Promise<OrphanRow> {
  const orphan = await lockOrphan(tx, endToEndId);
  if (orphan?.status === 'open') return orphan;
  if (orphan) throw orphanClosed({ status: orphan.status });
  throw orphanClosed({ assignedTo: 'installment' });
}

/** Throws if the payment belongs to a charge, so that it is no longer an orphan. Returns undefined for an unknown payment. */
export async function throwIfAssigned(tx: Tx, endToEndId: string): Promise<undefined> {
  const [owner] = await listPaymentOwners(tx, [endToEndId]);
  if (owner?.charge_id) throw orphanClosed({ assignedTo: 'installment', chargeId: owner.charge_id });
}

/**
 * Returns a transaction runner for the installment's customer. An unknown installment has no customer to wait for, and `assignOrphan`
 * throws the problem.
 */
export async function forInstallmentCustomer(db: Db, installmentId: string) {
  const checkout = await findInstallmentCheckout(db, installmentId);
  return forCustomer(db, checkout?.customer_id ?? installmentId);
}

/** Assigns an orphan, and records it in the audit trail. Returns undefined if the payment is unknown. */
export async function assignOrphan(
  tx: CustomerTx,
  pix: Pick<Pix, 'events' | 'clock' | 'pixKey'>,
  input: AssignmentInput,
  auditContext: AuditContext,
) {
  const auditTarget = { entity: orphanAuditEntity, id: input.endToEndId };
  const auditedAssignment = await withAuditedResult(tx, auditContext, auditTarget, () =>
    assignUnaudited(tx, pix, input),
  );
  if (!auditedAssignment) return throwIfAssigned(tx, input.endToEndId);
  const { after: orphan, result: assignment } = auditedAssignment;
  const now = auditContext.now.getTime();
  const installment = (await findInstallmentView(tx, assignment.customer_id, input.installmentId, now))!;
  return { end_to_end_id: orphan.end_to_end_id, value: orphan.value, ...assignment, installment };
}

/** A code is usually paid within days; an installment may be paid early or late. */
const MAX_CODE_AGE_DAYS = 7;
const MAX_DUE_DISTANCE_DAYS = 10;
const MAX_SUGGESTIONS = 10;
/** An end-to-end id begins with E and the eight digits of the payer's bank. */
const BANK_PREFIX_LENGTH = 9;

export const ORPHAN_SUGGESTION_REASONS = ['code', 'amount', 'bank'] as const;

type Suggestion = {
  customer_id: string;
  checkout_hash: string;
  installment_id: string;
  because: Array<(typeof ORPHAN_SUGGESTION_REASONS)[number]>;
};

/**
 * Suggests installments that an orphan may be for, the most likely first: those with an unpaid charge of the same amount, and those
 * on which exactly this amount is owed, near in time. A customer who has paid from the same bank before is more likely. The payer
 * is not stored: only the statement of the PSP shows it.
 */
export async function suggestInstallments(db: Queryable, orphan: OrphanRow): Promise<Suggestion[]> {
  const { amount_cents, paid_at: paidAt, end_to_end_id } = orphan;
  const paidOn = saoPauloDay(paidAt.getTime());
  const [unpaidCharges, owingInstallments] = await Promise.all([
    listUnpaidCharges(db, amount_cents, {
      from: new Date(paidAt.getTime() - MAX_CODE_AGE_DAYS * DAY_MS),
      to: new Date(paidAt.getTime() + DAY_MS),
      nearestTo: paidAt,
      limit: MAX_SUGGESTIONS,
    }),
    listInstallmentsByOutstanding(db, amount_cents, {
      from: addDays(paidOn, -MAX_DUE_DISTANCE_DAYS),
      to: addDays(paidOn, MAX_DUE_DISTANCE_DAYS),
      day: paidOn,
      limit: MAX_SUGGESTIONS,
    }),
  ]);
  const suggestionByInstallment = new Map<string, Suggestion>();
  const addReason = (installment: Omit<Suggestion, 'because'>, reason: Suggestion['because'][number]) => {
    const suggestion = suggestionByInstallment.get(installment.installment_id) ?? {
      ...installment,
      because: [],
    };
    if (!suggestion.because.includes(reason)) suggestion.because.push(reason);
    suggestionByInstallment.set(installment.installment_id, suggestion);
  };
  for (const charge of unpaidCharges) addReason(charge, 'code');
  for (const { customer_id, checkout_hash, id } of owingInstallments)
    addReason({ customer_id, checkout_hash, installment_id: id }, 'amount');
  const suggestions = [...suggestionByInstallment.values()];
  const bankPrefix = end_to_end_id.slice(0, BANK_PREFIX_LENGTH);
  const customerIds = [...new Set(suggestions.map(({ customer_id }) => customer_id))];
  const payerIds = await listPayersFromBank(db, customerIds, bankPrefix);
  for (const suggestion of suggestions)
    if (payerIds.has(suggestion.customer_id)) suggestion.because.push('bank');
  // The sort is stable: among suggestions with equally many reasons, the nearest in time stay first.
  return suggestions.toSorted((a, b) => b.because.length - a.because.length).slice(0, MAX_SUGGESTIONS);
}
