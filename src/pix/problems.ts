import { type Cents, formatPlainReais, formatReais, toReais } from '#core/values/money.ts';
import { installmentPaid, valueOutOfRange } from '#credit';
import { defineProblem, type ProblemFactory } from '#platform/problem.ts';

export const penaltyDue = defineProblem({
  code: 'penalty_due',
  status: 409,
  title: { en: 'A penalty is also due', pt: 'Também há encargos por atraso' },
  cause:
    'The installment is past its effective due day, so paying the outstanding amount alone does not settle it.',
  remedy: 'Request `settle_with_penalty`, which also pays the penalties, or `extend`.',
  detail: {
    en: 'The installment is overdue: use settle_with_penalty to settle it.',
    pt: 'A parcela está vencida: use settle_with_penalty para quitá-la.',
  },
});

export const extensionLimit = defineProblem({
  code: 'extension_limit',
  status: 409,
  title: { en: 'The installment cannot be extended again', pt: 'A parcela não pode ser prorrogada de novo' },
  cause: 'The installment was extended as often as the terms of the purchase allow.',
  remedy: 'Pay the installment, in full or in part.',
});

export const amountChanged = defineProblem({
  code: 'amount_changed',
  status: 409,
  title: { en: 'The amount has changed', pt: 'O valor mudou' },
  cause: 'The `value` of the request is not the amount due now: a day has passed, or a payment arrived.',
  remedy: 'Show the amount in `value` of this response to the customer, and repeat the request with it.',
  detail: (value: Cents) => ({
    en: `The amount due now is ${formatPlainReais(value)}.`,
    pt: `Agora o valor é ${formatReais(value)}.`,
    members: { value: toReais(value) },
  }),
});

export const chargeReplaced = defineProblem({
  code: 'charge_replaced',
  status: 409,
  title: { en: 'Another amount was requested meanwhile', pt: 'Outro valor foi pedido nesse meio-tempo' },
  cause: 'While the charge was being created, a newer charge of the same installment replaced it.',
  remedy:
    'Show the newer charge from the list of charges of the installment. Or repeat the request to replace it.',
});

export const nothingToCharge = defineProblem({
  code: 'nothing_to_charge',
  status: 409,
  title: { en: 'There is nothing to charge', pt: 'Não há nada a cobrar' },
  cause:
    'The extension fee is less than half a centavo, and a PIX charge cannot have an amount of zero; or only penalties are owed.',
  remedy: 'Settle the installment instead.',
  detail: {
    en: 'The extension fee of this installment is zero.',
    pt: 'A tarifa de prorrogação desta parcela é zero.',
  },
});

export const valueRequired = defineProblem({
  code: 'value_required',
  status: 422,
  title: { en: 'The amount is missing', pt: 'Falta o valor' },
  cause: 'A partial payment requires `value`, the amount to pay.',
  remedy: 'Send a `value` between `min` and `max` of this response.',
  detail: (min: Cents, max: Cents) => valueOutOfRange('can be paid', min, max).detail,
});

export const tooManyCharges = defineProblem({
  code: 'too_many_charges',
  status: 429,
  title: { en: 'Too many charges for this installment', pt: 'Cobranças demais para esta parcela' },
  cause: 'The limit of 30 new charges per installment and day is reached.',
  remedy: 'Pay one of the existing charges, or request another one after the seconds in `Retry-After`.',
  detail: (limit: number, seconds: number) => ({
    en: `${limit} charges were created for this installment today.`,
    pt: `Já foram geradas ${limit} cobranças para esta parcela hoje.`,
    headers: { 'retry-after': String(seconds) },
  }),
});

export const pspUnavailable = defineProblem({
  code: 'psp_unavailable',
  status: 503,
  title: { en: 'The payment provider cannot be reached', pt: 'O provedor de pagamento está fora do ar' },
  cause: 'The PSP that creates the codes did not respond, or returned an error.',
  remedy: 'Retry after the seconds in `Retry-After`. A retry does not create a second charge.',
});

export const autopayActive = defineProblem({
  code: 'autopay_active',
  status: 409,
  title: { en: 'Autopay is already active', pt: 'O débito automático já está ativo' },
  cause: 'The purchase has an authorisation that the payer has approved.',
  remedy: 'No action is required. To authorise another account, first end this authorisation with DELETE.',
});

export const nothingToDebit = defineProblem({
  code: 'nothing_to_debit',
  status: 409,
  title: { en: 'No installment can be debited', pt: 'Não há parcela a debitar' },
  cause:
    'All installments are paid, overdue, or due in less than two days. A debit must be requested two days before the due day, and ' +
    'overdue installments are never debited.',
  remedy: 'Pay the remaining installments by code.',
});

export const autopayUnavailable = defineProblem({
  code: 'autopay_unavailable',
  status: 409,
  title: { en: 'Autopay is not offered', pt: 'O débito automático não é oferecido' },
  cause:
    'The operator has not configured the account that debits are credited to, for example because its payment provider does not ' +
    'support Pix Automático.',
  remedy: 'Pay by code. The operator enables autopay with PIX_ACCOUNT.',
});

export const orphanClosed = defineProblem({
  code: 'orphan_closed',
  status: 409,
  title: { en: 'The payment is no longer open', pt: 'O pagamento já foi resolvido' },
  cause: 'The payment was assigned to an installment, turned out to be for a charge, or is being refunded.',
  remedy: 'Get the payment or the orphan, and check its `status`.',
  detail: (orphanState: { status: string } | { assignedTo: 'installment' | 'charge'; chargeId?: string }) => {
    if ('status' in orphanState)
      return {
        en: `The payment is being refunded, or was refunded: ${orphanState.status}.`,
        pt: `O valor volta para quem pagou: ${orphanState.status}.`,
      };
    const { assignedTo, chargeId } = orphanState;
    return {
      ...(assignedTo === 'charge'
        ? { en: 'The payment belongs to a charge already.', pt: 'O pagamento já vale para uma cobrança.' }
        : {
            en: 'The payment is assigned to an installment already.',
            pt: 'O pagamento já vale para uma parcela.',
          }),
      ...(chargeId !== undefined && { members: { pix_id: chargeId } }),
    };
  },
});

export const installmentUnknown = defineProblem({
  code: 'installment_unknown',
  status: 422,
  title: { en: 'There is no such installment', pt: 'A parcela não existe' },
  cause: 'No customer has an installment with this id.',
  remedy: 'Get the purchase of the customer, and send the `id` of one of its installments.',
  detail: (id: string) => ({ en: `There is no installment ${id}.`, pt: `A parcela ${id} não existe.` }),
});

export const paymentMoved = defineProblem({
  code: 'payment_moved',
  status: 409,
  title: { en: 'The payment is assigned to another installment', pt: 'O pagamento vale para outra parcela' },
  cause:
    'Another user has moved the payment meanwhile, or it is already assigned to the requested installment.',
  remedy: 'Get the payment again, and check its `installment_id`.',
  detail: (installmentId?: string) => ({
    en: 'The payment is not assigned to the installment that it should be moved from.',
    pt: 'O pagamento não vale para a parcela de onde sairia.',
    ...(installmentId !== undefined && { members: { installment_id: installmentId } }),
  }),
});

export const paymentNotWhole = defineProblem({
  code: 'payment_not_whole',
  status: 409,
  title: { en: 'Part of the payment has been refunded', pt: 'Parte do pagamento não está mais aqui' },
  cause: 'Part of the payment was refunded, is being refunded, or became cashback.',
  remedy:
    'Only a whole payment can be moved. Refund the rest at the payment provider, and let the customer pay the right installment.',
  detail: (remaining: Cents) => ({
    en: `Only ${formatPlainReais(remaining)} of the payment remains: the rest was refunded, or is being refunded.`,
    pt: `Só ${formatReais(remaining)} dele estão aqui: o resto voltou ou está voltando para quem pagou.`,
    members: { here: toReais(remaining) },
  }),
});

export const refundNotGivenUp = defineProblem({
  code: 'refund_not_given_up',
  status: 409,
  title: { en: 'The refund was not given up', pt: 'A devolução não foi abandonada' },
  cause: 'The refund is in progress or done, or its money was applied or returned another way.',
  remedy: 'Only a refund with the status `given_up` can be retried.',
  detail: (id: string, status: string) => ({
    en: `Refund ${id} is ${status}: only a refund that was given up can be retried.`,
    pt: `A devolução ${id} está em ${status}: só se tenta de novo uma que foi abandonada.`,
  }),
});

export const chargeProblems: ProblemFactory[] = [
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
