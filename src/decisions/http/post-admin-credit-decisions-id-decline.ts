import { customerTransaction } from '#platform/database/customer-transaction.ts';
import { endpoint } from '#platform/http/endpoint.ts';
import { changeBy, changeProblems, ifMatchHeader, recordChange } from '#platform/privacy/trail.ts';
import { answerReview, decisionSubject } from '../answer-review.ts';
import type { Decisions } from '../decisions.ts';
import { decisionClosed, NO_DECISION } from '../problems.ts';
import { CreditDecision, DecisionParams, RefusalForm } from '../schemas.ts';
import { findDecisionCustomer } from '../store.ts';

export const postAdminCreditDecisionsIdDecline = ({ db, clock, events, settings: { builtIn } }: Decisions) =>
  endpoint({
    method: 'POST',
    url: '/admin/credit-decisions/:id/decline',
    access: { scope: 'operator', role: 'finance' },
    id: 'declineCreditDecision',
    summary: 'Decline what waits for a person',
    description: 'The customer reads the reason. Limits stay as they are.',
    params: DecisionParams,
    notFound: NO_DECISION,
    headers: ifMatchHeader,
    body: RefusalForm,

    answers: { 200: { description: 'The decision as it stands.', schema: CreditDecision, etag: true } },
    problems: [...changeProblems, decisionClosed],
    async handler(request) {
      const { id } = request.params;
      const { reason } = request.body;

      const customerId = await findDecisionCustomer(db, id);
      if (customerId === undefined) throw request.notFound();
      const now = clock.now();
      // The reason is in the decision, which an erasure reaches.
      const change = changeBy(request, now);
      const subject = { of: decisionSubject(customerId), id, ifMatch: request.headers['if-match'] };
      const answer = {
        customerId,
        id,
        by: change.actor.id,
        reason: reason ?? null,
        outcome: 'declined',
      } as const;
      return customerTransaction(db, customerId, (tx) =>
        recordChange(tx, change, subject, () => answerReview(tx, answer, { events, now, builtIn })),
      );
    },
  });
