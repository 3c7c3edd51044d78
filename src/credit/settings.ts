import { MAX_WEEKLY_RATE } from '#core/finance/terms.ts';
import { type Cnpj, parseCnpj } from '#core/values/cnpj.ts';
import { type Ppm, parsePercent, ppm, toPercent } from '#core/values/percent.ts';
import { defineLinkSetting } from '#platform/config.ts';
import { defineSettings, InvalidValue, integer, reais, type SettingsOf, text } from '#platform/settings.ts';

/** Above this rate, rounding centavos can make the yearly CET too large to display. */
const MAX_RATE = ppm(200_000);

/** CDC art. 54-B and LGPD art. 9 require that customers know the creditor. */
const CREDITOR_REQUIRED = 'customers must be shown who the creditor is';

export const creditSettings = defineSettings({
  maxWeeklyRate: {
    name: 'MAX_WEEKLY_RATE',
    description: {
      en: `maximum interest per week, in percent, 0 to ${toPercent(MAX_RATE)}`,
      pt: `juros máximos por semana que podem ser contratados, em %, 0 a ${toPercent(MAX_RATE)}`,
    },
    // Credit by a merchant may bear at most 1 % per month (Decree 22.626/1933).
    default: { sandbox: String(toPercent(MAX_WEEKLY_RATE)), live: '0.23' },
    parse: parseRate,
  },
  offersPerPhone: {
    name: 'OFFERS_PER_PHONE',
    description: {
      en: 'maximum offers a merchant may send to one phone in a day; all merchants together may send four times as many, and twice as many may be pending',
      pt: 'quantas ofertas uma loja pode fazer por dia a um mesmo telefone; todas as lojas juntas, o quádruplo, e até o dobro pode ficar esperando',
    },
    default: { sandbox: '1000', live: '5' },
    parse: integer(1, 1_000_000),
  },
  newPhonesPerMerchant: {
    name: 'NEW_PHONES_PER_MERCHANT',
    description: {
      en: 'maximum new phone numbers a merchant may send a first offer to in a day',
      pt: 'a quantos telefones, dos que nunca receberam oferta sua, uma loja pode fazer oferta por dia',
    },
    default: { sandbox: '10000', live: '200' },
    parse: integer(1, 100_000_000),
  },
  merchantFloorCents: {
    name: 'MERCHANT_FLOOR',
    description: {
      en: 'maximum debt of a merchant, in reais; returns that exceed it wait for approval by finance, and a merchant that owes more cannot create offers',
      pt: 'quanto uma loja pode dever, em reais; devoluções que passam disso esperam o financeiro, e quem deve mais não faz ofertas novas',
    },
    default: '500.00',
    parse: reais,
  },
  offerLink: defineLinkSetting({
    name: 'OFFER_LINK',
    description: {
      en: 'URL of the page where a customer accepts an offer, with {id} in it; required in live mode, https',
      pt: 'endereço de uma oferta para quem vai aceitá-la, com {id}; obrigatório em produção, https',
    },
    page: '/carteira/ofertas/{id}',
    requiredInLive: 'live mode needs the URL of the page where customers accept offers',
  }),
  payLink: defineLinkSetting({
    name: 'PAY_LINK',
    description: {
      en: 'URL of the page where a customer claims an open offer, with {token} in it; required in live mode, https',
      pt: 'endereço de uma oferta aberta, para quem a abrir primeiro, com {token}; obrigatório em produção, https',
    },
    page: '/pagar/{token}',
    requiredInLive: 'live mode needs the URL of the page where customers claim open offers',
  }),
  creditorKind: {
    name: 'CREDITOR_KIND',
    description: {
      en: 'merchant: the merchant itself grants the credit; institution is rejected, because IOF is not charged yet',
      pt: 'merchant: o crédito é da própria loja; institution é recusado, porque o IOF ainda não é cobrado',
    },
    default: 'merchant',
    parse: parseCreditorKind,
  },
  creditorName: {
    name: 'CREDITOR_NAME',
    description: {
      en: 'name of the company that grants the credit; required in live mode',
      pt: 'de quem é o crédito: nome da empresa; obrigatório em produção',
    },
    default: { sandbox: 'Semana Demonstração Ltda.' },
    requiredInLive: CREDITOR_REQUIRED,
    parse: text,
  },
  creditorCnpj: {
    name: 'CREDITOR_CNPJ',
    description: {
      en: 'CNPJ of the creditor, with or without punctuation; required in live mode',
      pt: 'CNPJ da empresa credora, com ou sem pontuação; obrigatório em produção',
    },
    default: { sandbox: '11.222.333/0001-81' },
    requiredInLive: CREDITOR_REQUIRED,
    parse: parseCreditorCnpj,
  },
  creditorAddress: {
    name: 'CREDITOR_ADDRESS',
    description: {
      en: 'postal address of the creditor, in one line; required in live mode',
      pt: 'endereço da empresa credora, em uma linha; obrigatório em produção',
    },
    default: { sandbox: 'Rua de Exemplo, 100, Centro, São Paulo, SP, 01000-000' },
    requiredInLive: CREDITOR_REQUIRED,
    parse: text,
  },
  creditorEmail: {
    name: 'CREDITOR_EMAIL',
    description: {
      en: 'e-mail address of the creditor, also for questions on personal data and security; required in live mode',
      pt: 'e-mail da empresa credora, também para dados pessoais e segurança; obrigatório em produção',
    },
    default: { sandbox: 'contato@semana.example' },
    requiredInLive: CREDITOR_REQUIRED,
    parse: parseEmail,
  },
});

export type CreditSettings = SettingsOf<typeof creditSettings>;

function parseRate(value: string): Ppm {
  const rate = parsePercent(value);
  if (rate !== null && rate <= MAX_RATE) return rate;
  throw new InvalidValue(
    `is '${value}'; it must be a percentage from 0 to ${toPercent(MAX_RATE)}, like 2.5.`,
  );
}

function parseCreditorKind(value: string): 'merchant' {
  if (value === 'merchant') return value;
  throw new InvalidValue(
    value === 'institution'
      ? 'is institution; a financial institution owes IOF, which the service does not charge yet.'
      : `is '${value}'; it must be merchant.`,
  );
}

function parseCreditorCnpj(value: string): Cnpj {
  const cnpj = parseCnpj(value);
  if (cnpj !== null) return cnpj;
  throw new InvalidValue(
    `is '${value}'; it must be a CNPJ with valid check digits, like 11.222.333/0001-81.`,
  );
}

function parseEmail(value: string): string {
  if (/^[^\s@<>"]+@[^\s@<>".]+(\.[^\s@<>".]+)+$/.test(value)) return value;
  throw new InvalidValue(`is '${value}'; it must be an e-mail address.`);
}
