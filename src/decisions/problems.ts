import { defineProblem } from '#platform/problem.ts';

const PORTUGUESE_OUTCOMES: Record<string, string> = {
  approved: 'aprovada',
  declined: 'recusada',
  review: 'em análise',
};

export const decisionClosed = defineProblem({
  code: 'decision_closed',
  status: 409,
  title: { en: 'The decision is not pending', pt: 'A decisão não espera por ninguém' },
  cause: 'The decision did not need a review, or a reviewer has already answered it.',
  remedy:
    'Read the decision again: `outcome` is its current state. To change a limit, use `PATCH /admin/customers/:id`.',
  detail: (outcome: string) => ({
    en: `The outcome of the decision is already '${outcome}'.`,
    pt: `A decisão já foi tomada: ${PORTUGUESE_OUTCOMES[outcome] ?? outcome}.`,
  }),
});

export const nothingOffered = defineProblem({
  code: 'nothing_offered',
  status: 409,
  title: { en: 'No higher limit is offered', pt: 'Não há limite maior oferecido' },
  cause:
    'No higher limit was offered, it was already accepted, or it lapsed because an installment is overdue.',
  remedy: 'Read `GET /wallet/credit` again: `offered` is the limit that can be accepted.',
});
