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

export const creditProblems: ProblemMaker[] = [
  creditLimitExceeded,
  customerOverdue,
  customerLocked,
  termsUnlawful,
];

/** Why an installment cannot be paid, whatever with. */
export const paymentProblems: ProblemMaker[] = [installmentPaid, valueOutOfRange];

/** Why nothing can be returned. */
export const returnProblems: ProblemMaker[] = [checkoutReturned, valueOutOfRange];
