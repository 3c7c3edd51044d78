import { describeReason } from '#core/finance/decision-reasons.ts';
import { type Cents, formatPlainReais, formatReais, toReais } from '#core/values/money.ts';
import { defineProblem } from '#platform/problem.ts';

export const creditReview = defineProblem({
  code: 'credit_review',
  status: 409,
  title: { en: 'The purchase needs a manual review', pt: 'Uma pessoa vai analisar antes' },
  cause: 'The credit policy requires a manual review of this purchase. The offer stays pending.',
  remedy:
    'Wait for the decision, which is sent as a message and as the event `credit.decided`. After an approval, accept the offer again.',
  detail: {
    en: 'This purchase will be reviewed manually. The offer stays valid in the meantime.',
    pt: 'Uma pessoa vai analisar esta compra. A oferta continua valendo enquanto isso.',
  },
});

export const creditDeclined = defineProblem({
  code: 'credit_declined',
  status: 409,
  title: { en: 'The purchase is declined', pt: 'A compra não foi aprovada' },
  cause: 'The credit policy declined this purchase. `reasons` has the codes of the deciding facts.',
  remedy: 'Show the detail to the customer. They may request a manual review: `POST /wallet/credit/review`.',
  detail: (reasons: readonly string[]) => ({
    en: `Reasons: ${reasons.map((code) => describeReason(code).en).join(' ')} You may request a manual review.`,
    pt: `O que contou: ${reasons.map((code) => describeReason(code).pt).join(' ')} Você pode pedir a análise de uma pessoa.`,
    members: { reasons },
  }),
});

export const ownMerchant = defineProblem({
  code: 'own_merchant',
  status: 409,
  title: {
    en: 'Members and payees cannot buy from their own merchant on credit',
    pt: 'Ninguém compra a crédito na própria loja',
  },
  cause:
    'The customer is a member of the merchant that created the offer (both have the same phone), or the current or pending payout account ' +
    'of the merchant has the CPF of the customer.',
  remedy: 'Use another payment method.',
  detail: {
    en: 'You belong to this merchant or are paid for its sales, and cannot buy from it on credit.',
    pt: 'Você faz parte desta loja ou recebe pelas vendas dela, e não pode comprar dela a crédito.',
  },
});

export const amountOverLimit = defineProblem({
  code: 'amount_over_limit',
  status: 422,
  title: { en: 'The amount is more than you may offer', pt: 'O valor é maior do que você pode oferecer' },
  cause: 'An owner of the merchant has limited the amount of this clerk’s offers to `max`.',
  remedy: 'Have an owner create the offer or raise the limit.',
  detail: (max: Cents) => ({
    en: `Your offers are limited to ${formatPlainReais(max)}.`,
    pt: `As suas ofertas podem ser de no máximo ${formatReais(max)}.`,
    members: { max: toReais(max) },
  }),
});
