import type { Deps } from '#module';
import { defineLinkSetting } from '#platform/config.ts';
import { defineSettings, integer, reais, type SettingsOf } from '#platform/settings.ts';

/** The rewards of new invitations, and the link that customers share. */
export const rewardsSettings = defineSettings({
  link: defineLinkSetting({
    name: 'REFERRAL_LINK',
    description: 'URL that customers share to invite others, with {code} in it; required in live mode, https',
    page: '/convite/{code}',
    requiredInLive: 'live mode needs the URL that customers share to invite others',
  }),
  referrerCents: {
    name: 'REFERRAL_REWARD_REFERRER',
    description: 'cashback of the referrer, in reais; existing invitations keep the reward that was promised',
    default: '20.00',
    parse: reais,
  },
  invitedCents: {
    name: 'REFERRAL_REWARD_INVITED',
    description: 'cashback of the invited customer, in reais',
    default: '10.00',
    parse: reais,
  },
  minPaidCents: {
    name: 'REFERRAL_MIN_PAID',
    description:
      'amount of installments that the invited customer must pay by PIX, in reais, for both to be rewarded; existing invitations keep theirs',
    default: '30.00',
    parse: reais,
  },
  rewardsPerMerchant: {
    name: 'REWARDS_PER_MERCHANT',
    description:
      'maximum invitation rewards in 30 days for purchases at one merchant, of a referrer and of those who invited the referrer; further ones wait for the role risk',
    default: { sandbox: '1000', live: '3' },
    parse: integer(0, 100_000),
  },
});

export type RewardsSettings = SettingsOf<typeof rewardsSettings>;

export type RewardsDeps = Deps & { referralSettings: RewardsSettings };
