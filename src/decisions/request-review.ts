import { lockCustomerById } from '#customers';
import type { EventContext } from '#events';
import type { CustomerTx } from '#platform/database/customer-transaction.ts';
import { gatherFacts } from './facts.ts';
import { decideWithPolicies } from './policy.ts';
import type { DecisionsSettings } from './settings.ts';
import { type DecisionRow, findPendingReview, insertDecision } from './store.ts';

/** Stores the customer's request for a review by a person (LGPD art. 20). Idempotent while the review is pending. */
export async function requestReview(
  tx: CustomerTx,
  customerId: string,
  { events, now, settings }: EventContext & { settings: DecisionsSettings },
): Promise<{ row: DecisionRow; isNew: boolean }> {
  await lockCustomerById(tx, customerId);
  const pending = await findPendingReview(tx, customerId);
  if (pending) return { row: pending, isNew: false };
  const { facts, policies } = await gatherFacts(tx, { customerId, moment: 'review', now }, settings.builtIn);
  const row = { customer_id: customerId, ...decideWithPolicies(policies, facts, { now }) };
  await insertDecision(tx, row);
  const data = { decision_id: row.id, offer_id: null, merchant: null };
  await events.emit(tx, { type: 'credit.review', customerId, data }, now);
  return { row, isNew: true };
}
