import { decide, type Facts, type Policy } from '#core/decision.ts';
import type { Queryable } from '#platform/database/db.ts';
import { newId } from '#platform/ids.ts';
import { listNewestPolicies } from './store.ts';

/** A policy and its version. 1 is the one that is built in. */
export type Versioned = {
  readonly version: number;
  readonly policy: Policy;
  readonly set_by: string | null;
  readonly set_at: Date | null;
};

export type Policies = { readonly force: Versioned; readonly shadow: Versioned | null };

/** The policy in force, and the shadow policy that is evaluated beside it. */
export async function readPolicies(db: Queryable, builtIn: Policy): Promise<Policies> {
  const rows = await listNewestPolicies(db);
  const newest = (role: 'force' | 'shadow'): Versioned | null => {
    const row = rows.find((one) => one.role === role);
    return row?.policy ? { ...row, policy: row.policy } : null;
  };
  return {
    force: newest('force') ?? { version: 1, policy: builtIn, set_by: null, set_at: null },
    shadow: newest('shadow'),
  };
}

/** A decision, and what the shadow would have decided, as it is stored of its customer. */
export function decideBy(
  { force, shadow }: Policies,
  facts: Facts,
  { offerId, merchantId, now }: { offerId?: string; merchantId?: number; now: Date },
) {
  const { outcome, limit, reasons } = decide(facts, force.policy);
  const shadowed = shadow && decide(facts, shadow.policy);
  return {
    id: newId('dec', now),
    moment: facts.moment,
    outcome,
    decided: outcome,
    limit_cents: limit,
    decided_limit_cents: limit,
    reasons: [...reasons],
    policy_version: force.version,
    facts,
    offer_id: offerId ?? null,
    merchant_id: merchantId ?? null,
    shadow_version: shadow?.version ?? null,
    shadow_outcome: shadowed?.outcome ?? null,
    shadow_limit_cents: shadowed?.limit ?? null,
    decided_at: now,
    answered_by: null,
    answered_at: null,
    answer_reason: null,
  };
}
