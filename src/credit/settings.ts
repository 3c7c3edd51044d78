import { type Ppm, parsePercent, ppm, toPercent } from '#core/percent.ts';
import { MAX_WEEKLY_RATE } from '#core/terms.ts';
import type { Settings, SettingsReader } from '#platform/settings.ts';

export type CreditSettings = {
  maxWeeklyRate: Ppm;
  /** Where an offer is read and accepted, with {id} where its id goes. */
  offerLink: string;
};

const LINK = 'http://localhost:3003/carteira/ofertas/{id}';
/** Beyond that, what odd centavos make of the rate of a year is no number that could be shown. */
const HIGHEST = ppm(200_000);

export const creditSettings: Settings<CreditSettings> = {
  declared: [
    {
      name: 'MAX_WEEKLY_RATE',
      fallback: String(toPercent(MAX_WEEKLY_RATE)),
      meaning: `the most interest a week that may be agreed, in percent, 0 to ${toPercent(HIGHEST)}`,
    },
    {
      name: 'OFFER_LINK',
      fallback: LINK,
      meaning: 'address of an offer for who is to accept it, with {id} in it; required in live, https',
    },
  ],
  read: (from) => ({ maxWeeklyRate: readRate(from), offerLink: readLink(from) }),
};

function readRate(from: SettingsReader): Ppm {
  const text = from.text('MAX_WEEKLY_RATE');
  if (text === undefined) return MAX_WEEKLY_RATE;
  const rate = parsePercent(text);
  if (rate !== null && rate <= HIGHEST) return rate;
  from.fault(
    `MAX_WEEKLY_RATE is '${text}'; it must be a percentage from 0 to ${toPercent(HIGHEST)}, like 2.5.`,
  );
  return MAX_WEEKLY_RATE;
}

function readLink(from: SettingsReader): string {
  const value = from.needed(
    'OFFER_LINK',
    LINK,
    'live mode needs the address at which customers accept offers',
  );
  const isAddress = URL.canParse(value) && from.webProtocols.includes(new URL(value).protocol);
  // In live the lack of it is told above.
  if ((!isAddress || !value.includes('{id}')) && (from.mode === 'sandbox' || from.text('OFFER_LINK')))
    from.fault(
      `OFFER_LINK is '${value}'; it must be an address with {id} where the offer's id goes, like ${LINK}.`,
    );
  return value;
}
