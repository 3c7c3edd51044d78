import type { DecideAcceptance } from '#credit';
import { lockCustomerById } from '#customers';
import { customerTransaction } from '#platform/database/customer-transaction.ts';
import type { DecisionsDeps } from './decisions.ts';
import { countYoungBuyers, gatherFacts } from './facts.ts';
import { decideWithPolicies } from './policy.ts';
import { insertDecision, queueDecision, queueReport } from './store.ts';

export const createAcceptanceDecider =
  ({ db, events, settings, bureau }: DecisionsDeps): DecideAcceptance =>
  async (tx, { buyer, offerId, merchant, total, now }) => {
    const customerId = buyer.id;
    const purchase = { offerId, merchant, phoneHash: buyer.phone_hash, totalCents: total };
    const request = { customerId, moment: 'accept', now, purchase } as const;
    const { policies, staleReport, isFirstPurchaseOfYoungAccount, ...gathered } = await gatherFacts(
      tx,
      request,
      settings.builtIn,
    );
    const youngBuyers = isFirstPurchaseOfYoungAccount
      ? await countYoungBuyers(tx, { merchantId: merchant.id, policies, now })
      : {};
    const facts = { ...gathered.facts, ...youngBuyers };
    const decision = decideWithPolicies(policies, facts, { offerId, merchantId: merchant.id, now });
    const row = { customer_id: customerId, ...decision };
    const { outcome, reasons } = decision;
    if (outcome === 'approved') queueDecision(tx, row);
    return {
      outcome,
      reasons,
      async store() {
        // Outside the transaction. Happens at most once, because the new report is not stale in the second decision.
        const report =
          outcome === 'review' && staleReport ? await bureau?.requestReport(staleReport.cpf) : undefined;
        return customerTransaction(db, customerId, async (laterTx) => {
          await lockCustomerById(laterTx, customerId);
          if (report) {
            queueReport(laterTx, customerId, report, { consent: staleReport!.consent, now });
            return 'retry';
          }
          // A repeated request finds the pending decision, whose event was already emitted.
          if (!(await insertDecision(laterTx, row)) || outcome !== 'review') return 'stored';
          const data = { decision_id: row.id, offer_id: offerId, merchant: merchant.slug };
          const event = { type: 'credit.review', customerId, merchantId: merchant.id, data } as const;
          await events.emit(laterTx, event, now);
          return 'stored';
        });
      },
    };
  };
