import type { Policy } from '#core/finance/decision.ts';
import { type Cents, cents } from '#core/values/money.ts';
import { lockCustomerById } from '#customers';
import type { EventContext, Events } from '#events';
import { queueCustomerMessage } from '#messages';
import { type CustomerTx, customerTransaction } from '#platform/database/customer-transaction.ts';
import type { Db } from '#platform/database/db.ts';
import { type AuditContext, type AuditEntity, withAuditedUpdate } from '#platform/privacy/audit-trail.ts';
import { changeLimit } from './adjust-limit.ts';
import { gatherFacts } from './facts.ts';
import { type DecisionView, decideWithPolicies, readPolicies, renderDecision } from './policy.ts';
import { decisionClosed } from './problems.ts';
import type { DecisionsSettings } from './settings.ts';
import {
  buildStanding,
  type DecisionRow,
  findDecision,
  findDecisionCustomerId,
  findRequestedReview,
  findStanding,
  insertDecision,
  saveAnswer,
} from './store.ts';

/** Describes a decision to the audit trail. Reading the decision locks its customer. */
const createDecisionAuditEntity = (customerId: string): AuditEntity<DecisionView, CustomerTx> => ({
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
    withAuditedUpdate(tx, auditContext, { entity: createDecisionAuditEntity(customerId), id, ifMatch }, () =>
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
  const newLimit =
    answer.outcome === 'approved' ? await resolveNewLimit(tx, row, answer.limit, builtInPolicy) : null;
  await saveAnswer(tx, row, {
    outcome,
    limitCents: newLimit ?? row.limit_cents,
    answeredBy,
    answeredAt: now,
    reason: answer.reason,
  });
  if (newLimit !== null) await changeLimit(tx, customerId, buildStanding(newLimit), { events, now });
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
  queueCustomerMessage(tx, customerId, {
    template: 'credit_answer',
    data: { isApproved },
    subjectKey: id,
    now,
  });
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
  const pendingReview = await findRequestedReview(tx, customerId);
  if (pendingReview) return { row: pendingReview, isNew: false };
  const request = { customerId, moment: 'review', now } as const;
  const { facts, policies } = await gatherFacts(tx, request, settings.builtInPolicy);
  const row = { customer_id: customerId, ...decideWithPolicies(policies, facts, { now }) };
  await insertDecision(tx, row);
  const data = { decision_id: row.id, offer_id: null, merchant: null };
  await events.emit(tx, { type: 'credit.review', customerId, data }, now);
  return { row, isNew: true };
}
