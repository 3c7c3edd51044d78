import { parseReais } from '#core/money.ts';
import type { Settings, SettingsReader } from '#platform/settings.ts';

/** What customers are promised for bringing others, and where their link leads. */
export type RewardsSettings = {
  /** With {code} where the referral code goes. */
  link: string;
  referrerCents: number;
  invitedCents: number;
};

const LINK = 'https://semana.example/convite/{code}';

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
    referrerCents: readReais(from, 'REFERRAL_REWARD_REFERRER', 20_00),
    invitedCents: readReais(from, 'REFERRAL_REWARD_INVITED', 10_00),
  }),
};

function readReais(from: SettingsReader, name: string, fallback: number): number {
  const value = from.text(name);
  if (value === undefined) return fallback;
  const amount = /^\d{1,6}(\.\d{1,2})?$/.test(value) ? parseReais(Number(value)) : null;
  if (amount === null) from.fault(`${name} is '${value}'; it must be an amount in reais, like 20.00.`);
  return amount ?? fallback;
}

function readLink(from: SettingsReader): string {
  const value = from.needed(
    'REFERRAL_LINK',
    LINK,
    'live mode needs the address customers share to invite others',
  );
  const isAddress = URL.canParse(value) && from.webProtocols.includes(new URL(value).protocol);
  if (!isAddress || !value.includes('{code}'))
    from.fault(
      `REFERRAL_LINK is '${value}'; it must be an https address with {code} where the code goes, like ${LINK}.`,
    );
  return value;
}
