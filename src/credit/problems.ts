import { type ProblemMaker, problem } from '#platform/problem.ts';

export const creditLimitExceeded = problem({
  code: 'credit_limit_exceeded',
  status: 422,
  title: 'The purchase is over the available limit',
  titlePt: 'A compra ultrapassa o limite disponível',
  cause: 'What the customer owes and the total of this purchase are together more than the credit limit.',
  remedy: 'Sell for at most `available`, interest included, or raise the limit.',
});

export const customerOverdue = problem({
  code: 'customer_overdue',
  status: 409,
  title: 'The customer is overdue',
  titlePt: 'O cliente está em atraso',
  cause:
    'An installment of the customer is past its effective due day, and nothing is sold on credit until it is settled.',
  remedy: 'Have the late installment paid or extended, then try again.',
});

export const customerLocked = problem({
  code: 'customer_locked',
  status: 409,
  title: 'The customer is locked',
  titlePt: 'O cliente está bloqueado',
  cause: 'The operator has locked this customer.',
  remedy: 'Unlock the customer, then try again.',
});

export const termsUnlawful = problem({
  code: 'terms_unlawful',
  status: 422,
  title: 'The terms break consumer law',
  titlePt: 'As condições violam o Código de Defesa do Consumidor',
  cause:
    'A fine of more than 2 % of the installment (CDC art. 52 §1), late interest of more than 1 % a month (STJ Súmula 379), an ' +
    'extension fee of more than 10 %, or a weekly rate of more than the operator allows (CDC art. 51 IV).',
  remedy: 'Read `errors`: each names the term, the most it may be, and the rule of law.',
});

export const installmentPaid = problem({
  code: 'installment_paid',
  status: 409,
  title: 'The installment is paid',
  titlePt: 'A parcela já foi paga',
  cause: 'Nothing is owed on the installment any more.',
  remedy: 'Read the purchase again: there is nothing to pay.',
});

export const valueOutOfRange = problem({
  code: 'value_out_of_range',
  status: 422,
  title: 'The amount is too small or too large',
  titlePt: 'O valor é pequeno ou grande demais',
  cause:
    'A part by PIX is at least 1.00, or the total due if that is less, and at most the total due. With cashback it is at ' +
    'most what is available and what settles the installment now. No more can be returned than is left of a purchase.',
  remedy: 'Send an amount from `min` to `max` of this answer.',
});

export const checkoutReturned = problem({
  code: 'checkout_returned',
  status: 409,
  title: 'The purchase was returned whole',
  titlePt: 'A compra já foi devolvida por inteiro',
  cause: 'All of it was returned already: nothing is left to return.',
  remedy: 'Read the purchase: `returned_at` says when.',
});

export const nothingToWriteOff = problem({
  code: 'nothing_to_write_off',
  status: 409,
  title: 'There is nothing to write off',
  titlePt: 'Não há nada a baixar como perda',
  cause: 'Nothing of the amount is owed on the purchase any more, or it is written off already.',
  remedy: 'Read the purchase: `outstanding` and `written_off_at` say how it stands.',
});

export const notWrittenOff = problem({
  code: 'not_written_off',
  status: 409,
  title: 'The purchase is not written off',
  titlePt: 'A compra não está baixada como perda',
  cause: 'Only a purchase that was written off, and not reinstated since, can be reinstated.',
  remedy: 'Read the purchase: `written_off_at` says how it stands.',
});

export const amountOutOfRange = problem({
  code: 'amount_out_of_range',
  status: 422,
  title: 'The merchant does not sell for this amount',
  titlePt: 'O lojista não vende por este valor',
  cause: 'The amount is outside of what the merchant’s plan allows, or too small for so many installments.',
  remedy: 'Choose an amount from `min_amount` to `max_amount`.',
});

export const tooManyInstallments = problem({
  code: 'too_many_installments',
  status: 422,
  title: 'So many installments are not possible here',
  titlePt: 'Não é possível dividir em tantas parcelas',
  cause: 'The merchant’s plan, or the offer, allows fewer installments.',
  remedy: 'Choose at most `max_installments`.',
});

export const merchantUnlisted = problem({
  code: 'merchant_unlisted',
  status: 409,
  title: 'The merchant does not sell at present',
  titlePt: 'O lojista não está vendendo no momento',
  cause: 'The operator has taken the merchant of this key out of the catalog.',
  remedy: 'Ask the operator to list it again.',
});

export const referenceReused = problem({
  code: 'reference_reused',
  status: 422,
  title: 'The reference was used for another offer',
  titlePt: 'A referência foi usada em outra oferta',
  cause: 'The same reference came before with another phone, amount, number of installments or description.',
  remedy: 'Use a new reference for a new offer; repeat the very same content to get the offer again.',
});

export const tooManyOffers = problem({
  code: 'too_many_offers',
  status: 429,
  title: 'Too many offers to this phone',
  titlePt: 'Ofertas demais para este telefone',
  cause:
    'A merchant makes at most 5 offers a day to a phone, all merchants together at most 20, and at most 10 wait for an answer.',
  remedy:
    'Try again after the seconds given in `Retry-After`, or cancel offers that are not wanted any more.',
});

export const offerExpired = problem({
  code: 'offer_expired',
  status: 409,
  title: 'The offer has expired',
  titlePt: 'A oferta expirou',
  cause: 'An offer can be accepted for two days.',
  remedy: 'Ask the merchant for a new one.',
});

export const offerClosed = problem({
  code: 'offer_closed',
  status: 409,
  title: 'Something came of the offer already',
  titlePt: 'A oferta já foi encerrada',
  cause: 'It was accepted, declined or cancelled before: `offer_status` says which.',
  remedy: 'Read the offer. One that was accepted names the purchase.',
});

/** Why a customer cannot buy now. */
export const standingProblems: ProblemMaker[] = [creditLimitExceeded, customerOverdue, customerLocked];

/** Why a merchant does not sell this. */
export const quoteProblems: ProblemMaker[] = [amountOutOfRange, tooManyInstallments, termsUnlawful];

/** What an operator's purchase is refused with. */
export const purchaseProblems: ProblemMaker[] = [...standingProblems, termsUnlawful];

export const creditProblems: ProblemMaker[] = [
  nothingToWriteOff,
  notWrittenOff,
  amountOutOfRange,
  tooManyInstallments,
  merchantUnlisted,
  referenceReused,
  tooManyOffers,
  offerExpired,
  offerClosed,
  creditLimitExceeded,
  customerOverdue,
  customerLocked,
  termsUnlawful,
];

/** Why an installment cannot be paid, whatever with. */
export const paymentProblems: ProblemMaker[] = [installmentPaid, valueOutOfRange];

/** Why nothing can be returned. */
export const returnProblems: ProblemMaker[] = [checkoutReturned, valueOutOfRange];
