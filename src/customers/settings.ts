import { isSupportedCountry } from 'libphonenumber-js/max';
import { type Cents, cents } from '#core/money.ts';
import type { TwilioSettings } from '#platform/messages/twilio.ts';
import type { Settings, SettingsReader } from '#platform/settings.ts';

export type CustomersSettings = Sender & {
  /** Login codes are sent to mobile numbers of these countries only (ISO 3166). */
  otpCountries: string[];
  /** How much who signs up may owe at most. */
  defaultCreditLimit: Cents;
};

/** How messages leave: to the inbox of the sandbox, or by SMS. */
type Sender = { sender: 'inbox' } | { sender: 'twilio'; twilio: TwilioSettings };

const TWILIO_URL = 'https://api.twilio.com';

export const customersSettings: Settings<CustomersSettings> = {
  declared: [
    { name: 'SMS_SENDER', fallback: 'inbox', meaning: 'inbox (sandbox only) or twilio; required in live' },
    { name: 'TWILIO_URL', fallback: TWILIO_URL, meaning: 'address of the SMS gateway' },
    { name: 'TWILIO_ACCOUNT_SID', fallback: '-', meaning: 'account at the SMS gateway' },
    { name: 'TWILIO_AUTH_TOKEN', fallback: '-', meaning: 'its secret' },
    { name: 'TWILIO_FROM', fallback: '-', meaning: 'sending number, or id of a messaging service (MG...)' },
    {
      name: 'OTP_COUNTRIES',
      fallback: 'BR',
      meaning: 'countries whose mobile numbers get login codes, e.g. BR,PT',
    },
    {
      name: 'DEFAULT_CREDIT_LIMIT',
      fallback: '500.00 (live: 0.00)',
      meaning: 'how much who signs up may owe at most, in reais; the operator changes it for each customer',
    },
  ],
  read: (from) => ({
    ...readSender(from),
    otpCountries: readCountries(from),
    defaultCreditLimit: from.reais('DEFAULT_CREDIT_LIMIT', cents(from.mode === 'live' ? 0 : 500_00)),
  }),
};

function readSender(from: SettingsReader): Sender {
  from.needed('SMS_SENDER', 'inbox', 'live mode sends login codes by SMS: set it to twilio');
  if (from.mode === 'live' && !from.text('SMS_SENDER')) return { sender: 'inbox' };
  const sender =
    from.mode === 'live'
      ? from.choice('SMS_SENDER', ['twilio'], 'twilio')
      : from.choice('SMS_SENDER', ['inbox', 'twilio'], 'inbox');
  if (sender === 'inbox') return { sender };
  const needed = (name: string): string => {
    const value = from.text(name);
    if (!value) from.fault(`${name} is missing; SMS_SENDER=twilio needs it.`);
    return value ?? '';
  };
  const twilio = {
    url: from.url('TWILIO_URL', from.webProtocols) ?? TWILIO_URL,
    accountSid: needed('TWILIO_ACCOUNT_SID'),
    authToken: needed('TWILIO_AUTH_TOKEN'),
    from: needed('TWILIO_FROM'),
  };
  return { sender, twilio };
}

function readCountries(from: SettingsReader): string[] {
  const text = from.text('OTP_COUNTRIES') ?? 'BR';
  const countries = text.split(',').map((word) => word.trim());
  if (!countries.every((country) => isSupportedCountry(country)))
    from.fault(`OTP_COUNTRIES is '${text}'; write two-letter codes of countries: BR,PT.`);
  return countries;
}
