import { creditAuditor } from '#credit';
import { type Events, openEvents } from '#events';
import type { Auditor } from '#ledger';
import { pixAuditor } from '#pix';
import { DEFAULT_REFERRAL } from '#platform/referral-settings.ts';
import { type ReferralReward, rewardsAuditor, rewardsReactions } from '#rewards';

/** Who acts on what happens: the same for the service, the command line and the demo data. */
export function wireEvents(promise: () => ReferralReward = () => DEFAULT_REFERRAL): Events {
  return openEvents(rewardsReactions(promise));
}

/** Every module that moves money, for 'semana audit'. */
export const AUDITORS: readonly Auditor[] = [creditAuditor, pixAuditor, rewardsAuditor];
