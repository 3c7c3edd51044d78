import { isSupportedCountry } from 'libphonenumber-js/max';
import { defineSettings, InvalidValue, integer, type SettingsOf } from '#platform/settings.ts';

const messageCount = integer(1, 100_000_000);

export const customersSettings = defineSettings(
  {
    otpCountries: {
      name: 'OTP_COUNTRIES',
      description: 'countries whose mobile numbers can receive login codes, e.g. BR,PT',
      default: 'BR',
      parse: parseCountries,
    },
    messagesPerHour: {
      name: 'MESSAGES_PER_HOUR',
      description: 'maximum messages (codes, offers) sent per hour, in total',
      default: { sandbox: '100000', live: '5000' },
      parse: messageCount,
    },
    messagesPerKey: {
      name: 'MESSAGES_PER_KEY',
      description: 'maximum messages (codes, offers) requested per hour with one API key',
      default: { sandbox: '100000', live: '2000' },
      parse: messageCount,
    },
    messagesPerNetwork: {
      name: 'MESSAGES_PER_NETWORK',
      description: 'maximum codes requested per hour from one network (IPv6 /48, IPv4 /24)',
      default: { sandbox: '10000', live: '300' },
      parse: messageCount,
    },
    signUpsPerAddress: {
      name: 'SIGNUPS_PER_ADDRESS',
      description: 'maximum sign-ups per day from one IP address (for IPv6, from a /64)',
      default: { sandbox: '1000', live: '5' },
      parse: integer(1, 100_000),
    },
    customersPerStaffUser: {
      name: 'CUSTOMERS_PER_STAFF_USER',
      description: 'maximum customers that a staff user may register in a day',
      default: { sandbox: '10000', live: '50' },
      parse: integer(0, 100_000),
    },
  },
  ({ messagesPerHour: perHour, messagesPerKey: perKey, messagesPerNetwork: perNetwork, ...settings }) => ({
    ...settings,
    messageCaps: { perHour, perKey, perNetwork },
  }),
);

export type CustomersSettings = SettingsOf<typeof customersSettings>;

function parseCountries(text: string): string[] {
  const codes = text.split(',').map((word) => word.trim());
  if (codes.every((code) => isSupportedCountry(code))) return codes;
  throw new InvalidValue(`is '${text}'; it must be a list of two-letter country codes, e.g. BR,PT.`);
}
