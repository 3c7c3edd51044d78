import type { Static } from 'typebox';
import { saoPauloDay } from '#core/day.ts';
import { type DecisionOutcome, decide, type Policy } from '#core/decision.ts';
import { reaisOf } from '#core/money.ts';
import { sumOutcomes } from '#credit';
import type { Queryable } from '#platform/database/db.ts';
import { shown } from '#platform/http/shown.ts';
import { TryAnswer } from './schemas.ts';
import { listPastDecisions, listShadowed, type PastDecision } from './store.ts';

const MOST = 10_000;

type Tried = { readonly past: PastDecision; readonly to: DecisionOutcome; readonly limitCents: number };

/** What a policy would have decided on the last 10,000 decisions, and how the purchases it would refuse turned out. */
export async function tryPolicy(db: Queryable, policy: Policy, now: Date): Promise<Static<typeof TryAnswer>> {
  const past = await listPastDecisions(db, MOST);
  const tried = past.map((one) => {
    const { outcome, limit } = decide(one.facts, policy);
    return { past: one, to: outcome, limitCents: limit };
  });
  return compare(db, tried, now);
}

/** The same for the shadow policy, from its stored decisions. */
export async function shadowFigures(
  db: Queryable,
  version: number,
  now: Date,
): Promise<Static<typeof TryAnswer>> {
  const shadowed = await listShadowed(db, version, MOST);
  const tried = shadowed.map(({ shadow_outcome, shadow_limit_cents, ...past }) => ({
    past,
    to: shadow_outcome!,
    limitCents: shadow_limit_cents!,
  }));
  return compare(db, tried, now);
}

async function compare(db: Queryable, tried: readonly Tried[], now: Date): Promise<Static<typeof TryAnswer>> {
  const differing = tried.filter(
    ({ past, to, limitCents }) => past.decided !== to || past.decided_limit_cents !== limitCents,
  );
  const groups = Map.groupBy(differing, ({ past, to }) => [past.decided, to, past.moment].join(' '));
  const refused = differing.filter(({ past, to }) => past.decided === 'approved' && to !== 'approved');
  return {
    decisions: tried.length,
    same: tried.length - differing.length,
    changes: [...groups.values()].map((group) => ({
      from: group[0]!.past.decided,
      to: group[0]!.to,
      moment: group[0]!.past.moment,
      decisions: group.length,
      limit_difference: reaisOf(
        group.reduce((sum, { past, limitCents }) => sum + limitCents - past.decided_limit_cents, 0),
      ),
    })),
    refused: shown(
      TryAnswer.properties.refused,
      await sumOutcomes(db, whatCameOf(refused), saoPauloDay(now.getTime())),
    ),
  };
}

/** Who is refused at sign-up buys nothing, so all purchases of these customers count. */
function whatCameOf(refused: readonly Tried[]) {
  const of = refused.map(({ past }) => past);
  return {
    customerIds: of.filter(({ moment }) => moment === 'signup').map((past) => past.customer_id),
    offers: of.flatMap(({ offer_id, customer_id }) =>
      offer_id === null ? [] : [{ customerId: customer_id, offerId: offer_id }],
    ),
  };
}
