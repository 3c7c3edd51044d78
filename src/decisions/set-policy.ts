import type { Policy } from '#core/finance/decision.ts';
import { findPolicyErrors, type PolicyError } from '#core/finance/decision.ts';
import type { Tx } from '#platform/database/db.ts';
import { type AuditContext, type AuditEntity, withAuditedUpdate } from '#platform/privacy/audit-trail.ts';
import { validationFailed } from '#platform/problem.ts';
import { type Policies, readPolicies } from './policy.ts';
import { renderPolicy } from './render.ts';
import { insertPolicy, lockPolicies } from './store.ts';

export type PolicyUpdate = {
  readonly policy?: Policy | undefined;
  readonly shadow?: Policy | null | undefined;
};

const listPolicyErrors = (field: string, policy: Policy | null | undefined): PolicyError[] =>
  policy
    ? findPolicyErrors(policy).map(({ pointer, message }) => ({ pointer: `/${field}${pointer}`, message }))
    : [];

/** Throws all errors of the policies together. */
export function assertValidPolicies(update: PolicyUpdate): void {
  const errors = [...listPolicyErrors('policy', update.policy), ...listPolicyErrors('shadow', update.shadow)];
  if (errors.length > 0) throw validationFailed(errors);
}

const policyAuditEntity = (builtIn: Policy): AuditEntity<object> => ({
  kind: 'credit_policy',
  read: async (tx) => renderPolicies(await readPolicies(tx, builtIn)),
});

export const renderPolicies = ({ inForce, shadow }: Policies) => ({
  ...renderPolicy(inForce),
  shadow: shadow && renderPolicy(shadow),
});

/** Sets the policy in force, the shadow policy, or both. Each gets its own version. */
export async function setPolicy(
  tx: Tx,
  update: PolicyUpdate,
  {
    auditContext,
    ifMatch,
    builtIn,
  }: { auditContext: AuditContext; ifMatch?: string | undefined; builtIn: Policy },
): Promise<Policies> {
  assertValidPolicies(update);
  await lockPolicies(tx);
  const author = { setBy: auditContext.actor.id, setAt: auditContext.now };
  await withAuditedUpdate(
    tx,
    auditContext,
    { entity: policyAuditEntity(builtIn), id: 'credit', ifMatch },
    async () => {
      if (update.policy !== undefined)
        await insertPolicy(tx, { role: 'force', policy: update.policy, ...author });
      if (update.shadow !== undefined)
        await insertPolicy(tx, { role: 'shadow', policy: update.shadow, ...author });
    },
  );
  return readPolicies(tx, builtIn);
}
