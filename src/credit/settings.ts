import { type Cnpj, parseCnpj } from '#core/cnpj.ts';
import { type Ppm, parsePercent, ppm, toPercent } from '#core/percent.ts';
import { MAX_WEEKLY_RATE } from '#core/terms.ts';
import { pageLink } from '#platform/config.ts';
import { defineSettings, integer, reais, type SettingsOf, text, WrongValue } from '#platform/settings.ts';

/** Beyond that, odd centavos make the yearly rate too large to be shown. */
const HIGHEST = ppm(200_000);

/** CDC art. 54-B; LGPD art. 9. */
const SAY_WHO_LENDS = 'customers must be told whose credit it is';

export const creditSettings = defineSettings({
  maxWeeklyRate: {
    name: 'MAX_WEEKLY_RATE',
    meaning: {
      en: `the most interest a week that may be agreed, in percent, 0 to ${toPercent(HIGHEST)}`,
      pt: `juros máximos por semana que podem ser contratados, em %, 0 a ${toPercent(HIGHEST)}`,
    },
    // The merchant's own credit bears at most 1 % a month (Decree 22.626/1933).
    default: { sandbox: String(toPercent(MAX_WEEKLY_RATE)), live: '0.23' },
    read: rate,
  },
  offersPerPhone: {
    name: 'OFFERS_PER_PHONE',
    meaning: {
      en: 'how many offers a merchant may make to one phone in a day; all merchants together four times as many, and twice as many may wait',
      pt: 'quantas ofertas uma loja pode fazer por dia a um mesmo telefone; todas as lojas juntas, o quádruplo, e até o dobro pode ficar esperando',
    },
    default: { sandbox: '1000', live: '5' },
    read: integer(1, 1_000_000),
  },
  newPhonesPerMerchant: {
    name: 'NEW_PHONES_PER_MERCHANT',
    meaning: {
      en: 'to how many phones that it made no offer before a merchant may make one in a day',
      pt: 'a quantos telefones, dos que nunca receberam oferta sua, uma loja pode fazer oferta por dia',
    },
    default: { sandbox: '10000', live: '200' },
    read: integer(1, 100_000_000),
  },
  merchantFloorCents: {
    name: 'MERCHANT_FLOOR',
    meaning: {
      en: 'a merchant may owe so much, in reais; returns beyond it wait for finance, and below it no new offers are made',
      pt: 'quanto uma loja pode dever, em reais; devoluções que passam disso esperam o financeiro, e quem deve mais não faz ofertas novas',
    },
    default: '500.00',
    read: reais,
  },
  offerLink: pageLink({
    name: 'OFFER_LINK',
    meaning: {
      en: 'address of an offer for who is to accept it, with {id} in it; required in live, https',
      pt: 'endereço de uma oferta para quem vai aceitá-la, com {id}; obrigatório em produção, https',
    },
    page: '/carteira/ofertas/{id}',
    neededInLive: 'live mode needs the address at which customers accept offers',
  }),
  payLink: pageLink({
    name: 'PAY_LINK',
    meaning: {
      en: 'address of an open offer for whoever claims it, with {token} in it; required in live, https',
      pt: 'endereço de uma oferta aberta, para quem a abrir primeiro, com {token}; obrigatório em produção, https',
    },
    page: '/pagar/{token}',
    neededInLive: 'live mode needs the address at which customers open offers',
  }),
  creditorKind: {
    name: 'CREDITOR_KIND',
    meaning: {
      en: 'merchant: it is the merchant’s own credit; institution is refused, because IOF is not charged yet',
      pt: 'merchant: o crédito é da própria loja; institution é recusado, porque o IOF ainda não é cobrado',
    },
    default: 'merchant',
    read: kind,
  },
  creditorName: {
    name: 'CREDITOR_NAME',
    meaning: {
      en: 'whose credit it is: name of the company; required in live',
      pt: 'de quem é o crédito: nome da empresa; obrigatório em produção',
    },
    default: { sandbox: 'Semana Demonstração Ltda.' },
    neededInLive: SAY_WHO_LENDS,
    read: text,
  },
  creditorCnpj: {
    name: 'CREDITOR_CNPJ',
    meaning: {
      en: 'its CNPJ, with or without punctuation; required in live',
      pt: 'CNPJ da empresa credora, com ou sem pontuação; obrigatório em produção',
    },
    default: { sandbox: '11.222.333/0001-81' },
    neededInLive: SAY_WHO_LENDS,
    read: cnpj,
  },
  creditorAddress: {
    name: 'CREDITOR_ADDRESS',
    meaning: {
      en: 'its address, in one line; required in live',
      pt: 'endereço da empresa credora, em uma linha; obrigatório em produção',
    },
    default: { sandbox: 'Rua de Exemplo, 100, Centro, São Paulo, SP, 01000-000' },
    neededInLive: SAY_WHO_LENDS,
    read: text,
  },
  creditorEmail: {
    name: 'CREDITOR_EMAIL',
    meaning: {
      en: 'where it is written to, also on personal data and security; required in live',
      pt: 'e-mail da empresa credora, também para dados pessoais e segurança; obrigatório em produção',
    },
    default: { sandbox: 'contato@semana.example' },
    neededInLive: SAY_WHO_LENDS,
    read: email,
  },
});

export type CreditSettings = SettingsOf<typeof creditSettings>;

function rate(given: string): Ppm {
  const parsed = parsePercent(given);
  if (parsed !== null && parsed <= HIGHEST) return parsed;
  throw new WrongValue(`is '${given}'; it must be a percentage from 0 to ${toPercent(HIGHEST)}, like 2.5.`);
}

function kind(given: string): 'merchant' {
  if (given === 'merchant') return given;
  throw new WrongValue(
    given === 'institution'
      ? 'is institution; a financial institution owes IOF, which the service does not charge yet.'
      : `is '${given}'; it must be merchant.`,
  );
}

function cnpj(given: string): Cnpj {
  const parsed = parseCnpj(given);
  if (parsed !== null) return parsed;
  throw new WrongValue(`is '${given}'; it must be a CNPJ whose check digits agree, like 11.222.333/0001-81.`);
}

function email(given: string): string {
  if (/^[^\s@<>"]+@[^\s@<>".]+(\.[^\s@<>".]+)+$/.test(given)) return given;
  throw new WrongValue(`is '${given}'; it must be an e-mail address.`);
}
