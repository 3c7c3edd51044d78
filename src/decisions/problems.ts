import { defineProblem } from '#platform/problem.ts';

export const decisionClosed = defineProblem({
  code: 'decision_closed',
  status: 409,
  title: { en: 'The decision waits for nobody', pt: 'A decisão não espera por ninguém' },
  cause: 'It was not for a person to decide, or a person has answered it already.',
  remedy:
    'Read it again: `outcome` says how it stands. A limit is changed with `PATCH /admin/customers/:id`.',
  detail: (outcome: string) => ({
    en: `The decision is '${outcome}' already.`,
    pt: `A decisão já é '${outcome}'.`,
  }),
});

export const nothingOffered = defineProblem({
  code: 'nothing_offered',
  status: 409,
  title: { en: 'No higher limit is offered', pt: 'Não há limite maior oferecido' },
  cause: 'No higher limit was offered, it was accepted already, or it lapsed since something is late.',
  remedy: 'Read `GET /wallet/credit` again: `offered` says what can be accepted.',
  detail: { en: 'No higher limit is offered now.', pt: 'Não há limite maior oferecido agora.' },
});
