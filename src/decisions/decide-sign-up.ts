import { ageOn } from '#core/values/age.ts';
import { saoPauloDay } from '#core/values/day.ts';
import { DAY_MS } from '#core/values/duration.ts';
import { type FirstLimit, findPersonFacts, findReferralCodeOwner } from '#customers';
import type { Tx } from '#platform/database/db.ts';
import { countInvitedInNetwork, normalizeReferralCode } from '#rewards';
import type { DecisionsDeps } from './decisions.ts';
import { BUREAU_FACTS, decideWithPolicies, readPolicies, usesFacts } from './policy.ts';
import { grantLimit, insertDecision, queueReport, queueStanding } from './store.ts';

const RING_WINDOW_MS = 7 * DAY_MS;

export const createFirstLimitDecider = ({ db, settings, bureau }: DecisionsDeps): FirstLimit => ({
  async prepare(person) {
    const isReportNeeded = async () =>
      usesFacts(await readPolicies(db, settings.builtIn), BUREAU_FACTS) && (await person?.isNew());
    const report = bureau && (await isReportNeeded()) ? await bureau.requestReport(person!.cpf) : undefined;
    return async (tx, { birthDate, referrerCode, counts, now }) => {
      const [policies, referral_ring] = await Promise.all([
        readPolicies(tx, settings.builtIn),
        countReferralRing(tx, referrerCode, now),
      ]);
      const facts = {
        moment: 'signup',
        age_years: birthDate && ageOn(saoPauloDay(now.getTime()), birthDate),
        signups_address_day: counts.signup_day ?? null,
        signups_network_day: counts.signup_network ?? null,
        signups_device: counts.signup_device ?? null,
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
        async save(customerId) {
          await insertDecision(tx, { customer_id: customerId, ...decision });
          queueStanding(tx, customerId, grantLimit(limit));
          if (report) queueReport(tx, customerId, report, { consent: person!.consent, now });
        },
      };
    };
  },
});

/**
 * Counts a ring of new accounts: this one, those that its referrer and the referrers above invited within a week, and the referrer if
 * it is younger than a week. 0 without a referrer.
 */
async function countReferralRing(tx: Tx, referrerCode: string | null, now: Date): Promise<number> {
  const referrerId =
    referrerCode === null ? undefined : await findReferralCodeOwner(tx, normalizeReferralCode(referrerCode));
  if (referrerId === undefined) return 0;
  const since = new Date(now.getTime() - RING_WINDOW_MS);
  const [invited, { createdAt }] = await Promise.all([
    countInvitedInNetwork(tx, referrerId, since),
    findPersonFacts(tx, referrerId),
  ]);
  return 1 + invited + (createdAt > since ? 1 : 0);
}
