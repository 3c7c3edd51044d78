import type { Bilingual } from '#core/values/bilingual.ts';
import { defineProblem, invalidField, type Problem } from '#platform/problem.ts';

export const chargeNotPayable = defineProblem({
  code: 'charge_not_payable',
  status: 409,
  title: { en: 'The charge cannot be paid', pt: 'A cobrança não pode ser paga' },
  cause: 'The charge was already paid or removed.',
  remedy: 'Create a new charge, or send `force: true` to simulate a careless bank.',
  detail: (status: string) => ({ en: `The charge is ${status}.`, pt: `A cobrança está ${status}.` }),
});

export const chargeExpired = defineProblem({
  code: 'charge_expired',
  status: 409,
  title: { en: 'The charge has expired', pt: 'A cobrança expirou' },
  cause: 'Banks refuse to pay an expired charge, although its status at the PSP is still active.',
  remedy: 'Create a new charge, send a time before the expiry in `at`, or send `force: true`.',
  detail: (expiresAt: Date) => ({
    en: `The charge could be paid until ${expiresAt.toISOString()}.`,
    pt: `A cobrança podia ser paga até ${expiresAt.toISOString()}.`,
  }),
});

export const nothingToReverse = defineProblem({
  code: 'nothing_to_reverse',
  status: 409,
  title: { en: 'There is nothing to charge back', pt: 'Não há nada a devolver' },
  cause: 'The charge was not paid, or its payment was returned completely.',
  remedy: 'Pay the charge first.',
  detail: {
    en: 'The charge with this txid was not paid, or its payment was returned completely.',
    pt: 'Nada foi pago com este txid, ou o valor já foi devolvido.',
  },
});

export const brCodeUnreadable = defineProblem({
  code: 'br_code_unreadable',
  status: 422,
  title: { en: 'The code cannot be read', pt: 'Não foi possível ler o código' },
  cause: 'The text is not a valid BR Code: it is incomplete, mistyped, or another text.',
  remedy: 'Copy the whole text of `br_code`.',
  detail: (reason: string) => ({
    en: `Not a BR Code: ${reason}.`,
    pt: 'O texto não é um BR Code: está cortado, alterado ou é outra coisa.',
  }),
});

export const fieldProblem = (name: string, message: Bilingual): Problem => invalidField(`/${name}`, message);

export const autopayNotPossible = defineProblem({
  code: 'autopay_not_possible',
  status: 409,
  title: {
    en: 'The status of the authorisation does not allow this',
    pt: 'A autorização não está nesse estado',
  },
  cause:
    'Only a pending authorisation can be authorised or refused, and only a pending or active one can be cancelled.',
  remedy: 'Check the status of the authorisation, or request a new one.',
  detail: (status: string) => ({
    en: `The authorisation is ${status}.`,
    pt: `A autorização está em ${status}.`,
  }),
});
