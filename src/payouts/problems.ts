import { defineProblem } from '#platform/problem.ts';

export const MERCHANT_NOT_FOUND = {
  en: 'There is no merchant with this slug.',
  pt: 'Não há loja com este slug.',
};

export const noAccountChange = defineProblem({
  code: 'no_account_change',
  status: 409,
  title: { en: 'No change of the account is pending', pt: 'Nenhuma troca de conta está em espera' },
  cause: 'The change has already taken effect, was cancelled, or there was none.',
  remedy: 'Get the account. To replace it, set it again.',
});

export const payoutClosed = defineProblem({
  code: 'payout_closed',
  status: 409,
  title: { en: 'The payout was already paid or has failed', pt: 'O repasse já foi pago ou já falhou' },
  cause:
    'A payout can be marked only once: as paid, with the reference of the bank, or as failed, with a reason.',
  remedy: 'Get the payout. If it failed, the next batch pays the amount.',
  detail: (payout: { reference: string | null } | { reason: string | null }) =>
    'reference' in payout
      ? {
          en: `The payout was paid as '${payout.reference}'.`,
          pt: `O repasse foi pago como '${payout.reference}'.`,
        }
      : {
          en: `The payout failed: ${payout.reason}. The next batch pays the amount.`,
          pt: `O repasse falhou: ${payout.reason}. O próximo lote paga o valor.`,
        },
});
