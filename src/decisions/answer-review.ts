import type { Policy } from '#core/decision.ts';
import { type Cents, cents, toReais } from '#core/money.ts';
import { lockCustomerById, markLimit } from '#customers';
import type { EventContext, Events } from '#events';
import { tellCustomer } from '#messages';
import { type CustomerTx, customerTransaction } from '#platform/database/customer-transaction.ts';
import type { Db } from '#platform/database/db.ts';
import { type Change, recordChange, type Subject } from '#platform/privacy/trail.ts';
import { readPolicies } from './policy.ts';
import { decisionClosed } from './problems.ts';
import { renderDecision, type ShownDecision } from './render.ts';
import {
  type DecisionRow,
  findDecision,
  findDecisionCustomer,
  findStanding,
  markAnswered,
  writeStanding,
} from './store.ts';

/** The decision as the trail records it. Reading it locks the customer. */
const decisionSubject = (customerId: string): Subject<ShownDecision, CustomerTx> => ({
  kind: 'credit_decision',
  async read(tx, id) {
    await lockCustomerById(tx, customerId);
    const row = await findDecision(tx, customerId, id);
    return row && renderDecision(row);
  },
});

type ReviewAnswer = {
  readonly id: string;
  readonly reason: string | null;
} & ({ readonly outcome: 'approved'; readonly limit: Cents | null } | { readonly outcome: 'declined' });

type Deps = { readonly db: Db; readonly events: Events; readonly builtIn: Policy };

/** Records a person's answer to a pending decision, with its trail. Undefined: there is no such decision. */
export async function answerDecision(
  { db, events, builtIn }: Deps,
  answer: ReviewAnswer,
  { change, ifMatch }: { change: Change; ifMatch?: string | undefined },
): Promise<ShownDecision | undefined> {
  const { id } = answer;
  const customerId = await findDecisionCustomer(db, id);
  if (customerId === undefined) return undefined;
  const by = change.actor.id;
  const parts = { events, now: change.now, builtIn };
  return customerTransaction(db, customerId, (tx) =>
    recordChange(tx, change, { of: decisionSubject(customerId), id, ifMatch }, () =>
      answerReview(tx, { ...answer, customerId, by }, parts),
    ),
  );
}

/**
 * Approval gives a sign-up its first limit, lets a purchase be accepted, and puts a given limit in force. The caller has locked the
 * customer.
 */
async function answerReview(
  tx: CustomerTx,
  answer: ReviewAnswer & { readonly customerId: string; readonly by: string },
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
  const isApproved = outcome === 'approved';
  tellCustomer(tx, customerId, { template: 'credit_answer', parts: { isApproved }, about: id, now });
}

/** The new limit; null: unchanged. */
async function limitOf(
  tx: CustomerTx,
  row: DecisionRow,
  given: Cents | null,
  builtIn: Policy,
): Promise<Cents | null> {
  if (given !== null) return given;
  if (row.moment !== 'signup') return null;
  // A limit that was set by hand meanwhile stays.
  const [standing, { force }] = await Promise.all([
    findStanding(tx, row.customer_id),
    readPolicies(tx, builtIn),
  ]);
  return standing?.limit_cents === row.limit_cents ? cents(Math.round(force.policy.first_limit * 100)) : null;
}
