import { decide, type Facts, type GradedFact, type Policy } from '#core/finance/decision.ts';
import type { Queryable } from '#platform/database/db.ts';
import { newId } from '#platform/ids.ts';
import { listNewestPolicies } from './store.ts';

/** A policy and its version. Version 1 is the built-in policy. */
export type VersionedPolicy = {
  readonly version: number;
  readonly policy: Policy;
  readonly set_by: string | null;
  readonly set_at: Date | null;
};

export type Policies = { readonly inForce: VersionedPolicy; readonly shadow: VersionedPolicy | null };

/** Reads the policy in force, and the shadow policy, which is evaluated without effect. */
export async function readPolicies(db: Queryable, builtIn: Policy): Promise<Policies> {
  const rows = await listNewestPolicies(db);
  const findNewest = (role: 'force' | 'shadow'): VersionedPolicy | null => {
    const row = rows.find((candidate) => candidate.role === role);
    return row?.policy ? { ...row, policy: row.policy } : null;
  };
  return {
    inForce: findNewest('force') ?? { version: 1, policy: builtIn, set_by: null, set_at: null },
    shadow: findNewest('shadow'),
  };
}

/** Whether the policy in force or the shadow policy uses any of these facts. */
export const usesFacts = ({ inForce, shadow }: Policies, facts: readonly GradedFact[]): boolean =>
  [inForce, shadow].some(
    (version) => version && facts.some((fact) => version.policy.rules[fact] ?? version.policy.signals[fact]),
  );

/** The facts of a bureau report. */
export const BUREAU_FACTS = ['bureau_score', 'bureau_cpf_irregular'] as const;

/** Evaluates both policies and builds the row of the decision, without the customer id. */
export function decideWithPolicies(
  { inForce, shadow }: Policies,
  facts: Facts,
  { offerId, merchantId, now }: { offerId?: string; merchantId?: number; now: Date },
) {
  const { outcome, limit, reasons } = decide(facts, inForce.policy);
  const shadowDecision = shadow && decide(facts, shadow.policy);
  return {
    id: newId('dec', now),
    moment: facts.moment,
    outcome,
    decided: outcome,
    limit_cents: limit,
    decided_limit_cents: limit,
    reasons: [...reasons],
    policy_version: inForce.version,
    facts,
    offer_id: offerId ?? null,
    merchant_id: merchantId ?? null,
    shadow_version: shadow?.version ?? null,
    shadow_outcome: shadowDecision?.outcome ?? null,
    shadow_limit_cents: shadowDecision?.limit ?? null,
    decided_at: now,
    answered_by: null,
    answered_at: null,
    answer_reason: null,
  };
}
