import { installmentPaid, valueOutOfRange } from '#credit';
import { type ProblemMaker, problem } from '#platform/problem.ts';

export const penaltyDue = problem({
  code: 'penalty_due',
  status: 409,
  title: 'A penalty is due as well',
  titlePt: 'Também há encargos por atraso',
  cause: 'The installment is past its effective due day: what is outstanding alone does not settle it.',
  remedy: 'Ask for `settle_with_penalty`, which settles it with its penalties, or for `extend`.',
});

export const extensionLimit = problem({
  code: 'extension_limit',
  status: 409,
  title: 'The installment cannot be extended again',
  titlePt: 'A parcela não pode ser prorrogada de novo',
  cause: 'It was extended as often as the terms of the purchase allow.',
  remedy: 'Settle it, whole or in part.',
});

export const amountChanged = problem({
  code: 'amount_changed',
  status: 409,
  title: 'The amount is another one now',
  titlePt: 'O valor mudou',
  cause: 'The `value` sent along is not what is due now: a day has passed, or something was paid.',
  remedy: 'Show the amount in `value` of this answer, and ask again with it.',
});

export const chargeReplaced = problem({
  code: 'charge_replaced',
  status: 409,
  title: 'Another amount was asked for meanwhile',
  titlePt: 'Outro valor foi pedido nesse meio-tempo',
  cause: 'While the charge was being made, another one for the same installment took its place.',
  remedy:
    'Show the newer charge: it is in the list of those of the installment. Or ask again, which replaces it.',
});

export const nothingToCharge = problem({
  code: 'nothing_to_charge',
  status: 409,
  title: 'There is nothing to charge',
  titlePt: 'Não há nada a cobrar',
  cause:
    'The fee for an extension comes to less than half a centavo, and a PIX cannot charge nothing; or nothing but penalties is owed.',
  remedy: 'Settle the installment instead.',
});

export const valueRequired = problem({
  code: 'value_required',
  status: 422,
  title: 'The amount is missing',
  titlePt: 'Falta o valor',
  cause: 'A partial payment needs `value`: how much is to be paid.',
  remedy: 'Send a `value` from `min` to `max` of this answer.',
});

export const tooManyCharges = problem({
  code: 'too_many_charges',
  status: 429,
  title: 'Too many charges for this installment',
  cause: 'Thirty new charges were made for the installment today, which is more than anybody needs.',
  remedy: 'Pay one of the charges there are, or ask for another after the seconds in `Retry-After`.',
});

export const pspUnavailable = problem({
  code: 'psp_unavailable',
  status: 503,
  title: 'The payment provider cannot be reached',
  titlePt: 'O provedor de pagamento está fora do ar',
  cause: 'The PSP that makes the codes did not answer, or failed at its side.',
  remedy: 'Try again after the seconds in `Retry-After`. No second charge is made by it.',
});

export const orphanClosed = problem({
  code: 'orphan_closed',
  status: 409,
  title: 'Something came of the payment already',
  titlePt: 'O pagamento já foi resolvido',
  cause: 'It was assigned to an installment, turned out to be for a charge, or goes back to the payer.',
  remedy: 'Read the payment, or the list of orphans: `status` says how it stands.',
});

export const installmentUnknown = problem({
  code: 'installment_unknown',
  status: 422,
  title: 'There is no such installment',
  titlePt: 'A parcela não existe',
  cause: 'No customer has an installment with this id.',
  remedy: 'Read the purchase of the customer, and send the `id` of one of its installments.',
});

export const refundNotGivenUp = problem({
  code: 'refund_not_given_up',
  status: 409,
  title: 'The refund was not given up',
  titlePt: 'A devolução não foi abandonada',
  cause: 'It is under way, or its money was applied or left another way.',
  remedy: 'Only a refund that is `given_up` is tried again.',
});

/** Why there can be no charge. */
export const chargeProblems: ProblemMaker[] = [
  installmentPaid,
  penaltyDue,
  extensionLimit,
  amountChanged,
  chargeReplaced,
  nothingToCharge,
  valueRequired,
  valueOutOfRange,
  tooManyCharges,
];

/** Those of this module's own. */
export const pixProblems: ProblemMaker[] = [
  penaltyDue,
  extensionLimit,
  amountChanged,
  chargeReplaced,
  nothingToCharge,
  valueRequired,
  tooManyCharges,
  pspUnavailable,
  orphanClosed,
  installmentUnknown,
  refundNotGivenUp,
];
