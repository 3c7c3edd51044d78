import type { Static } from 'typebox';
import {
  type DecisionOutcome,
  decide,
  type Facts,
  findPolicyErrors,
  type GradedFact,
  type Policy,
  type PolicyError,
} from '#core/finance/decision.ts';
import { saoPauloDay } from '#core/values/day.ts';
import { centsToReais } from '#core/values/money.ts';
import { sumPurchaseAmounts } from '#credit';
import type { Queryable, Tx } from '#platform/database/db.ts';
import { pluck } from '#platform/database/db.ts';
import { computeEtag } from '#platform/http/etag.ts';
import { project } from '#platform/http/project.ts';
import { newId } from '#platform/ids.ts';
import { type AuditContext, type AuditEntity, withAuditedUpdate } from '#platform/privacy/audit-trail.ts';
import { validationFailed } from '#platform/problem.ts';
import { ComparisonResponse, CreditDecision, type PolicyResponse } from './schemas.ts';
import {
  type DecisionRow,
  insertPolicy,
  listNewestPolicies,
  listPastDecisions,
  listShadowDecisions,
  lockPolicies,
  type PastDecision,
} from './store.ts';

/** A policy and its version. Version 1 is the built-in policy, for which `set_by` and `set_at` are null. */
type VersionedPolicy = {
  readonly version: number;
  readonly policy: Policy;
  readonly set_by: string | null;
  readonly set_at: Date | null;
};

export type Policies = { readonly inForce: VersionedPolicy; readonly shadow: VersionedPolicy | null };

/**
 * Reads the policy in force, and the shadow policy, which has no effect. `batchKey` differs between callers whose reads may be batched
 * into one round trip.
 */
export async function readPolicies(db: Queryable, builtInPolicy: Policy, batchKey = ''): Promise<Policies> {
  const rows = await listNewestPolicies(db, batchKey);
  const findNewest = (role: 'force' | 'shadow'): VersionedPolicy | null => {
    const row = rows.find((candidate) => candidate.role === role);
    return row?.policy ? { ...row, policy: row.policy } : null;
  };
  return {
    inForce: findNewest('force') ?? { version: 1, policy: builtInPolicy, set_by: null, set_at: null },
    shadow: findNewest('shadow'),
  };
}

export const usesFacts = ({ inForce, shadow }: Policies, facts: readonly GradedFact[]): boolean =>
  [inForce, shadow].some(
    (version) => version && facts.some((fact) => version.policy.rules[fact] ?? version.policy.signals[fact]),
  );

export const BUREAU_FACTS = ['bureau_score', 'bureau_cpf_irregular'] as const;

/**
 * Evaluates both policies and builds the row of the decision, without the customer id. A reviewer may change `outcome` and `limit_cents`
 * later; `decided` and `decided_limit_cents` stay those of the policy.
 */
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

type PolicyUpdate = {
  readonly policy?: Policy | undefined;
  readonly shadow?: Policy | null | undefined;
};

const listPolicyErrors = (field: string, policy: Policy | null | undefined): PolicyError[] =>
  policy
    ? findPolicyErrors(policy).map(({ pointer, message }) => ({ pointer: `/${field}${pointer}`, message }))
    : [];

export function assertValidPolicies(update: PolicyUpdate): void {
  const errors = [...listPolicyErrors('policy', update.policy), ...listPolicyErrors('shadow', update.shadow)];
  if (errors.length > 0) throw validationFailed(errors);
}

const renderPolicy = ({ version, policy, set_by, set_at }: VersionedPolicy) => ({
  version,
  policy,
  set_by,
  set_at: set_at?.toISOString() ?? null,
});

const renderPolicies = ({ inForce, shadow }: Policies) => ({
  ...renderPolicy(inForce),
  shadow: shadow && renderPolicy(shadow),
});

const createPolicyAuditEntity = (builtInPolicy: Policy): AuditEntity<object> => ({
  kind: 'credit_policy',
  read: async (tx) => renderPolicies(await readPolicies(tx, builtInPolicy)),
});

/** Sets the policy in force, the shadow policy, or both. Each gets its own version. */
export async function setPolicy(
  tx: Tx,
  update: PolicyUpdate,
  {
    auditContext,
    ifMatch,
    builtInPolicy,
  }: { auditContext: AuditContext; ifMatch?: string | undefined; builtInPolicy: Policy },
): Promise<Policies> {
  assertValidPolicies(update);
  await lockPolicies(tx);
  const author = { setBy: auditContext.actor.id, setAt: auditContext.now };
  await withAuditedUpdate(
    tx,
    auditContext,
    { entity: createPolicyAuditEntity(builtInPolicy), id: 'credit', ifMatch },
    async () => {
      if (update.policy !== undefined)
        await insertPolicy(tx, { role: 'force', policy: update.policy, ...author });
      if (update.shadow !== undefined)
        await insertPolicy(tx, { role: 'shadow', policy: update.shadow, ...author });
    },
  );
  return readPolicies(tx, builtInPolicy);
}

/** Builds the response for staff. The ETag covers the policies only, because every decision changes the figures of the shadow policy. */
export async function buildPolicyResponse(
  db: Queryable,
  policies: Policies,
  now: Date,
): Promise<{ etag: string; body: Static<typeof PolicyResponse> }> {
  const { inForce, shadow } = policies;
  return {
    etag: computeEtag(renderPolicies(policies)),
    body: {
      ...renderPolicy(inForce),
      shadow: shadow && {
        ...renderPolicy(shadow),
        figures: await computeShadowFigures(db, shadow.version, now),
      },
    },
  };
}

export type DecisionView = Static<typeof CreditDecision>;

export const renderDecision = (row: DecisionRow): DecisionView => ({
  ...project(CreditDecision, row),
  facts: row.facts as Record<string, unknown>,
});

const MAX_COMPARED_DECISIONS = 10_000;

type ReplayedDecision = {
  readonly pastDecision: PastDecision;
  readonly newOutcome: DecisionOutcome;
  readonly newLimitCents: number;
};

/** Compares a policy with the last 10,000 decisions, and sums the purchases it would have refused. */
export async function evaluatePolicy(db: Queryable, policy: Policy, now: Date) {
  const pastDecisions = await listPastDecisions(db, MAX_COMPARED_DECISIONS);
  const replayedDecisions = pastDecisions.map((pastDecision) => {
    const { outcome, limit } = decide(pastDecision.facts, policy);
    return { pastDecision, newOutcome: outcome, newLimitCents: limit };
  });
  return compareOutcomes(db, replayedDecisions, now);
}

/** Compares the stored outcomes of the shadow policy with the decisions, like `evaluatePolicy`. */
async function computeShadowFigures(db: Queryable, version: number, now: Date) {
  const shadowDecisions = await listShadowDecisions(db, version, MAX_COMPARED_DECISIONS);
  const replayedDecisions = shadowDecisions.map(
    ({ shadow_outcome, shadow_limit_cents, ...pastDecision }) => ({
      pastDecision,
      newOutcome: shadow_outcome!,
      newLimitCents: shadow_limit_cents!,
    }),
  );
  return compareOutcomes(db, replayedDecisions, now);
}

async function compareOutcomes(db: Queryable, replayedDecisions: readonly ReplayedDecision[], now: Date) {
  const changedDecisions = replayedDecisions.filter(
    ({ pastDecision, newOutcome, newLimitCents }) =>
      pastDecision.decided !== newOutcome || pastDecision.decided_limit_cents !== newLimitCents,
  );
  const groups = Map.groupBy(changedDecisions, ({ pastDecision: { decided, moment }, newOutcome }) =>
    [decided, newOutcome, moment].join(' '),
  );
  const refusedDecisions = changedDecisions.filter(
    ({ pastDecision, newOutcome }) => pastDecision.decided === 'approved' && newOutcome !== 'approved',
  );
  return {
    decisions: replayedDecisions.length,
    same: replayedDecisions.length - changedDecisions.length,
    changes: [...groups.values()].map(renderChange),
    refused: project(
      ComparisonResponse.properties.refused,
      await sumRefusedPurchases(db, refusedDecisions, now),
    ),
  };
}

/** Renders decisions with the same outcomes and moment. */
function renderChange(group: readonly ReplayedDecision[]) {
  const { pastDecision, newOutcome } = group[0]!;
  const limitDifferences = group.map(
    (replay) => replay.newLimitCents - replay.pastDecision.decided_limit_cents,
  );
  return {
    from: pastDecision.decided,
    to: newOutcome,
    moment: pastDecision.moment,
    decisions: group.length,
    limit_difference: centsToReais(limitDifferences.reduce((total, difference) => total + difference, 0)),
  };
}

/** Sums the purchases of refused decisions. A customer who is refused at sign-up cannot buy, so all their purchases are included. */
function sumRefusedPurchases(db: Queryable, refusedDecisions: readonly ReplayedDecision[], now: Date) {
  const decisions = refusedDecisions.map(({ pastDecision }) => pastDecision);
  const offers = decisions.flatMap(({ offer_id: offerId, customer_id: customerId }) =>
    offerId === null ? [] : [{ customerId, offerId }],
  );
  const signUpDecisions = decisions.filter(({ moment }) => moment === 'signup');
  return sumPurchaseAmounts(db, offers, pluck(signUpDecisions, 'customer_id'), saoPauloDay(now.getTime()));
}
