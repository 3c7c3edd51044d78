import { parseReais } from '#core/money.ts';

/** What customers are promised for bringing others, and where their link leads. */
export type ReferralSettings = {
  /** With {code} where the referral code goes. */
  link: string;
  referrerCents: number;
  invitedCents: number;
};

export const DEFAULT_REFERRAL: ReferralSettings = {
  link: 'https://semana.example/convite/{code}',
  referrerCents: 20_00,
  invitedCents: 10_00,
};

export const REFERRAL_SETTINGS = [
  {
    name: 'REFERRAL_LINK',
    fallback: DEFAULT_REFERRAL.link,
    meaning: 'address customers share, with {code} in it; required in live, https',
  },
  { name: 'REFERRAL_REWARD_REFERRER', fallback: '20.00', meaning: 'cashback for who invited, in reais' },
  { name: 'REFERRAL_REWARD_INVITED', fallback: '10.00', meaning: 'cashback for the invited, in reais' },
];

export function readReferralSettings(from: {
  mode: 'sandbox' | 'live';
  faults: string[];
  text: (name: string) => string | undefined;
}): ReferralSettings {
  const { mode, faults, text } = from;
  const reais = (name: string, fallback: number): number => {
    const value = text(name);
    if (value === undefined) return fallback;
    const amount = /^\d{1,6}(\.\d{1,2})?$/.test(value) ? parseReais(Number(value)) : null;
    if (amount === null) faults.push(`${name} is '${value}'; it must be an amount in reais, like 20.00.`);
    return amount ?? fallback;
  };
  return {
    link: readLink(),
    referrerCents: reais('REFERRAL_REWARD_REFERRER', DEFAULT_REFERRAL.referrerCents),
    invitedCents: reais('REFERRAL_REWARD_INVITED', DEFAULT_REFERRAL.invitedCents),
  };

  function readLink(): string {
    const value = text('REFERRAL_LINK');
    if (value === undefined) {
      if (mode === 'live')
        faults.push(
          'REFERRAL_LINK is missing; live mode needs the address customers share to invite others.',
        );
      return DEFAULT_REFERRAL.link;
    }
    const isAddress = URL.canParse(value) && /^https?:$/.test(new URL(value).protocol);
    const isSafe = mode === 'sandbox' || value.startsWith('https:');
    if (!isAddress || !isSafe || !value.includes('{code}'))
      faults.push(
        `REFERRAL_LINK is '${value}'; it must be an https address with {code} where the code goes, like ${DEFAULT_REFERRAL.link}.`,
      );
    return value;
  }
}
