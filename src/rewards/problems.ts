import { type ProblemMaker, problem } from '#platform/problem.ts';

export const alreadyInvited = problem({
  code: 'already_invited',
  status: 409,
  title: 'The customer was invited already',
  titlePt: 'O cliente já foi convidado',
  cause: 'A customer is invited by one other customer, once and for good.',
  remedy: 'Nothing can be done: the first invitation counts.',
});

export const invitationTooLate = problem({
  code: 'invitation_too_late',
  status: 409,
  title: 'The customer has settled an installment already',
  titlePt: 'O cliente já quitou uma parcela',
  cause: 'An invitation is for new customers: it is rewarded when the first installment is settled.',
  remedy: 'Give the code when the customer is registered, or before the first installment is settled.',
});

export const invitedByOneself = problem({
  code: 'invited_by_oneself',
  status: 422,
  title: 'Nobody invites themselves',
  titlePt: 'Ninguém convida a si mesmo',
  cause: 'The referral code is the one of the invited customer.',
  remedy: 'Use the code of the customer who invited this one.',
});

export const invitedInCircle = problem({
  code: 'invited_in_circle',
  status: 422,
  title: 'This would be a circle of invitations',
  titlePt: 'Isto seria um círculo de convites',
  cause: 'The customer has invited the owner of the code, or somebody who did, and so on.',
  remedy: 'Use the code of a customer who did not come through this one.',
});

export const cashbackTooLittle = problem({
  code: 'cashback_too_little',
  status: 422,
  title: 'The customer has less cashback than that',
  titlePt: 'O cliente tem menos cashback do que isso',
  cause: 'An adjustment takes no more than the customer has now.',
  remedy: 'Take at most what is available.',
});

export const noCashback = problem({
  code: 'no_cashback',
  status: 409,
  title: 'There is no cashback to spend',
  titlePt: 'Não há cashback para usar',
  cause: 'Nothing is available: none was earned, it has expired or was spent, or some is owed back.',
  remedy: 'Pay by PIX. What is available is at `/wallet/cashback/balance`.',
});

export const adjustedAlready = problem({
  code: 'adjusted_already',
  status: 409,
  title: 'This was adjusted already',
  titlePt: 'Este ajuste já foi feito',
  cause: 'Cashback of this customer was adjusted under the same reference before.',
  remedy: 'Look at the statement. If it is meant once more, use another reference.',
});

export const rewardsProblems: ProblemMaker[] = [
  alreadyInvited,
  invitationTooLate,
  invitedByOneself,
  invitedInCircle,
  cashbackTooLittle,
  noCashback,
  adjustedAlready,
];
