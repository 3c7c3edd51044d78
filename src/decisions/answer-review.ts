import type { Policy } from '#core/decision.ts';
import { type Cents, cents, toReais } from '#core/money.ts';
import { lockCustomerById, markLimit } from '#customers';
import type { EventContext } from '#events';
import type { CustomerTx } from '#platform/database/customer-transaction.ts';
import { enqueue } from '#platform/jobs/jobs.ts';
import type { Subject } from '#platform/privacy/trail.ts';
import { readPolicies } from './policy.ts';
import { decisionClosed } from './problems.ts';
import { renderDecision, type ShownDecision } from './render.ts';
import { type DecisionRow, findDecision, findStanding, markAnswered, writeStanding } from './store.ts';

declare module '#platform/jobs/jobs.ts' {
  interface JobPayloads {
    tell_credit_answer: { customerId: string; id: string };
  }
}

const ATTEMPTS = 10;

/** As the trail shows it; reading it locks the customer. */
export const decisionSubject = (customerId: string): Subject<ShownDecision, CustomerTx> => ({
  kind: 'credit_decision',
  async read(tx, id) {
    await lockCustomerById(tx, customerId);
    const row = await findDecision(tx, customerId, id);
    return row && renderDecision(row);
  },
});

export type Answer = {
  readonly customerId: string;
  readonly id: string;
  readonly by: string;
  readonly reason: string | null;
} & ({ readonly outcome: 'approved'; readonly limit: Cents | null } | { readonly outcome: 'declined' });

/**
 * A person's answer to a decision that waits. Approved, a sign-up gets the first limit, a purchase can be accepted, and a limit that is
 * given counts from now on. The caller has locked the customer.
 */
export async function answerReview(
  tx: CustomerTx,
  answer: Answer,
  { events, now, builtIn }: EventContext & { builtIn: Policy },
): Promise<void> {
  const { customerId, id, by, outcome } = answer;
  const row = (await findDecision(tx, customerId, id))!;
  if (row.outcome !== 'review') throw decisionClosed(row.outcome);
  const limit = answer.outcome === 'approved' ? await limitOf(tx, row, answer.limit, builtIn) : null;
  await markAnswered(tx, row, {
    outcome,
    limitCents: limit ?? row.limit_cents,
    by,
    at: now,
    reason: answer.reason,
  });
  if (limit !== null) {
    await markLimit(tx, customerId, limit);
    writeStanding(tx, customerId, { limit_cents: limit, offered_cents: null });
    const data = { limit: toReais(limit), offered: null };
    await events.emit(tx, { type: 'credit.limit_changed', customerId, data }, now);
  }
  const { merchant = null } = row.facts;
  const data = { decision_id: id, outcome, offer_id: row.offer_id, merchant };
  await events.emit(
    tx,
    {
      type: 'credit.decided',
      customerId,
      data,
      ...(row.merchant_id !== null && { merchantId: row.merchant_id }),
    },
    now,
  );
  await enqueue(tx, 'tell_credit_answer', { customerId, id }, ATTEMPTS);
}

/** What the limit becomes; null: it stays as it is. */
async function limitOf(
  tx: CustomerTx,
  row: DecisionRow,
  given: Cents | null,
  builtIn: Policy,
): Promise<Cents | null> {
  if (given !== null) return given;
  if (row.moment !== 'signup') return null;
  // Somebody has set another by hand meanwhile: that one stays.
  const [standing, { force }] = await Promise.all([
    findStanding(tx, row.customer_id),
    readPolicies(tx, builtIn),
  ]);
  return standing?.limit_cents === row.limit_cents ? cents(Math.round(force.policy.first_limit * 100)) : null;
}
