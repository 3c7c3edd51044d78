import { defineProblem } from '#platform/problem.ts';

export const NO_MERCHANT = { en: 'There is no merchant with this slug.', pt: 'Não há loja com este slug.' };

export const noAccountChange = defineProblem({
  code: 'no_account_change',
  status: 409,
  title: { en: 'No change of the account waits', pt: 'Nenhuma troca de conta está em espera' },
  cause: 'The change took effect already, was stopped, or there was none.',
  remedy: 'Look at the account. What took effect is changed by setting it anew.',
  detail: {
    en: 'No change of this account waits.',
    pt: 'Nenhuma troca desta conta está em espera.',
  },
});

export const payoutClosed = defineProblem({
  code: 'payout_closed',
  status: 409,
  title: { en: 'The payout was paid or has failed already', pt: 'O repasse já foi pago ou já falhou' },
  cause: 'A payout is marked once: as paid, with the reference of the bank, or as failed, with a reason.',
  remedy: 'Look at the payout. What failed is owed again, and the next batch pays it.',
  detail: (payout: { reference: string | null } | { reason: string | null }) =>
    'reference' in payout
      ? { en: `It was paid as '${payout.reference}'.`, pt: `O repasse foi pago como '${payout.reference}'.` }
      : {
          en: `It failed: ${payout.reason}. The next batch pays what it was to pay.`,
          pt: `O repasse falhou: ${payout.reason}. O próximo lote paga o valor.`,
        },
});
