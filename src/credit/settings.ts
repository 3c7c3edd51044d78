import { type Ppm, parsePercent, ppm, toPercent } from '#core/percent.ts';
import { MAX_WEEKLY_RATE } from '#core/terms.ts';
import type { Settings, SettingsReader } from '#platform/settings.ts';

export type CreditSettings = {
  maxWeeklyRate: Ppm;
  /** Where an offer is read and accepted, with {id} where its id goes. */
  offerLink: string;
};

const PAGE = '/carteira/ofertas/{id}';
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
      fallback: `http://localhost:WEB_PORT${PAGE}`,
      meaning: 'address of an offer for who is to accept it, with {id} in it; required in live, https',
    },
  ],
  read: (from) => ({
    maxWeeklyRate: readRate(from),
    offerLink: from.link('OFFER_LINK', PAGE, 'live mode needs the address at which customers accept offers'),
  }),
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
