import { computeHistoryLimit, type Policy } from '#core/finance/decision.ts';
import { type Cents, cents, centsToReais } from '#core/values/money.ts';
import { lockCustomerById, updateCreditLimit } from '#customers';
import type { EventContext, EventHandler, Events } from '#events';
import { queueCustomerMessage } from '#messages';
import { type CustomerTx, customerTransaction } from '#platform/database/customer-transaction.ts';
import type { Db } from '#platform/database/db.ts';
import { type AuditContext, type AuditEntity, withAuditedUpdate } from '#platform/privacy/audit-trail.ts';
import { type DecisionRequest, gatherFacts } from './facts.ts';
import { type DecisionView, decideWithPolicies, readPolicies, renderDecision } from './policy.ts';
import { decisionClosed } from './problems.ts';
import type { DecisionsSettings } from './settings.ts';
import {
  buildStanding,
  type DecisionRow,
  findDecision,
  findDecisionCustomerId,
  findPendingReview,
  findStanding,
  insertDecision,
  isLimitChosenByReviewer,
  queueStanding,
  type Standing,
  saveAnswer,
} from './store.ts';

/** The audit entity of a decision. Reading it locks the customer. */
const decisionAuditEntity = (customerId: string): AuditEntity<DecisionView, CustomerTx> => ({
  kind: 'credit_decision',
  async read(tx, id) {
    await lockCustomerById(tx, customerId);
    const row = await findDecision(tx, customerId, id);
    return row && renderDecision(row);
  },
});

type ReviewAnswer = {
  readonly id: string;
  readonly reason: string | null;
} & ({ readonly outcome: 'approved'; readonly limit: Cents | null } | { readonly outcome: 'declined' });

type AnswerDeps = { readonly db: Db; readonly events: Events; readonly builtInPolicy: Policy };

/** Stores a reviewer's answer to a pending decision, and writes the audit trail. Returns undefined if there is no such decision. */
export async function answerDecision(
  { db, events, builtInPolicy }: AnswerDeps,
  answer: ReviewAnswer,
  { auditContext, ifMatch }: { auditContext: AuditContext; ifMatch?: string | undefined },
): Promise<DecisionView | undefined> {
  const { id } = answer;
  const customerId = await findDecisionCustomerId(db, id);
  if (customerId === undefined) return undefined;
  const answeredBy = auditContext.actor.id;
  const context = { events, now: auditContext.now, builtInPolicy };
  return customerTransaction(db, customerId, (tx) =>
    withAuditedUpdate(tx, auditContext, { entity: decisionAuditEntity(customerId), id, ifMatch }, () =>
      applyAnswer(tx, { ...answer, customerId, answeredBy }, context),
    ),
  );
}

/**
 * Applies a reviewer's answer. An approval sets the first limit after a sign-up, allows a purchase, and sets the limit that the reviewer
 * chose, if any. The caller has locked the customer.
 */
async function applyAnswer(
  tx: CustomerTx,
  answer: ReviewAnswer & { readonly customerId: string; readonly answeredBy: string },
  { events, now, builtInPolicy }: EventContext & { builtInPolicy: Policy },
): Promise<void> {
  const { customerId, id, answeredBy, outcome } = answer;
  const row = (await findDecision(tx, customerId, id))!;
  if (row.outcome !== 'review') throw decisionClosed(row.outcome);
  const limit =
    answer.outcome === 'approved' ? await resolveNewLimit(tx, row, answer.limit, builtInPolicy) : null;
  await saveAnswer(tx, row, {
    outcome,
    limitCents: limit ?? row.limit_cents,
    answeredBy,
    answeredAt: now,
    reason: answer.reason,
  });
  if (limit !== null) await changeLimit(tx, customerId, buildStanding(limit), { events, now });
  const { merchant = null } = row.facts;
  const data = { decision_id: id, outcome, offer_id: row.offer_id, merchant };
  await events.emit(
    tx,
    {
      type: 'credit.decided',
      customerId,
      data,
      ...(row.merchant_id !== null && { merchantId: row.merchant_id }),
    },
    now,
  );
  const isApproved = outcome === 'approved';
  queueCustomerMessage(tx, customerId, { template: 'credit_answer', data: { isApproved }, subject: id, now });
}

/** Returns the new limit, or null if the limit does not change. */
async function resolveNewLimit(
  tx: CustomerTx,
  row: DecisionRow,
  chosenLimit: Cents | null,
  builtInPolicy: Policy,
) {
  if (chosenLimit !== null) return chosenLimit;
  if (row.moment !== 'signup') return null;
  // A limit that staff have set in the meantime is not changed.
  const [standing, { inForce }] = await Promise.all([
    findStanding(tx, row.customer_id),
    readPolicies(tx, builtInPolicy),
  ]);
  return standing?.limit_cents === row.limit_cents
    ? cents(Math.round(inForce.policy.first_limit * 100))
    : null;
}

/** Stores the customer's request for a review by a person (LGPD art. 20). Returns the existing request while it is pending. */
export async function requestReview(
  tx: CustomerTx,
  customerId: string,
  { events, now, settings }: EventContext & { settings: DecisionsSettings },
): Promise<{ row: DecisionRow; isNew: boolean }> {
  await lockCustomerById(tx, customerId);
  const pendingReview = await findPendingReview(tx, customerId);
  if (pendingReview) return { row: pendingReview, isNew: false };
  const request = { customerId, moment: 'review', now } as const;
  const { facts, policies } = await gatherFacts(tx, request, settings.builtInPolicy);
  const row = { customer_id: customerId, ...decideWithPolicies(policies, facts, { now }) };
  await insertDecision(tx, row);
  const data = { decision_id: row.id, offer_id: null, merchant: null };
  await events.emit(tx, { type: 'credit.review', customerId, data }, now);
  return { row, isNew: true };
}

type GetSettings = () => DecisionsSettings;

/** Offers a higher limit after a purchase is paid in full. The limit takes effect when the customer accepts it. */
export const onCheckoutPaid =
  (getSettings: GetSettings): EventHandler<'checkout.paid'> =>
  async (tx, { customerId, occurredAt: now }, events) => {
    await restoreLimit(tx, { customerId, now, settings: getSettings(), events });
    const decision = await decideNewLimit(tx, { customerId, moment: 'growth', now }, getSettings());
    if (!decision || decision.limit <= decision.currentLimit || decision.limit === decision.offeredLimit)
      return;
    const { row, limit, standing } = decision;
    await insertDecision(tx, row);
    await saveStanding(tx, customerId, { ...standing, offered_cents: limit }, { events, now });
  };

/** Lowers the limit to the amount in use when an installment is overdue. Withdraws an offered limit. */
export const onInstallmentOverdue =
  (getSettings: GetSettings): EventHandler<'installment.overdue'> =>
  async (tx, { customerId, occurredAt: now }, events) => {
    const decision = await decideNewLimit(tx, { customerId, moment: 'late', now }, getSettings());
    if (!decision || (decision.limit >= decision.currentLimit && decision.offeredLimit === null)) return;
    const { row, limit, currentLimit, standing } = decision;
    await insertDecision(tx, row);
    const lowered_from_cents = standing.lowered_from_cents ?? currentLimit;
    await changeLimit(tx, customerId, { ...buildStanding(limit), lowered_from_cents }, { events, now });
  };

/** Restores the limit if no other installment is late. */
export const onInstallmentPaid =
  (getSettings: GetSettings): EventHandler<'installment.paid'> =>
  async (tx, { customerId, occurredAt: now, data }, events) => {
    if (!data.on_time) await restoreLimit(tx, { customerId, now, settings: getSettings(), events });
  };

export const onInstallmentExtended =
  (getSettings: GetSettings): EventHandler<'installment.extended'> =>
  (tx, { customerId, occurredAt: now }, events) =>
    restoreLimit(tx, { customerId, now, settings: getSettings(), events });

/** Adjusts the limit after a return, which may settle late installments and reduces the history that raised the limit. */
export const onCheckoutReturned =
  (getSettings: GetSettings): EventHandler<'checkout.returned'> =>
  async (tx, { customerId, occurredAt: now }, events) => {
    const context = { customerId, now, settings: getSettings(), events };
    await restoreLimit(tx, context);
    await withdrawGrowth(tx, context);
  };

/** Adjusts the limit after a chargeback, which reduces the history that raised the limit. */
export const onInstallmentReopened =
  (getSettings: GetSettings): EventHandler<'installment.reopened'> =>
  (tx, { customerId, occurredAt: now }, events) =>
    withdrawGrowth(tx, { customerId, now, settings: getSettings(), events });

type AdjustmentContext = {
  readonly customerId: string;
  readonly now: Date;
  readonly settings: DecisionsSettings;
  readonly events: Events;
};

/** Restores the limit if no installment is late: to the policy's limit for the history, at most to the limit before it was lowered. */
async function restoreLimit(tx: CustomerTx, { customerId, now, settings, events }: AdjustmentContext) {
  if (((await findStanding(tx, customerId))?.lowered_from_cents ?? null) === null) return;
  const decision = await decideNewLimit(tx, { customerId, moment: 'late', now }, settings);
  if (decision?.row.outcome !== 'approved') return;
  const { row, limit, currentLimit } = decision;
  await insertDecision(tx, row);
  if (limit === currentLimit) queueStanding(tx, customerId, buildStanding(limit));
  else await changeLimit(tx, customerId, buildStanding(limit), { events, now });
}

/** Lowers the limit and withdraws an offered limit that the history no longer justifies. Does not lower a limit that a reviewer chose. */
async function withdrawGrowth(tx: CustomerTx, { customerId, now, settings, events }: AdjustmentContext) {
  const request = { customerId, moment: 'growth', cause: 'reversal', now } as const;
  const decision = await decideNewLimit(tx, request, settings);
  if (!decision) return;
  const { row, standing, currentLimit, offeredLimit, historyLimit } = decision;
  const isWithdrawn = offeredLimit !== null && offeredLimit > historyLimit;
  const isLowered =
    decision.limit < currentLimit && !(await isLimitChosenByReviewer(tx, customerId, currentLimit));
  if (!isWithdrawn && !isLowered) return;
  const limit = isLowered ? decision.limit : currentLimit;
  const offered = isWithdrawn ? null : offeredLimit;
  if (isLowered) {
    await insertDecision(tx, row);
    await updateCreditLimit(tx, customerId, limit);
  }
  const newStanding = { ...standing, limit_cents: limit, offered_cents: offered };
  await saveStanding(tx, customerId, newStanding, { events, now });
}

export async function changeLimit(
  tx: CustomerTx,
  customerId: string,
  standing: Standing,
  context: EventContext,
): Promise<void> {
  await updateCreditLimit(tx, customerId, standing.limit_cents);
  await saveStanding(tx, customerId, standing, context);
}

async function saveStanding(
  tx: CustomerTx,
  customerId: string,
  standing: Standing,
  { events, now }: EventContext,
): Promise<void> {
  queueStanding(tx, customerId, standing);
  const { limit_cents, offered_cents } = standing;
  const offered = offered_cents === null ? null : centsToReais(offered_cents);
  const data = { limit: centsToReais(limit_cents), offered };
  await events.emit(tx, { type: 'credit.limit_changed', customerId, data }, now);
}

/** Decides on a new limit, and returns it with the current and the offered limit. Returns undefined if staff set the current limit. */
async function decideNewLimit(tx: CustomerTx, request: DecisionRequest, settings: DecisionsSettings) {
  const { policies, facts, limitCents, standing } = await gatherFacts(tx, request, settings.builtInPolicy);
  if (standing?.limit_cents !== limitCents) return undefined;
  const { customerId, now } = request;
  const row = { customer_id: customerId, ...decideWithPolicies(policies, facts, { now }) };
  return {
    row,
    limit: row.limit_cents,
    currentLimit: limitCents,
    offeredLimit: standing.offered_cents,
    historyLimit: computeHistoryLimit(facts, policies.inForce.policy).limit,
    standing,
  };
}
