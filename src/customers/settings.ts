import { isSupportedCountry } from 'libphonenumber-js/max';
import { defineSettings, integer, type SettingsOf, WrongValue } from '#platform/settings.ts';

const messageCount = integer(1, 100_000_000);

export const customersSettings = defineSettings(
  {
    otpCountries: {
      name: 'OTP_COUNTRIES',
      meaning: {
        en: 'countries whose mobile numbers get login codes, e.g. BR,PT',
        pt: 'países cujos celulares recebem códigos de acesso, ex.: BR,PT',
      },
      default: 'BR',
      read: countries,
    },
    messagesPerHour: {
      name: 'MESSAGES_PER_HOUR',
      meaning: {
        en: 'how many messages (codes, offers) may be sent in an hour, in all',
        pt: 'quantas mensagens (códigos, ofertas) podem ser enviadas por hora, ao todo',
      },
      default: { sandbox: '100000', live: '5000' },
      read: messageCount,
    },
    messagesPerKey: {
      name: 'MESSAGES_PER_KEY',
      meaning: {
        en: 'how many of them may be asked for with one API key',
        pt: 'quantas mensagens (códigos, ofertas) podem ser pedidas por hora com uma mesma chave de API',
      },
      default: { sandbox: '100000', live: '2000' },
      read: messageCount,
    },
    messagesPerNetwork: {
      name: 'MESSAGES_PER_NETWORK',
      meaning: {
        en: 'how many codes may be asked for in an hour from one network: an IPv6 /48, an IPv4 /24',
        pt: 'quantos códigos podem ser pedidos por hora de uma mesma rede: em IPv6 um /48, em IPv4 um /24',
      },
      default: { sandbox: '10000', live: '300' },
      read: messageCount,
    },
    signUpsPerAddress: {
      name: 'SIGNUPS_PER_ADDRESS',
      meaning: {
        en: 'how many may sign up from one address (of IPv6 the /64) in a day',
        pt: 'quantos cadastros podem vir por dia de um mesmo endereço IP (em IPv6, do /64)',
      },
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
