import { type Cents, inReais, spokenReais, toReais } from '#core/money.ts';
import { installmentPaid, valueOutOfRange } from '#credit';
import { defineProblem, type ProblemMaker } from '#platform/problem.ts';

export const penaltyDue = defineProblem({
  code: 'penalty_due',
  status: 409,
  title: { en: 'A penalty is due as well', pt: 'Também há encargos por atraso' },
  cause: 'The installment is past its effective due day: what is outstanding alone does not settle it.',
  remedy: 'Ask for `settle_with_penalty`, which settles it with its penalties, or for `extend`.',
  detail: {
    en: 'The installment is overdue: settle_with_penalty settles it.',
    pt: 'A parcela está vencida: use settle_with_penalty para quitá-la.',
  },
});

export const extensionLimit = defineProblem({
  code: 'extension_limit',
  status: 409,
  title: { en: 'The installment cannot be extended again', pt: 'A parcela não pode ser prorrogada de novo' },
  cause: 'It was extended as often as the terms of the purchase allow.',
  remedy: 'Settle it, whole or in part.',
  detail: {
    en: 'The installment was extended as often as it can be.',
    pt: 'A parcela já foi prorrogada o máximo de vezes.',
  },
});

export const amountChanged = defineProblem({
  code: 'amount_changed',
  status: 409,
  title: { en: 'The amount is another one now', pt: 'O valor mudou' },
  cause: 'The `value` sent along is not what is due now: a day has passed, or something was paid.',
  remedy: 'Show the amount in `value` of this answer, and ask again with it.',
  detail: (value: Cents) => ({
    en: `It costs ${inReais(value)} now.`,
    pt: `Agora o valor é ${spokenReais(value)}.`,
    members: { value: toReais(value) },
  }),
});

export const chargeReplaced = defineProblem({
  code: 'charge_replaced',
  status: 409,
  title: { en: 'Another amount was asked for meanwhile', pt: 'Outro valor foi pedido nesse meio-tempo' },
  cause: 'While the charge was being made, another one for the same installment took its place.',
  remedy:
    'Show the newer charge: it is in the list of those of the installment. Or ask again, which replaces it.',
  detail: { en: 'Another amount was asked for meanwhile.', pt: 'Outro valor foi pedido nesse meio-tempo.' },
});

export const nothingToCharge = defineProblem({
  code: 'nothing_to_charge',
  status: 409,
  title: { en: 'There is nothing to charge', pt: 'Não há nada a cobrar' },
  cause:
    'The fee for an extension comes to less than half a centavo, and a PIX cannot charge nothing; or nothing but penalties is owed.',
  remedy: 'Settle the installment instead.',
  detail: {
    en: 'The fee of an extension comes to nothing here.',
    pt: 'A tarifa de prorrogação desta parcela é zero.',
  },
});

export const valueRequired = defineProblem({
  code: 'value_required',
  status: 422,
  title: { en: 'The amount is missing', pt: 'Falta o valor' },
  cause: 'A partial payment needs `value`: how much is to be paid.',
  remedy: 'Send a `value` from `min` to `max` of this answer.',
  detail: (min: Cents, max: Cents) => valueOutOfRange('paid', min, max).detail,
});

export const tooManyCharges = defineProblem({
  code: 'too_many_charges',
  status: 429,
  title: { en: 'Too many charges for this installment', pt: 'Cobranças demais para esta parcela' },
  cause: 'Thirty new charges were made for the installment today, which is more than anybody needs.',
  remedy: 'Pay one of the charges there are, or ask for another after the seconds in `Retry-After`.',
  detail: (most: number, seconds: number) => ({
    en: `${most} were made for this installment today.`,
    pt: `Já foram geradas ${most} cobranças para esta parcela hoje.`,
    headers: { 'retry-after': String(seconds) },
  }),
});

export const pspUnavailable = defineProblem({
  code: 'psp_unavailable',
  status: 503,
  title: { en: 'The payment provider cannot be reached', pt: 'O provedor de pagamento está fora do ar' },
  cause: 'The PSP that makes the codes did not answer, or failed at its side.',
  remedy: 'Try again after the seconds in `Retry-After`. No second charge is made by it.',
});

export const autopayActive = defineProblem({
  code: 'autopay_active',
  status: 409,
  title: { en: 'The installments are debited already', pt: 'O débito automático já está ativo' },
  cause: 'The purchase has an authorisation that the payer’s bank has approved.',
  remedy: 'Nothing is left to do. To authorise anew, for another account say, end it first with DELETE.',
  detail: {
    en: 'The installments of this purchase are debited already.',
    pt: 'As parcelas desta compra já estão em débito automático.',
  },
});

export const nothingToDebit = defineProblem({
  code: 'nothing_to_debit',
  status: 409,
  title: { en: 'Nothing is left to be debited', pt: 'Não há parcela a debitar' },
  cause:
    'All installments are paid, or fall due in less than two days: a bank must hear of a debit two days before. What is overdue is ' +
    'never debited.',
  remedy: 'Pay what is left by code.',
  detail: {
    en: 'No installment of this purchase can be debited any more.',
    pt: 'Nenhuma parcela desta compra pode mais ser debitada.',
  },
});

export const autopayUnavailable = defineProblem({
  code: 'autopay_unavailable',
  status: 409,
  title: { en: 'Autopay is not offered', pt: 'O débito automático não é oferecido' },
  cause:
    'The operator has named no account that debits are credited to, as where its payment provider has no Pix Automático.',
  remedy: 'Pay by code. The operator sets PIX_ACCOUNT.',
  detail: { en: 'Autopay is not offered here.', pt: 'O débito automático não é oferecido aqui.' },
});

export const orphanClosed = defineProblem({
  code: 'orphan_closed',
  status: 409,
  title: { en: 'Something came of the payment already', pt: 'O pagamento já foi resolvido' },
  cause: 'It was assigned to an installment, turned out to be for a charge, or goes back to the payer.',
  remedy: 'Read the payment, or the list of orphans: `status` says how it stands.',
  detail: (found: { status: string } | { countsFor: 'installment' | 'charge'; pixId?: string }) => {
    if ('status' in found)
      return {
        en: `It goes back to the payer: ${found.status}.`,
        pt: `O valor volta para quem pagou: ${found.status}.`,
      };
    const { countsFor, pixId } = found;
    return {
      ...(countsFor === 'charge'
        ? { en: 'It counts for a charge by now.', pt: 'O pagamento já vale para uma cobrança.' }
        : { en: 'It counts for an installment by now.', pt: 'O pagamento já vale para uma parcela.' }),
      ...(pixId !== undefined && { members: { pix_id: pixId } }),
    };
  },
});

export const installmentUnknown = defineProblem({
  code: 'installment_unknown',
  status: 422,
  title: { en: 'There is no such installment', pt: 'A parcela não existe' },
  cause: 'No customer has an installment with this id.',
  remedy: 'Read the purchase of the customer, and send the `id` of one of its installments.',
  detail: (id: string) => ({ en: `There is no installment ${id}.`, pt: `A parcela ${id} não existe.` }),
});

export const paymentMoved = defineProblem({
  code: 'payment_moved',
  status: 409,
  title: { en: 'The payment counts for another installment', pt: 'O pagamento vale para outra parcela' },
  cause: 'Somebody moved it meanwhile, or it is to be moved to the installment that it counts for already.',
  remedy: 'Read the payment again: `installment_id` says what it counts for.',
  detail: (installmentId: string | null) => ({
    en: 'It does not count for the installment that it is to be moved from.',
    pt: 'O pagamento não vale para a parcela de onde sairia.',
    ...(installmentId !== null && { members: { installment_id: installmentId } }),
  }),
});

export const paymentNotWhole = defineProblem({
  code: 'payment_not_whole',
  status: 409,
  title: { en: 'Some of the payment is not here any more', pt: 'Parte do pagamento não está mais aqui' },
  cause: 'Some of it went back to the payer, is on its way there, or became cashback.',
  remedy:
    'Only a whole payment is moved. Give back the rest of it at the payment provider, and let the customer pay the right installment.',
  detail: (here: Cents) => ({
    en: `Only ${inReais(here)} of it is here: the rest went back, or is on its way.`,
    pt: `Só ${spokenReais(here)} dele estão aqui: o resto voltou ou está voltando para quem pagou.`,
    members: { here: toReais(here) },
  }),
});

export const refundNotGivenUp = defineProblem({
  code: 'refund_not_given_up',
  status: 409,
  title: { en: 'The refund was not given up', pt: 'A devolução não foi abandonada' },
  cause: 'It is under way, or its money was applied or left another way.',
  remedy: 'Only a refund that is `given_up` is tried again.',
  detail: (id: string, status: string) => ({
    en: `Refund ${id} is ${status}: only one that was given up is tried again.`,
    pt: `A devolução ${id} está em ${status}: só se tenta de novo uma que foi abandonada.`,
  }),
});

/** Why a charge is refused. */
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
