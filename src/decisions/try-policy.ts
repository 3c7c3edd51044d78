import { type DecisionOutcome, decide, type Policy } from '#core/finance/decision.ts';
import { saoPauloDay } from '#core/values/day.ts';
import { centsToReais } from '#core/values/money.ts';
import { sumOutcomes } from '#credit';
import { pluck, type Queryable } from '#platform/database/db.ts';
import { project } from '#platform/http/project.ts';
import { TryResponse } from './schemas.ts';
import { listPastDecisions, listShadowDecisions, type PastDecision } from './store.ts';

const MAX_DECISIONS = 10_000;

type ReplayedDecision = {
  readonly past: PastDecision;
  readonly to: DecisionOutcome;
  readonly limitCents: number;
};

/** Compares a policy with the last 10,000 decisions, and sums the purchases it would have refused. */
export async function tryPolicy(db: Queryable, policy: Policy, now: Date) {
  const past = await listPastDecisions(db, MAX_DECISIONS);
  const replayed = past.map((decision) => {
    const { outcome, limit } = decide(decision.facts, policy);
    return { past: decision, to: outcome, limitCents: limit };
  });
  return compareOutcomes(db, replayed, now);
}

/** Makes the same comparison for the shadow policy, from its stored outcomes. */
export async function computeShadowFigures(db: Queryable, version: number, now: Date) {
  const shadowDecisions = await listShadowDecisions(db, version, MAX_DECISIONS);
  const replayed = shadowDecisions.map(({ shadow_outcome, shadow_limit_cents, ...past }) => ({
    past,
    to: shadow_outcome!,
    limitCents: shadow_limit_cents!,
  }));
  return compareOutcomes(db, replayed, now);
}

async function compareOutcomes(db: Queryable, replayed: readonly ReplayedDecision[], now: Date) {
  const differing = replayed.filter(
    ({ past, to, limitCents }) => past.decided !== to || past.decided_limit_cents !== limitCents,
  );
  const groups = Map.groupBy(differing, ({ past, to }) => [past.decided, to, past.moment].join(' '));
  const refused = differing.filter(({ past, to }) => past.decided === 'approved' && to !== 'approved');
  return {
    decisions: replayed.length,
    same: replayed.length - differing.length,
    changes: [...groups.values()].map((group) => ({
      from: group[0]!.past.decided,
      to: group[0]!.to,
      moment: group[0]!.past.moment,
      decisions: group.length,
      limit_difference: centsToReais(
        group.reduce((sum, { past, limitCents }) => sum + limitCents - past.decided_limit_cents, 0),
      ),
    })),
    refused: project(TryResponse.properties.refused, await sumRefused(db, refused, now)),
  };
}

/** Sums the purchases of refused decisions. A person refused at sign-up buys nothing, so all purchases of such customers count. */
function sumRefused(db: Queryable, refused: readonly ReplayedDecision[], now: Date) {
  const decisions = refused.map(({ past }) => past);
  const offers = decisions.flatMap(({ offer_id: offerId, customer_id: customerId }) =>
    offerId === null ? [] : [{ customerId, offerId }],
  );
  const atSignUp = decisions.filter(({ moment }) => moment === 'signup');
  return sumOutcomes(db, offers, pluck(atSignUp, 'customer_id'), saoPauloDay(now.getTime()));
}
