import { computeHistoryLimit } from '#core/finance/decision.ts';
import { centsToReais } from '#core/values/money.ts';
import { updateCreditLimit } from '#customers';
import type { EventContext, EventHandler, Events } from '#events';
import type { CustomerTx } from '#platform/database/customer-transaction.ts';
import { type DecisionRequest, gatherFacts } from './facts.ts';
import { decideWithPolicies } from './policy.ts';
import type { DecisionsSettings } from './settings.ts';
import {
  findStanding,
  grantLimit,
  insertDecision,
  isLimitGivenByPerson,
  queueStanding,
  type Standing,
} from './store.ts';

type Settings = () => DecisionsSettings;

/** Offers a higher limit after a purchase is paid in full. It takes effect when the customer accepts it. */
export const onCheckoutPaid =
  (settings: Settings): EventHandler<'checkout.paid'> =>
  async (tx, { customerId, occurredAt: now }, events) => {
    await restoreLimit(tx, { customerId, now, settings: settings(), events });
    const decision = await decideNewLimit(tx, { customerId, moment: 'growth', now }, settings());
    if (!decision || decision.limit <= decision.currentLimit || decision.limit === decision.offeredLimit)
      return;
    const { row, limit, standing } = decision;
    await insertDecision(tx, row);
    await saveStanding(tx, customerId, { ...standing, offered_cents: limit }, { events, now });
  };

/** Lowers the limit to the amount in use when an installment is overdue. An offered limit lapses. */
export const onInstallmentOverdue =
  (settings: Settings): EventHandler<'installment.overdue'> =>
  async (tx, { customerId, occurredAt: now }, events) => {
    const decision = await decideNewLimit(tx, { customerId, moment: 'late', now }, settings());
    if (!decision || (decision.limit >= decision.currentLimit && decision.offeredLimit === null)) return;
    const { row, limit, currentLimit, standing } = decision;
    await insertDecision(tx, row);
    const lowered_from_cents = standing.lowered_from_cents ?? currentLimit;
    await changeLimit(tx, customerId, { ...grantLimit(limit), lowered_from_cents }, { events, now });
  };

/** Restores the limit when the installment was the last one that was late. */
export const onInstallmentPaid =
  (settings: Settings): EventHandler<'installment.paid'> =>
  async (tx, { customerId, occurredAt: now, data }, events) => {
    if (!data.on_time) await restoreLimit(tx, { customerId, now, settings: settings(), events });
  };

export const onInstallmentExtended =
  (settings: Settings): EventHandler<'installment.extended'> =>
  (tx, { customerId, occurredAt: now }, events) =>
    restoreLimit(tx, { customerId, now, settings: settings(), events });

/** A return may end lateness, and removes a purchase from the history that the limit grew by. */
export const onCheckoutReturned =
  (settings: Settings): EventHandler<'checkout.returned'> =>
  async (tx, { customerId, occurredAt: now }, events) => {
    const context = { customerId, now, settings: settings(), events };
    await restoreLimit(tx, context);
    await withdrawGrowth(tx, context);
  };

/** A chargeback removes a purchase from the history that the limit grew by. */
export const onInstallmentReopened =
  (settings: Settings): EventHandler<'installment.reopened'> =>
  (tx, { customerId, occurredAt: now }, events) =>
    withdrawGrowth(tx, { customerId, now, settings: settings(), events });

type AdjustmentContext = {
  readonly customerId: string;
  readonly now: Date;
  readonly settings: DecisionsSettings;
  readonly events: Events;
};

/** Once nothing is late any more, the limit returns to what the policy gives for the history, at most to the limit before it fell. */
async function restoreLimit(tx: CustomerTx, { customerId, now, settings, events }: AdjustmentContext) {
  if (((await findStanding(tx, customerId))?.lowered_from_cents ?? null) === null) return;
  const decision = await decideNewLimit(tx, { customerId, moment: 'late', now }, settings);
  if (decision?.row.outcome !== 'approved') return;
  const { row, limit, currentLimit } = decision;
  await insertDecision(tx, row);
  if (limit === currentLimit) queueStanding(tx, customerId, grantLimit(limit));
  else await changeLimit(tx, customerId, grantLimit(limit), { events, now });
}

/** Lowers a limit, and withdraws an offered limit, that the history no longer reaches. A limit that a person chose stays. */
async function withdrawGrowth(tx: CustomerTx, { customerId, now, settings, events }: AdjustmentContext) {
  const request = { customerId, moment: 'growth', cause: 'reversal', now } as const;
  const decision = await decideNewLimit(tx, request, settings);
  if (!decision) return;
  const { row, standing, currentLimit, offeredLimit, historyLimit } = decision;
  const isWithdrawn = offeredLimit !== null && offeredLimit > historyLimit;
  const isLowered =
    decision.limit < currentLimit && !(await isLimitGivenByPerson(tx, customerId, currentLimit));
  if (!isWithdrawn && !isLowered) return;
  const limit = isLowered ? decision.limit : currentLimit;
  const offered = isWithdrawn ? null : offeredLimit;
  if (isLowered) {
    await insertDecision(tx, row);
    await updateCreditLimit(tx, customerId, limit);
  }
  const newStanding = { ...standing, limit_cents: limit, offered_cents: offered };
  await saveStanding(tx, customerId, newStanding, { events, now });
}

export async function changeLimit(
  tx: CustomerTx,
  customerId: string,
  standing: Standing,
  context: EventContext,
): Promise<void> {
  await updateCreditLimit(tx, customerId, standing.limit_cents);
  await saveStanding(tx, customerId, standing, context);
}

async function saveStanding(
  tx: CustomerTx,
  customerId: string,
  standing: Standing,
  { events, now }: EventContext,
): Promise<void> {
  queueStanding(tx, customerId, standing);
  const { limit_cents, offered_cents } = standing;
  const offered = offered_cents === null ? null : centsToReais(offered_cents);
  const data = { limit: centsToReais(limit_cents), offered };
  await events.emit(tx, { type: 'credit.limit_changed', customerId, data }, now);
}

/** Decides on a new limit, and returns it with the current and the offered limit. Undefined if staff set the current limit. */
async function decideNewLimit(tx: CustomerTx, request: DecisionRequest, { builtIn }: DecisionsSettings) {
  const { policies, facts, limitCents, standing } = await gatherFacts(tx, request, builtIn);
  if (standing?.limit_cents !== limitCents) return undefined;
  const row = {
    customer_id: request.customerId,
    ...decideWithPolicies(policies, facts, { now: request.now }),
  };
  return {
    row,
    limit: row.limit_cents,
    currentLimit: limitCents,
    offeredLimit: standing.offered_cents,
    historyLimit: computeHistoryLimit(facts, policies.inForce.policy).limit,
    standing,
  };
}
