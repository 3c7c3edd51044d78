import type { Policy } from '#core/decision.ts';
import { type PolicyFault, policyFaults } from '#core/decision.ts';
import type { Tx } from '#platform/database/db.ts';
import { type Change, recordChange, type Subject } from '#platform/privacy/trail.ts';
import { validationFailed } from '#platform/problem.ts';
import { type Policies, readPolicies } from './policy.ts';
import { renderPolicy } from './render.ts';
import { insertPolicy, lockPolicies } from './store.ts';

export type PolicyChange = {
  readonly policy?: Policy | undefined;
  readonly shadow?: Policy | null | undefined;
};

const faultsOf = (at: string, policy: Policy | null | undefined): PolicyFault[] =>
  policy
    ? policyFaults(policy).map(({ pointer, message }) => ({ pointer: `/${at}${pointer}`, message }))
    : [];

/** Throws all faults of the policies at once. */
export function mustBeSound(change: PolicyChange): void {
  const faults = [...faultsOf('policy', change.policy), ...faultsOf('shadow', change.shadow)];
  if (faults.length > 0) throw validationFailed(faults);
}

const policySubject = (builtIn: Policy): Subject<object> => ({
  kind: 'credit_policy',
  read: async (tx) => shownPolicies(await readPolicies(tx, builtIn)),
});

export const shownPolicies = ({ force, shadow }: Policies) => ({
  ...renderPolicy(force),
  shadow: shadow && renderPolicy(shadow),
});

/** Sets the policy in force, the shadow, or both, each with a version of its own. */
export async function setPolicy(
  tx: Tx,
  wanted: PolicyChange,
  { change, ifMatch, builtIn }: { change: Change; ifMatch?: string | undefined; builtIn: Policy },
): Promise<Policies> {
  mustBeSound(wanted);
  await lockPolicies(tx);
  const made = { setBy: change.actor.id, setAt: change.now };
  await recordChange(tx, change, { of: policySubject(builtIn), id: 'credit', ifMatch }, async () => {
    if (wanted.policy !== undefined)
      await insertPolicy(tx, { role: 'force', policy: wanted.policy, ...made });
    if (wanted.shadow !== undefined)
      await insertPolicy(tx, { role: 'shadow', policy: wanted.shadow, ...made });
  });
  return readPolicies(tx, builtIn);
}
