import { reaisOf, toReais } from '#core/money.ts';
import { markLimit } from '#customers';
import type { EventHandler } from '#events';
import type { CustomerTx } from '#platform/database/customer-transaction.ts';
import { type DecisionRequest, gatherFacts } from './facts.ts';
import { decideBy } from './policy.ts';
import type { DecisionsSettings } from './settings.ts';
import { insertDecision, writeStanding } from './store.ts';

/** After a purchase is paid in full a higher limit may be offered. It takes effect once the customer accepts it. */
export const onCheckoutPaid =
  (settings: () => DecisionsSettings): EventHandler<'checkout.paid'> =>
  async (tx, { customerId, occurredAt: now }, events) => {
    const made = await decideAgain(tx, { customerId, moment: 'growth', now }, settings());
    if (!made || made.limit <= made.current || made.limit === made.offered) return;
    const { row, limit, current } = made;
    await insertDecision(tx, row);
    writeStanding(tx, customerId, { limit_cents: current, offered_cents: limit });
    const data = { limit: reaisOf(current), offered: toReais(limit) };
    await events.emit(tx, { type: 'credit.limit_changed', customerId, data }, now);
  };

/** When an installment is overdue the limit falls to the amount in use, and an offered limit lapses. */
export const onInstallmentOverdue =
  (settings: () => DecisionsSettings): EventHandler<'installment.overdue'> =>
  async (tx, { customerId, occurredAt: now }, events) => {
    const made = await decideAgain(tx, { customerId, moment: 'late', now }, settings());
    if (!made || (made.limit >= made.current && made.offered === null)) return;
    const { row, limit } = made;
    await insertDecision(tx, row);
    await markLimit(tx, customerId, limit);
    writeStanding(tx, customerId, { limit_cents: limit, offered_cents: null });
    const data = { limit: toReais(limit), offered: null };
    await events.emit(tx, { type: 'credit.limit_changed', customerId, data }, now);
  };

/** The decision on another limit, next to the current and the offered one. Undefined if a person has set the limit by hand. */
async function decideAgain(tx: CustomerTx, asked: DecisionRequest, { builtIn }: DecisionsSettings) {
  const { policies, facts, limitCents, standing } = await gatherFacts(tx, asked, builtIn);
  if (standing?.limit_cents !== limitCents) return undefined;
  const row = { customer_id: asked.customerId, ...decideBy(policies, facts, { now: asked.now }) };
  return { row, limit: row.limit_cents, current: limitCents, offered: standing.offered_cents };
}
