import { type Problem, type ProblemMaker, problem, validationFailed } from '#platform/problem.ts';

export const chargeNotPayable = problem({
  code: 'charge_not_payable',
  status: 409,
  title: 'The charge cannot be paid',
  titlePt: 'A cobrança não pode ser paga',
  cause: 'It was paid or removed already.',
  remedy: 'Make a new charge, or send `force: true` to pay as a careless bank would.',
});

export const chargeExpired = problem({
  code: 'charge_expired',
  status: 409,
  title: 'The charge has expired',
  titlePt: 'A cobrança expirou',
  cause: 'Banks refuse a payment after the charge has expired, though the PSP still calls it active.',
  remedy: 'Make a new charge, send an instant before that in `at`, or send `force: true`.',
});

export const nothingToReverse = problem({
  code: 'nothing_to_reverse',
  status: 409,
  title: 'There is nothing to take back',
  titlePt: 'Não há nada a devolver',
  cause: 'The charge was not paid, or all of the payment has gone back already.',
  remedy: 'Pay the charge first.',
});

export const brCodeUnreadable = problem({
  code: 'br_code_unreadable',
  status: 422,
  title: 'The code cannot be read',
  titlePt: 'Não foi possível ler o código',
  cause: 'The text is not a BR Code: it is cut off, mistyped, or something else.',
  remedy: 'Copy the whole of `br_code`.',
});

/** What a schema cannot know. */
export const wrongField = (name: string, message: string): Problem =>
  validationFailed('A fault in the body.', { errors: [{ pointer: `/${name}`, message }] });

export const pspSimulatorProblems: ProblemMaker[] = [
  chargeNotPayable,
  chargeExpired,
  nothingToReverse,
  brCodeUnreadable,
];
