import { type Cents, inReais, spokenReais, toReais } from '#core/money.ts';
import { defineProblem } from '#platform/problem.ts';

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

/** Of offers and the members of merchants. */
export const memberOfferProblems = [ownMerchant, amountOverLimit];
