import { isSupportedCountry } from 'libphonenumber-js/max';
import { defineSettings, InvalidValue, integer, type SettingsOf } from '#platform/settings.ts';

const messageCount = integer(1, 100_000_000);

export const customersSettings = defineSettings(
  {
    otpCountries: {
      name: 'OTP_COUNTRIES',
      description: {
        en: 'countries whose mobile numbers can receive login codes, e.g. BR,PT',
        pt: 'países cujos celulares recebem códigos de acesso, ex.: BR,PT',
      },
      default: 'BR',
      parse: parseCountries,
    },
    messagesPerHour: {
      name: 'MESSAGES_PER_HOUR',
      description: {
        en: 'maximum messages (codes, offers) sent per hour, in total',
        pt: 'quantas mensagens (códigos, ofertas) podem ser enviadas por hora, ao todo',
      },
      default: { sandbox: '100000', live: '5000' },
      parse: messageCount,
    },
    messagesPerKey: {
      name: 'MESSAGES_PER_KEY',
      description: {
        en: 'maximum messages (codes, offers) requested per hour with one API key',
        pt: 'quantas mensagens (códigos, ofertas) podem ser pedidas por hora com uma mesma chave de API',
      },
      default: { sandbox: '100000', live: '2000' },
      parse: messageCount,
    },
    messagesPerNetwork: {
      name: 'MESSAGES_PER_NETWORK',
      description: {
        en: 'maximum codes requested per hour from one network (IPv6 /48, IPv4 /24)',
        pt: 'quantos códigos podem ser pedidos por hora de uma mesma rede: em IPv6 um /48, em IPv4 um /24',
      },
      default: { sandbox: '10000', live: '300' },
      parse: messageCount,
    },
    signUpsPerAddress: {
      name: 'SIGNUPS_PER_ADDRESS',
      description: {
        en: 'maximum sign-ups per day from one IP address (for IPv6, from a /64)',
        pt: 'quantos cadastros podem vir por dia de um mesmo endereço IP (em IPv6, do /64)',
      },
      default: { sandbox: '1000', live: '5' },
      parse: integer(1, 100_000),
    },
    customersPerStaffUser: {
      name: 'CUSTOMERS_PER_STAFF_USER',
      description: {
        en: 'maximum customers that a staff user may register in a day',
        pt: 'quantos clientes uma pessoa da equipe pode cadastrar por dia',
      },
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
