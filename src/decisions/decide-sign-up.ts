import { ageOn } from '#core/age.ts';
import { saoPauloDay } from '#core/day.ts';
import { DAY_MS } from '#core/duration.ts';
import { type FirstLimit, findCodeOwner, findPersonFacts } from '#customers';
import type { Tx } from '#platform/database/db.ts';
import { countInvitedAround, readCode } from '#rewards';
import type { Bureau } from './bureau.ts';
import { decideBy, readPolicies } from './policy.ts';
import type { DecisionsSettings } from './settings.ts';
import { insertDecision, writeReport, writeStanding } from './store.ts';

const RING_MS = 7 * DAY_MS;

/** Decides on the first limit of a new customer. */
export const firstLimitOf = (settings: DecisionsSettings, bureau: Bureau | null): FirstLimit => ({
  most: settings.firstLimit,
  async prepare({ cpf, consent, isNew }) {
    const report = bureau && (await isNew()) ? await bureau.ask(cpf) : undefined;
    return async (tx, { birthDate, invitedWith, counts, now }) => {
      const [policies, referral_ring] = await Promise.all([
        readPolicies(tx, settings.builtIn),
        countRing(tx, invitedWith, now),
      ]);
      const facts = {
        moment: 'signup',
        age_years: ageOn(saoPauloDay(now.getTime()), birthDate),
        signups_address_day: counts.signup_day ?? null,
        signups_network_day: counts.signup_network ?? null,
        signups_device: counts.signup_device ?? null,
        referral_ring,
        ...(bureau && {
          bureau_score: report?.score ?? null,
          bureau_cpf_irregular: report ? Number(report.cpfIrregular) : null,
        }),
      } as const;
      const made = decideBy(policies, facts, { now });
      const { limit_cents: limit } = made;
      return {
        limit,
        async keep(customerId) {
          await insertDecision(tx, { customer_id: customerId, ...made });
          writeStanding(tx, customerId, { limit_cents: limit, offered_cents: null });
          if (report) writeReport(tx, customerId, report, { consent, now });
        },
      };
    };
  },
});

/**
 * The size of a ring of new accounts: this one, those that its referrer and the referrers above invited within a week, and the referrer
 * if younger than a week. 0 without a referrer.
 */
async function countRing(tx: Tx, invitedWith: string | null, now: Date): Promise<number> {
  const referrerId = invitedWith === null ? undefined : await findCodeOwner(tx, readCode(invitedWith));
  if (referrerId === undefined) return 0;
  const since = new Date(now.getTime() - RING_MS);
  const [invited, { createdAt }] = await Promise.all([
    countInvitedAround(tx, referrerId, since),
    findPersonFacts(tx, referrerId),
  ]);
  return 1 + invited + (createdAt > since ? 1 : 0);
}
