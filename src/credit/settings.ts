import { type Ppm, parsePercent, ppm, toPercent } from '#core/percent.ts';
import { MAX_WEEKLY_RATE } from '#core/terms.ts';
import { pageLink } from '#platform/config.ts';
import { defineSettings, integer, reais, type SettingsOf, WrongValue } from '#platform/settings.ts';

/** Beyond that, odd centavos make the yearly rate too large to be shown. */
const HIGHEST = ppm(200_000);

export const creditSettings = defineSettings({
  maxWeeklyRate: {
    name: 'MAX_WEEKLY_RATE',
    meaning: `the most interest a week that may be agreed, in percent, 0 to ${toPercent(HIGHEST)}`,
    default: String(toPercent(MAX_WEEKLY_RATE)),
    read: rate,
  },
  newPhonesPerMerchant: {
    name: 'NEW_PHONES_PER_MERCHANT',
    meaning: 'to how many phones that it made no offer before a merchant may make one in a day',
    default: { sandbox: '10000', live: '200' },
    read: integer(1, 100_000_000),
  },
  merchantFloorCents: {
    name: 'MERCHANT_FLOOR',
    meaning:
      'a merchant may owe so much, in reais; returns beyond it wait for finance, and below it no new offers are made',
    default: '500.00',
    read: reais,
  },
  offerLink: pageLink({
    name: 'OFFER_LINK',
    meaning: 'address of an offer for who is to accept it, with {id} in it; required in live, https',
    page: '/carteira/ofertas/{id}',
    neededInLive: 'live mode needs the address at which customers accept offers',
  }),
});

export type CreditSettings = SettingsOf<typeof creditSettings>;

function rate(given: string): Ppm {
  const parsed = parsePercent(given);
  if (parsed !== null && parsed <= HIGHEST) return parsed;
  throw new WrongValue(`is '${given}'; it must be a percentage from 0 to ${toPercent(HIGHEST)}, like 2.5.`);
}
