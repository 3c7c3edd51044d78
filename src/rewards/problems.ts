import { formatPlainReais, formatReais } from '#core/values/money.ts';
import { defineProblem } from '#platform/problem.ts';

export const alreadyInvited = defineProblem({
  code: 'already_invited',
  status: 409,
  title: { en: 'The customer already has a referrer', pt: 'O cliente já foi convidado' },
  cause: 'A customer has at most one referrer, which cannot be changed.',
  remedy: 'None: the first invitation is final.',
});

export const invitationTooLate = defineProblem({
  code: 'invitation_too_late',
  status: 409,
  title: { en: 'The customer has already made a payment', pt: 'O cliente já fez um pagamento' },
  cause: 'Only customers who have not paid anything yet can be invited.',
  remedy: 'Send the code when the customer is registered, or before the first payment.',
});

export const invitedByOneself = defineProblem({
  code: 'invited_by_oneself',
  status: 422,
  title: { en: 'Customers cannot invite themselves', pt: 'Ninguém convida a si mesmo' },
  cause: 'The referral code belongs to the invited customer.',
  remedy: 'Use the code of the referrer.',
  detail: (code: string) => ({
    en: `'${code}' is this customer's own referral code.`,
    pt: `'${code}' é o código de indicação do próprio cliente.`,
  }),
});

export const invitedInCircle = defineProblem({
  code: 'invited_in_circle',
  status: 422,
  title: { en: 'The invitation would form a cycle', pt: 'Isso formaria um círculo de convites' },
  cause: 'The customer has invited the owner of the code, directly or through others.',
  remedy: 'Use the code of a customer who was not invited through this one.',
  detail: {
    en: 'The owner of the code was invited through this customer.',
    pt: 'O dono do código chegou por convite deste cliente.',
  },
});

export const cashbackTooLittle = defineProblem({
  code: 'cashback_too_little',
  status: 422,
  title: { en: 'The cashback balance is too low', pt: 'O cliente tem menos cashback do que isso' },
  cause: 'An adjustment can debit at most the available cashback.',
  remedy: 'Debit at most the available cashback.',
  detail: (balanceCents: number) => ({
    en: `The customer has ${formatPlainReais(balanceCents)}, and no more can be taken.`,
    pt: `O cliente tem ${formatReais(balanceCents)}; não é possível tirar mais do que isso.`,
  }),
});

export const noCashback = defineProblem({
  code: 'no_cashback',
  status: 409,
  title: { en: 'No cashback is available', pt: 'Não há cashback para usar' },
  cause: 'The customer has earned no cashback, has spent it, or it has expired; or the balance is negative.',
  remedy: 'Pay by PIX. `GET /wallet/cashback/balance` shows the available cashback.',
});

export const adjustedAlready = defineProblem({
  code: 'adjusted_already',
  status: 409,
  title: { en: 'The adjustment was already made', pt: 'Este ajuste já foi feito' },
  cause: 'The cashback of this customer was already adjusted with the same reference.',
  remedy: 'Check the statement. For another adjustment, use a new reference.',
  detail: (reference: string | null) => ({
    en: `'${reference}' was already used for this customer.`,
    pt: `O ajuste '${reference}' já foi feito para este cliente.`,
  }),
});

export const rewardNotHeld = defineProblem({
  code: 'reward_not_held',
  status: 409,
  title: { en: 'The reward does not wait for a decision', pt: 'Este prêmio não espera uma decisão' },
  cause:
    'The reward was credited or refused, payments that had earned it were reversed, or it is not earned yet.',
  remedy: 'Get the status of the invitation. `GET /admin/referrals?status=held` lists the rewards that wait.',
});
