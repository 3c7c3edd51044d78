import { pageLink } from '#platform/config.ts';
import { defineSettings, reais, type SettingsOf } from '#platform/settings.ts';

/** The promised rewards of an invitation, and the address of its link. */
export const rewardsSettings = defineSettings({
  link: pageLink({
    name: 'REFERRAL_LINK',
    meaning: 'address customers share to invite others, with {code} in it; required in live, https',
    page: '/convite/{code}',
    neededInLive: 'live mode needs the address customers share to invite others',
  }),
  referrerCents: {
    name: 'REFERRAL_REWARD_REFERRER',
    meaning: 'cashback for who invited, in reais; invitations keep what was promised when they were made',
    default: '20.00',
    read: reais,
  },
  invitedCents: {
    name: 'REFERRAL_REWARD_INVITED',
    meaning: 'cashback for the invited, in reais',
    default: '10.00',
    read: reais,
  },
  minPaidCents: {
    name: 'REFERRAL_MIN_PAID',
    meaning:
      'what the invited must have paid off installments by PIX, in reais, for both to be rewarded; invitations keep what held when they were made',
    default: '30.00',
    read: reais,
  },
});

export type RewardsSettings = SettingsOf<typeof rewardsSettings>;
