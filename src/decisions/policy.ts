import { type Decision, decide, type Facts, type Policy } from '#core/decision.ts';
import type { Queryable } from '#platform/database/db.ts';
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

/** A decision with everything that is stored of it. */
export type DecisionRecord = {
  readonly facts: Facts;
  readonly decision: Decision;
  readonly policyVersion: number;
  readonly shadow: { readonly version: number; readonly decision: Decision } | null;
};

export function decideBy({ force, shadow }: Policies, facts: Facts): DecisionRecord {
  return {
    facts,
    decision: decide(facts, force.policy),
    policyVersion: force.version,
    shadow: shadow && { version: shadow.version, decision: decide(facts, shadow.policy) },
  };
}
