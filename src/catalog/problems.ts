import { problem } from '#platform/problem.ts';

export const alreadyExists = problem({
  code: 'already_exists',
  status: 409,
  title: 'There is one already',
  titlePt: 'Já existe',
  cause: 'Something else has this slug or id.',
  remedy: 'Choose another one, or change the one that is there.',
});

export const stillUsed = problem({
  code: 'still_used',
  status: 409,
  title: 'Something still needs it',
  titlePt: 'Ainda está em uso',
  cause: 'Other things in the catalog belong to it.',
  remedy: 'Move or remove those first.',
});
