import { amountFault, parseReais } from '#core/money.ts';
import { findPersonFacts } from '#customers';
import { endpoint } from '#platform/http/endpoint.ts';
import { ifMatchHeader } from '#platform/http/etag.ts';
import { changeBy, changeProblems } from '#platform/privacy/trail.ts';
import { validationFailed } from '#platform/problem.ts';
import { answerDecision } from '../answer-review.ts';
import type { Decisions } from '../decisions.ts';
import { decisionClosed } from '../problems.ts';
import { ApprovalForm, CreditDecision, ofDecision } from '../schemas.ts';
import { findDecisionCustomer } from '../store.ts';

export const postAdminCreditDecisionsIdApprove = ({ db, clock, events, settings: { builtIn } }: Decisions) =>
  endpoint('POST /admin/credit-decisions/:id/approve', {
    access: { scope: 'operator', role: 'finance' },
    id: 'approveCreditDecision',
    summary: 'Approve what waits for a person',
    description:
      'A sign-up gets the first limit, or the one that is given. A purchase can be accepted by the customer now. With `limit` the customer’s limit is that from now on.',
    ...ofDecision,
    headers: ifMatchHeader,
    body: ApprovalForm,
    bodyOptional: true,
    answers: { 200: { description: 'The decision as it stands.', schema: CreditDecision, etag: true } },
    approval: {
      kind: 'limit',
      async stake({ params: { id }, body }) {
        const amount = body?.limit === undefined ? null : parseReais(body.limit);
        const customerId = amount === null ? undefined : await findDecisionCustomer(db, id);
        if (amount === null || customerId === undefined) return undefined;
        const { limitCents } = await findPersonFacts(db, customerId);
        return amount > limitCents ? { amount, subject: customerId } : undefined;
      },
    },
    problems: [...changeProblems, decisionClosed],
    async handler(request) {
      const { id } = request.params;
      const { limit, reason } = request.body ?? {};
      if (limit !== undefined && parseReais(limit) === null)
        throw validationFailed([{ pointer: '/limit', message: amountFault(limit) }]);
      // The reason is stored in the decision, where an erasure deletes it.
      const change = changeBy(request, clock.now());
      return answerDecision(
        { db, events, builtIn },
        {
          id,
          reason: reason ?? null,
          outcome: 'approved',
          limit: limit === undefined ? null : parseReais(limit),
        },
        { change, ifMatch: request.headers['if-match'] },
      );
    },
  });
