import { ageOn } from '#core/values/age.ts';
import { saoPauloDay } from '#core/values/day.ts';
import { DAY_MS } from '#core/values/duration.ts';
import type { DecideAcceptance } from '#credit';
import { type FirstLimitDecider, findPersonFacts, findReferralCodeOwner, lockCustomerById } from '#customers';
import { customerTransaction } from '#platform/database/customer-transaction.ts';
import type { Tx } from '#platform/database/db.ts';
import { countInvitedInNetwork, normalizeReferralCode } from '#rewards';
import type { DecisionsDeps } from './decisions.ts';
import { gatherFacts, gatherYoungBuyerFacts } from './facts.ts';
import { BUREAU_FACTS, decideWithPolicies, readPolicies, usesFacts } from './policy.ts';
import { buildStanding, insertDecision, queueDecision, queueReport, queueStanding } from './store.ts';

const REFERRAL_RING_WINDOW_MS = 7 * DAY_MS;

export const createFirstLimitDecider = ({ db, settings, bureau }: DecisionsDeps): FirstLimitDecider => ({
  async prepare(person) {
    const needsReport =
      bureau &&
      person &&
      usesFacts(await readPolicies(db, settings.builtInPolicy), BUREAU_FACTS) &&
      (await person.isNew());
    const report = needsReport ? await bureau.requestReport(person.cpf) : undefined;
    return async function decideFirstLimit(tx, { birthDate, referrerCode, signUps, now }) {
      const [policies, referral_ring] = await Promise.all([
        readPolicies(tx, settings.builtInPolicy),
        countReferralRing(tx, referrerCode, now),
      ]);
      const facts = {
        moment: 'signup',
        age_years: birthDate && ageOn(saoPauloDay(now.getTime()), birthDate),
        signups_address_day: signUps.signup_day ?? null,
        signups_network_day: signUps.signup_network ?? null,
        signups_device: signUps.signup_device ?? null,
        referral_ring,
        ...(bureau &&
          usesFacts(policies, BUREAU_FACTS) && {
            bureau_score: report?.score ?? null,
            bureau_cpf_irregular: report ? Number(report.cpfIrregular) : null,
          }),
      } as const;
      const decision = decideWithPolicies(policies, facts, { now });
      const { limit_cents: limit } = decision;
      return {
        limit,
        async saveDecision(customerId) {
          await insertDecision(tx, { customer_id: customerId, ...decision });
          queueStanding(tx, customerId, buildStanding(limit));
          if (report) queueReport(tx, customerId, report, { consent: person!.consent, now });
        },
      };
    };
  },
});

/**
 * Counts the new accounts in a referral ring: the new customer, the customers whom their referrer and the referrers above invited within
 * a week, and the referrer if they registered within a week. Returns 0 without a referrer.
 */
async function countReferralRing(tx: Tx, referrerCode: string | null, now: Date): Promise<number> {
  const referrerId =
    referrerCode === null ? undefined : await findReferralCodeOwner(tx, normalizeReferralCode(referrerCode));
  if (referrerId === undefined) return 0;
  const since = new Date(now.getTime() - REFERRAL_RING_WINDOW_MS);
  const [invitedCount, { createdAt }] = await Promise.all([
    countInvitedInNetwork(tx, referrerId, since),
    findPersonFacts(tx, referrerId),
  ]);
  return 1 + invitedCount + (createdAt > since ? 1 : 0);
}

export const createAcceptanceDecider =
  ({ db, events, settings, bureau }: DecisionsDeps): DecideAcceptance =>
  async (tx, { buyer, offerId, merchant, total, now }) => {
    const customerId = buyer.id;
    const purchase = { offerId, merchant, phoneHash: buyer.phone_hash, totalCents: total };
    const request = { customerId, moment: 'accept', now, purchase } as const;
    const {
      facts: customerFacts,
      policies,
      staleReport,
      isFirstPurchaseOfYoungAccount,
    } = await gatherFacts(tx, request, settings.builtInPolicy);
    const youngBuyerFacts = isFirstPurchaseOfYoungAccount
      ? await gatherYoungBuyerFacts(tx, { merchantId: merchant.id, policies, now })
      : {};
    const facts = { ...customerFacts, ...youngBuyerFacts };
    const decision = decideWithPolicies(policies, facts, { offerId, merchantId: merchant.id, now });
    const row = { customer_id: customerId, ...decision };
    const { outcome, reasons } = decision;
    if (outcome === 'approved') queueDecision(tx, row);
    return {
      outcome,
      reasons,
      async storeRefusal() {
        // The bureau is called outside a transaction, and at most once: in the second decision the new report is not stale.
        const report =
          outcome === 'review' && staleReport ? await bureau?.requestReport(staleReport.cpf) : undefined;
        return customerTransaction(db, customerId, async (storeTx) => {
          await lockCustomerById(storeTx, customerId);
          if (report) {
            queueReport(storeTx, customerId, report, { consent: staleReport!.consent, now });
            return 'retry';
          }
          // The event of a pending decision was already emitted when the request was sent for the first time.
          const isNew = await insertDecision(storeTx, row);
          if (!isNew || outcome !== 'review') return 'stored';
          const data = { decision_id: row.id, offer_id: offerId, merchant: merchant.slug };
          const event = { type: 'credit.review', customerId, merchantId: merchant.id, data } as const;
          await events.emit(storeTx, event, now);
          return 'stored';
        });
      },
    };
  };
