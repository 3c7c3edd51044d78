import { inReais, spokenReais } from '#core/money.ts';
import { defineProblem } from '#platform/problem.ts';

export const alreadyInvited = defineProblem({
  code: 'already_invited',
  status: 409,
  title: { en: 'The customer was invited already', pt: 'O cliente já foi convidado' },
  cause: 'A customer is invited by one other customer, once and for good.',
  remedy: 'Nothing can be done: the first invitation counts.',
  detail: {
    en: 'Somebody has invited this customer already.',
    pt: 'Este cliente já foi convidado por alguém.',
  },
});

export const invitationTooLate = defineProblem({
  code: 'invitation_too_late',
  status: 409,
  title: { en: 'The customer has paid something already', pt: 'O cliente já fez um pagamento' },
  cause: 'An invitation is for new customers: it is rewarded for what they pay from then on.',
  remedy: 'Give the code when the customer is registered, or before anything is paid.',
  detail: {
    en: 'This customer has paid something off an installment already.',
    pt: 'Este cliente já pagou algo de uma parcela.',
  },
});

export const invitedByOneself = defineProblem({
  code: 'invited_by_oneself',
  status: 422,
  title: { en: 'Nobody invites themselves', pt: 'Ninguém convida a si mesmo' },
  cause: 'The referral code is the one of the invited customer.',
  remedy: 'Use the code of the customer who invited this one.',
  detail: (code: string) => ({
    en: `'${code}' is this customer's own referral code.`,
    pt: `'${code}' é o código de indicação do próprio cliente.`,
  }),
});

export const invitedInCircle = defineProblem({
  code: 'invited_in_circle',
  status: 422,
  title: { en: 'This would be a circle of invitations', pt: 'Isso formaria um círculo de convites' },
  cause: 'The customer has invited the owner of the code, or somebody who did, and so on.',
  remedy: 'Use the code of a customer who did not come through this one.',
  detail: {
    en: 'The owner of the code came through this customer.',
    pt: 'O dono do código chegou por convite deste cliente.',
  },
});

export const cashbackTooLittle = defineProblem({
  code: 'cashback_too_little',
  status: 422,
  title: { en: 'The customer has less cashback than that', pt: 'O cliente tem menos cashback do que isso' },
  cause: 'An adjustment takes no more than the customer has now.',
  remedy: 'Take at most what is available.',
  detail: (balanceCents: number) => ({
    en: `The customer has ${inReais(balanceCents)}, and no more can be taken.`,
    pt: `O cliente tem ${spokenReais(balanceCents)}; não é possível tirar mais do que isso.`,
  }),
});

export const noCashback = defineProblem({
  code: 'no_cashback',
  status: 409,
  title: { en: 'There is no cashback to spend', pt: 'Não há cashback para usar' },
  cause: 'Nothing is available: none was earned, it has expired or was spent, or some is owed back.',
  remedy: 'Pay by PIX. What is available is at `/wallet/cashback/balance`.',
  detail: { en: 'You have no cashback to spend.', pt: 'Você não tem cashback para usar.' },
});

export const adjustedAlready = defineProblem({
  code: 'adjusted_already',
  status: 409,
  title: { en: 'This was adjusted already', pt: 'Este ajuste já foi feito' },
  cause: 'Cashback of this customer was adjusted under the same reference before.',
  remedy: 'Look at the statement. If it is meant once more, use another reference.',
  detail: (reference: string | null) => ({
    en: `'${reference}' was adjusted for this customer already.`,
    pt: `O ajuste '${reference}' já foi feito para este cliente.`,
  }),
});
