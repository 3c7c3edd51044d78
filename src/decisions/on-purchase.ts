import { reaisOf, toReais } from '#core/money.ts';
import { markLimit } from '#customers';
import type { EventHandler } from '#events';
import { gatherFacts, isManaged } from './facts.ts';
import { decideBy } from './policy.ts';
import type { DecisionsSettings } from './settings.ts';
import { insertDecision, writeStanding } from './store.ts';

/** After a purchase is paid in full a higher limit may be offered. It takes effect once the customer accepts it. */
export const onCheckoutPaid =
  (settings: () => DecisionsSettings): EventHandler<'checkout.paid'> =>
  async (tx, { customerId, occurredAt: now }, events) => {
    const asked = { customerId, moment: 'growth', now } as const;
    const gathered = await gatherFacts(tx, asked, settings().builtIn);
    if (!isManaged(gathered)) return;
    const { limitCents, standing } = gathered;
    const made = decideBy(gathered.policies, gathered.facts, { now });
    const { limit_cents: limit } = made;
    if (limit <= limitCents || limit === standing!.offered_cents) return;
    await insertDecision(tx, { customer_id: customerId, ...made });
    writeStanding(tx, customerId, { limit_cents: limitCents, offered_cents: limit });
    const data = { limit: reaisOf(limitCents), offered: toReais(limit) };
    await events.emit(tx, { type: 'credit.limit_changed', customerId, data }, now);
  };

/** When an installment is overdue the limit falls to the amount in use, and an offered limit lapses. */
export const onInstallmentOverdue =
  (settings: () => DecisionsSettings): EventHandler<'installment.overdue'> =>
  async (tx, { customerId, occurredAt: now }, events) => {
    const asked = { customerId, moment: 'late', now } as const;
    const gathered = await gatherFacts(tx, asked, settings().builtIn);
    if (!isManaged(gathered)) return;
    const { limitCents, standing } = gathered;
    const made = decideBy(gathered.policies, gathered.facts, { now });
    const { limit_cents: limit } = made;
    if (limit >= limitCents && standing!.offered_cents === null) return;
    await insertDecision(tx, { customer_id: customerId, ...made });
    await markLimit(tx, customerId, limit);
    writeStanding(tx, customerId, { limit_cents: limit, offered_cents: null });
    const data = { limit: toReais(limit), offered: null };
    await events.emit(tx, { type: 'credit.limit_changed', customerId, data }, now);
  };
