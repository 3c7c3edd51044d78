import { newId } from '#platform/ids.ts';
import type { DecisionRecord } from './policy.ts';
import type { DecisionRow } from './store.ts';

export function recordOf(
  made: DecisionRecord,
  {
    customerId,
    offerId = null,
    merchantId = null,
    now,
  }: { customerId: string; offerId?: string | null; merchantId?: number | null; now: Date },
): DecisionRow {
  const { facts, decision, policyVersion, shadow } = made;
  return {
    customer_id: customerId,
    id: newId('dec', now),
    moment: facts.moment,
    outcome: decision.outcome,
    decided: decision.outcome,
    limit_cents: decision.limit,
    decided_limit_cents: decision.limit,
    reasons: [...decision.reasons],
    policy_version: policyVersion,
    facts,
    offer_id: offerId,
    merchant_id: merchantId,
    shadow_version: shadow?.version ?? null,
    shadow_outcome: shadow?.decision.outcome ?? null,
    shadow_limit_cents: shadow?.decision.limit ?? null,
    decided_at: now,
    answered_by: null,
    answered_at: null,
    answer_reason: null,
  };
}
