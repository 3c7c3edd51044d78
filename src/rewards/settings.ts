import { cents } from '#core/money.ts';
import type { Settings, SettingsReader } from '#platform/settings.ts';

/** What customers are promised for bringing others, and where their link leads. */
export type RewardsSettings = {
  /** With {code} where the referral code goes. */
  link: string;
  referrerCents: number;
  invitedCents: number;
};

/** Leads to the sign-up: the page of the web face on this machine. */
const LINK = 'http://localhost:3003/convite/{code}';

export const rewardsSettings: Settings<RewardsSettings> = {
  declared: [
    {
      name: 'REFERRAL_LINK',
      fallback: LINK,
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
    link: readLink(from),
    referrerCents: from.reais('REFERRAL_REWARD_REFERRER', cents(20_00)),
    invitedCents: from.reais('REFERRAL_REWARD_INVITED', cents(10_00)),
  }),
};

function readLink(from: SettingsReader): string {
  const value = from.needed(
    'REFERRAL_LINK',
    LINK,
    'live mode needs the address customers share to invite others',
  );
  const isAddress = URL.canParse(value) && from.webProtocols.includes(new URL(value).protocol);
  if (!isAddress || !value.includes('{code}'))
    from.fault(
      `REFERRAL_LINK is '${value}'; it must be an https address with {code} where the code goes, like https://semana.example/convite/{code}.`,
    );
  return value;
}
