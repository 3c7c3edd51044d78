import type { DecideAcceptance } from '#credit';
import { lockCustomerById } from '#customers';
import { customerTransaction } from '#platform/database/customer-transaction.ts';
import type { Decisions } from './decisions.ts';
import { gatherFacts } from './facts.ts';
import { decideBy } from './policy.ts';
import { insertDecision, writeDecision, writeReport } from './store.ts';

/** Decides whether an offer may be accepted. */
export const acceptanceOf =
  ({ db, events, settings, bureau }: Decisions): DecideAcceptance =>
  async (tx, { buyer, offerId, merchant, total, now }) => {
    const customerId = buyer.id;
    const purchase = { offerId, merchant, phoneHash: buyer.phone_hash, totalCents: total };
    const asked = { customerId, moment: 'accept', now, purchase } as const;
    const { facts, policies, stale } = await gatherFacts(tx, asked, settings.builtIn);
    const made = decideBy(policies, facts, { offerId, merchantId: merchant.id, now });
    const row = { customer_id: customerId, ...made };
    const { outcome, reasons } = made;
    if (outcome === 'approved') writeDecision(tx, row);
    return {
      outcome,
      reasons,
      async keep() {
        // Outside the transaction. At most once: the new report is not stale in the second decision.
        const report = outcome === 'review' && stale ? await bureau?.ask(stale.cpf) : undefined;
        return customerTransaction(db, customerId, async (later) => {
          await lockCustomerById(later, customerId);
          if (report) {
            writeReport(later, customerId, report, { consent: stale!.consent, now });
            return 'again';
          }
          // A repeated request finds the pending decision. Its event was emitted before.
          if (!(await insertDecision(later, row)) || outcome !== 'review') return 'kept';
          const data = { decision_id: row.id, offer_id: offerId, merchant: merchant.slug };
          const event = { type: 'credit.review', customerId, merchantId: merchant.id, data } as const;
          await events.emit(later, event, now);
          return 'kept';
        });
      },
    };
  };
