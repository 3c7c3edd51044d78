import { isSupportedCountry } from 'libphonenumber-js/max';
import type { TwilioSettings } from '#platform/messages/twilio.ts';
import {
  choice,
  defineSettings,
  integer,
  type Mode,
  type SettingsOf,
  text,
  WrongValue,
  webUrl,
} from '#platform/settings.ts';

/** How messages are sent: to the inbox of the sandbox, or by SMS. */
type Sender = { sender: 'inbox' } | { sender: 'twilio'; twilio: TwilioSettings };

const messageCount = integer(1, 100_000_000);

export const customersSettings = defineSettings(
  {
    sender: {
      name: 'SMS_SENDER',
      meaning: 'inbox (sandbox only) or twilio; required in live',
      default: { sandbox: 'inbox' },
      neededInLive: 'live mode sends login codes by SMS: set it to twilio',
      read: sender,
    },
    url: {
      name: 'TWILIO_URL',
      meaning: 'address of the SMS gateway',
      default: 'https://api.twilio.com',
      read: webUrl,
    },
    accountSid: { name: 'TWILIO_ACCOUNT_SID', meaning: 'account at the SMS gateway', read: text },
    authToken: { name: 'TWILIO_AUTH_TOKEN', meaning: 'its secret', secret: true, read: text },
    from: {
      name: 'TWILIO_FROM',
      meaning: 'sending number, or id of a messaging service (MG...)',
      read: text,
    },
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
  (
    {
      sender,
      otpCountries,
      signUpsPerAddress,
      messagesPerHour: perHour,
      messagesPerKey: perKey,
      messagesPerNetwork: perNetwork,
      ...twilio
    },
    { require },
  ) => {
    if (sender === 'twilio') require(['accountSid', 'authToken', 'from'], 'SMS_SENDER=twilio needs it');
    const outbound: Sender = sender === 'twilio' ? { sender, twilio: twilio as TwilioSettings } : { sender };
    return {
      ...outbound,
      otpCountries,
      signUpsPerAddress,
      messageCaps: { perHour, perKey, perNetwork },
    };
  },
);

export type CustomersSettings = SettingsOf<typeof customersSettings>;

function sender(given: string, mode: Mode): 'inbox' | 'twilio' {
  return mode === 'live' ? choice('twilio')(given, mode) : choice('inbox', 'twilio')(given, mode);
}

function countries(given: string): string[] {
  const codes = given.split(',').map((word) => word.trim());
  if (codes.every((code) => isSupportedCountry(code))) return codes;
  throw new WrongValue(`is '${given}'; write two-letter codes of countries: BR,PT.`);
}
