import { problem } from '#platform/problem.ts';

export const payoutClosed = problem({
  code: 'payout_closed',
  status: 409,
  title: 'The payout was paid or has failed already',
  titlePt: 'O repasse já foi pago ou já falhou',
  cause: 'A payout is marked once: as paid, with the reference of the bank, or as failed, with a reason.',
  remedy: 'Look at the payout. What failed is owed again, and the next batch pays it.',
});
