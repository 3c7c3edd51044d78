import type { Bilingual } from '#core/bilingual.ts';
import { defineProblem, type Problem, validationFailed } from '#platform/problem.ts';

export const chargeNotPayable = defineProblem({
  code: 'charge_not_payable',
  status: 409,
  title: { en: 'The charge cannot be paid', pt: 'A cobrança não pode ser paga' },
  cause: 'It was paid or removed already.',
  remedy: 'Make a new charge, or send `force: true` to pay as a careless bank would.',
  detail: (status: string) => ({ en: `The charge is ${status}.`, pt: `A cobrança está ${status}.` }),
});

export const chargeExpired = defineProblem({
  code: 'charge_expired',
  status: 409,
  title: { en: 'The charge has expired', pt: 'A cobrança expirou' },
  cause: 'Banks refuse a payment after the charge has expired, though the PSP still calls it active.',
  remedy: 'Make a new charge, send an instant before that in `at`, or send `force: true`.',
  detail: (at: Date) => ({
    en: `The charge could be paid until ${at.toISOString()}.`,
    pt: `A cobrança podia ser paga até ${at.toISOString()}.`,
  }),
});

export const nothingToReverse = defineProblem({
  code: 'nothing_to_reverse',
  status: 409,
  title: { en: 'There is nothing to take back', pt: 'Não há nada a devolver' },
  cause: 'The charge was not paid, or all of the payment has gone back already.',
  remedy: 'Pay the charge first.',
  detail: {
    en: 'Nothing was paid with this txid, or it has gone back already.',
    pt: 'Nada foi pago com este txid, ou o valor já foi devolvido.',
  },
});

export const brCodeUnreadable = defineProblem({
  code: 'br_code_unreadable',
  status: 422,
  title: { en: 'The code cannot be read', pt: 'Não foi possível ler o código' },
  cause: 'The text is not a BR Code: it is cut off, mistyped, or something else.',
  remedy: 'Copy the whole of `br_code`.',
  detail: (reason: string) => ({
    en: `Not a BR Code: ${reason}.`,
    pt: 'O texto não é um BR Code: está cortado, alterado ou é outra coisa.',
  }),
});

/** For checks that a schema cannot express. */
export const wrongField = (name: string, message: Bilingual): Problem =>
  validationFailed([{ pointer: `/${name}`, message }]);

export const autopayNotPossible = defineProblem({
  code: 'autopay_not_possible',
  status: 409,
  title: { en: 'The authorisation is not in such a state', pt: 'A autorização não está nesse estado' },
  cause:
    'Only one that is pending is authorised or refused, and only one that is pending or active is cancelled.',
  remedy: 'Ask for a new one, or look at how this one stands.',
  detail: (status: string) => ({
    en: `The authorisation is ${status}.`,
    pt: `A autorização está em ${status}.`,
  }),
});
