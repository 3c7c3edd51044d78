import { isSupportedCountry } from 'libphonenumber-js/max';
import { defineSettings, integer, type SettingsOf, WrongValue } from '#platform/settings.ts';

const messageCount = integer(1, 100_000_000);

export const customersSettings = defineSettings(
  {
    otpCountries: {
      name: 'OTP_COUNTRIES',
      meaning: 'countries whose mobile numbers get login codes, e.g. BR,PT',
      default: 'BR',
      read: countries,
    },
    messagesPerHour: {
      name: 'MESSAGES_PER_HOUR',
      meaning: 'how many messages (codes, offers) may be sent in an hour, in all',
      default: { sandbox: '100000', live: '5000' },
      read: messageCount,
    },
    messagesPerKey: {
      name: 'MESSAGES_PER_KEY',
      meaning: 'how many of them may be asked for with one API key',
      default: { sandbox: '100000', live: '2000' },
      read: messageCount,
    },
    messagesPerNetwork: {
      name: 'MESSAGES_PER_NETWORK',
      meaning: 'how many codes may be asked for in an hour from one network: an IPv6 /48, an IPv4 /24',
      default: { sandbox: '10000', live: '300' },
      read: messageCount,
    },
    signUpsPerAddress: {
      name: 'SIGNUPS_PER_ADDRESS',
      meaning: 'how many may sign up from one address (of IPv6 the /64) in a day',
      default: { sandbox: '1000', live: '5' },
      read: integer(1, 100_000),
    },
  },
  ({ messagesPerHour: perHour, messagesPerKey: perKey, messagesPerNetwork: perNetwork, ...settings }) => ({
    ...settings,
    messageCaps: { perHour, perKey, perNetwork },
  }),
);

export type CustomersSettings = SettingsOf<typeof customersSettings>;

function countries(given: string): string[] {
  const codes = given.split(',').map((word) => word.trim());
  if (codes.every((code) => isSupportedCountry(code))) return codes;
  throw new WrongValue(`is '${given}'; write two-letter codes of countries: BR,PT.`);
}
