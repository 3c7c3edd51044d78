import { computeHistoryLimit } from '#core/finance/decision.ts';
import { centsToReais } from '#core/values/money.ts';
import { updateCreditLimit } from '#customers';
import type { EventContext, EventHandler, Events } from '#events';
import type { CustomerTx } from '#platform/database/customer-transaction.ts';
import { type DecisionRequest, gatherFacts } from './facts.ts';
import { decideWithPolicies } from './policy.ts';
import type { DecisionsSettings } from './settings.ts';
import {
  buildStanding,
  findStanding,
  insertDecision,
  isLimitChosenByReviewer,
  queueStanding,
  type Standing,
} from './store.ts';

type GetSettings = () => DecisionsSettings;

/** Restores a lowered limit after a purchase is paid in full, and offers a higher one, which takes effect when the customer accepts it. */
export const onCheckoutPaid =
  (getSettings: GetSettings): EventHandler<'checkout.paid'> =>
  async (tx, { customerId, occurredAt: now }, events) => {
    await restoreLimit(tx, { customerId, now, settings: getSettings(), events });
    const decision = await decideNewLimit(tx, { customerId, moment: 'growth', now }, getSettings());
    if (!decision) return;
    const { row, policyLimit, currentLimit, offeredLimit, standing } = decision;
    if (policyLimit <= currentLimit || policyLimit === offeredLimit) return;
    await insertDecision(tx, row);
    const newStanding = { ...standing, offered_cents: policyLimit };
    await saveAndPublishStanding(tx, customerId, newStanding, { events, now });
  };

/** Lowers the limit to the amount in use when an installment is overdue. Withdraws an offered limit. */
export const onInstallmentOverdue =
  (getSettings: GetSettings): EventHandler<'installment.overdue'> =>
  async (tx, { customerId, occurredAt: now }, events) => {
    const decision = await decideNewLimit(tx, { customerId, moment: 'late', now }, getSettings());
    if (!decision) return;
    const { row, policyLimit, currentLimit, offeredLimit, standing } = decision;
    if (policyLimit >= currentLimit && offeredLimit === null) return;
    await insertDecision(tx, row);
    const lowered_from_cents = standing.lowered_from_cents ?? currentLimit;
    await changeLimit(tx, customerId, { ...buildStanding(policyLimit), lowered_from_cents }, { events, now });
  };

/** Restores a lowered limit if no other installment is late. */
export const onInstallmentPaid =
  (getSettings: GetSettings): EventHandler<'installment.paid'> =>
  async (tx, { customerId, occurredAt: now, data }, events) => {
    if (!data.on_time) await restoreLimit(tx, { customerId, now, settings: getSettings(), events });
  };

export const onInstallmentExtended =
  (getSettings: GetSettings): EventHandler<'installment.extended'> =>
  (tx, { customerId, occurredAt: now }, events) =>
    restoreLimit(tx, { customerId, now, settings: getSettings(), events });

/** Adjusts the limit after a return, which may settle late installments and reduces the history that raised the limit. */
export const onCheckoutReturned =
  (getSettings: GetSettings): EventHandler<'checkout.returned'> =>
  async (tx, { customerId, occurredAt: now }, events) => {
    const context = { customerId, now, settings: getSettings(), events };
    await restoreLimit(tx, context);
    await withdrawGrowth(tx, context);
  };

/** Adjusts the limit after a chargeback, which reduces the history that raised the limit. */
export const onInstallmentReopened =
  (getSettings: GetSettings): EventHandler<'installment.reopened'> =>
  (tx, { customerId, occurredAt: now }, events) =>
    withdrawGrowth(tx, { customerId, now, settings: getSettings(), events });

type AdjustmentContext = {
  readonly customerId: string;
  readonly now: Date;
  readonly settings: DecisionsSettings;
  readonly events: Events;
};

/** Restores a lowered limit if no installment is late: to the policy's limit for the history, at most to the limit before the lowering. */
async function restoreLimit(tx: CustomerTx, { customerId, now, settings, events }: AdjustmentContext) {
  const standing = await findStanding(tx, customerId);
  const isLowered = standing !== undefined && standing.lowered_from_cents !== null;
  if (!isLowered) return;
  const decision = await decideNewLimit(tx, { customerId, moment: 'late', now }, settings);
  if (decision?.row.outcome !== 'approved') return;
  const { row, policyLimit, currentLimit } = decision;
  await insertDecision(tx, row);
  // An equal limit is not published, but the standing must no longer say that the limit is lowered.
  if (policyLimit === currentLimit) queueStanding(tx, customerId, buildStanding(policyLimit));
  else await changeLimit(tx, customerId, buildStanding(policyLimit), { events, now });
}

/** Lowers the limit and withdraws an offered limit that the history no longer justifies. Does not lower a limit that a reviewer chose. */
async function withdrawGrowth(tx: CustomerTx, { customerId, now, settings, events }: AdjustmentContext) {
  const request = { customerId, moment: 'growth', cause: 'reversal', now } as const;
  const decision = await decideNewLimit(tx, request, settings);
  if (!decision) return;
  const { row, standing, policyLimit, currentLimit, offeredLimit, historyLimit } = decision;
  const isOfferTooHigh = offeredLimit !== null && offeredLimit > historyLimit;
  const isLimitTooHigh =
    policyLimit < currentLimit && !(await isLimitChosenByReviewer(tx, customerId, currentLimit));
  if (!isOfferTooHigh && !isLimitTooHigh) return;
  const newLimit = isLimitTooHigh ? policyLimit : currentLimit;
  const newOfferedLimit = isOfferTooHigh ? null : offeredLimit;
  if (isLimitTooHigh) {
    await insertDecision(tx, row);
    await updateCreditLimit(tx, customerId, newLimit);
  }
  const newStanding = { ...standing, limit_cents: newLimit, offered_cents: newOfferedLimit };
  await saveAndPublishStanding(tx, customerId, newStanding, { events, now });
}

/** Sets the limit and the standing of the customer, and publishes them. */
export async function changeLimit(
  tx: CustomerTx,
  customerId: string,
  standing: Standing,
  context: EventContext,
): Promise<void> {
  await updateCreditLimit(tx, customerId, standing.limit_cents);
  await saveAndPublishStanding(tx, customerId, standing, context);
}

async function saveAndPublishStanding(
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

/**
 * Decides on a new limit without storing it, and returns it with the current and the offered limit. Returns undefined if the current
 * limit is not that of the standing: staff have set it.
 */
async function decideNewLimit(tx: CustomerTx, request: DecisionRequest, settings: DecisionsSettings) {
  const { policies, facts, limitCents, standing } = await gatherFacts(tx, request, settings.builtInPolicy);
  if (standing?.limit_cents !== limitCents) return undefined;
  const { customerId, now } = request;
  const row = { customer_id: customerId, ...decideWithPolicies(policies, facts, { now }) };
  return {
    row,
    policyLimit: row.limit_cents,
    currentLimit: limitCents,
    offeredLimit: standing.offered_cents,
    historyLimit: computeHistoryLimit(facts, policies.inForce.policy).limit,
    standing,
  };
}
