import { cents } from '#core/money.ts';
import type { Settings } from '#platform/settings.ts';

/** What customers are promised for bringing others, and where their link leads. */
export type RewardsSettings = {
  /** With {code} where the referral code goes. */
  link: string;
  referrerCents: number;
  invitedCents: number;
};

/** Leads to the sign-up. */
const PAGE = '/convite/{code}';

export const rewardsSettings: Settings<RewardsSettings> = {
  declared: [
    {
      name: 'REFERRAL_LINK',
      fallback: `http://localhost:WEB_PORT${PAGE}`,
      meaning: 'address customers share to invite others, with {code} in it; required in live, https',
    },
    {
      name: 'REFERRAL_REWARD_REFERRER',
      fallback: '20.00',
      meaning: 'cashback for who invited, in reais; invitations keep what was promised when they were made',
    },
    { name: 'REFERRAL_REWARD_INVITED', fallback: '10.00', meaning: 'cashback for the invited, in reais' },
  ],
  read: (from) => ({
    link: from.link('REFERRAL_LINK', PAGE, 'live mode needs the address customers share to invite others'),
    referrerCents: from.reais('REFERRAL_REWARD_REFERRER', cents(20_00)),
    invitedCents: from.reais('REFERRAL_REWARD_INVITED', cents(10_00)),
  }),
};
