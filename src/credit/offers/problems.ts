import { reasonWords } from '#core/decision-words.ts';
import { type Cents, inReais, spokenReais, toReais } from '#core/money.ts';
import { defineProblem } from '#platform/problem.ts';

export const creditReview = defineProblem({
  code: 'credit_review',
  status: 409,
  title: { en: 'A person looks at it first', pt: 'Uma pessoa vai analisar antes' },
  cause: 'The credit policy asks for a person to look at this purchase. The offer stays pending.',
  remedy:
    'Wait for the answer, which comes as a message and as the event `credit.decided`. When it is approved, accept the offer again.',
  detail: {
    en: 'A person will look at this purchase. The offer is kept for you meanwhile.',
    pt: 'Uma pessoa vai analisar esta compra. A oferta continua valendo enquanto isso.',
  },
});

export const creditDeclined = defineProblem({
  code: 'credit_declined',
  status: 409,
  title: { en: 'The purchase is not granted', pt: 'A compra não foi aprovada' },
  cause: 'The credit policy declines this purchase. `reasons` has the codes of the facts that counted.',
  remedy: 'Show the customer the detail. They may ask for a person: `POST /wallet/credit/review`.',
  detail: (reasons: readonly string[]) => ({
    en: `What counted: ${reasons.map((code) => reasonWords(code).en).join(' ')} You may ask for a person to look at it.`,
    pt: `O que contou: ${reasons.map((code) => reasonWords(code).pt).join(' ')} Você pode pedir a análise de uma pessoa.`,
    members: { reasons },
  }),
});

export const ownMerchant = defineProblem({
  code: 'own_merchant',
  status: 409,
  title: {
    en: 'Nobody buys on credit at their own merchant',
    pt: 'Ninguém compra a crédito na própria loja',
  },
  cause: 'Whoever has the phone of this customer is a member of the merchant that made the offer.',
  remedy: 'Somebody else buys it, or it is paid otherwise.',
  detail: {
    en: 'You are a member of this merchant, and cannot buy from it on credit.',
    pt: 'Você faz parte desta loja, e não pode comprar dela a crédito.',
  },
});

export const amountOverLimit = defineProblem({
  code: 'amount_over_limit',
  status: 422,
  title: { en: 'The amount is more than you may offer', pt: 'O valor é maior do que você pode oferecer' },
  cause: 'An owner of the merchant has set what the offers of this clerk may be for at most: `max`.',
  remedy: 'Have an owner make the offer, or change the limit.',
  detail: (max: Cents) => ({
    en: `Your offers may be for ${inReais(max)} at most.`,
    pt: `As suas ofertas podem ser de no máximo ${spokenReais(max)}.`,
    members: { max: toReais(max) },
  }),
});

/** Of offers, besides what a purchase may be refused with. */
