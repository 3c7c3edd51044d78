import { endpoint } from '#platform/http/endpoint.ts';
import { ifMatchHeader } from '#platform/http/etag.ts';
import { changeBy, changeProblems } from '#platform/privacy/trail.ts';
import { answerDecision } from '../answer-review.ts';
import type { Decisions } from '../decisions.ts';
import { decisionClosed } from '../problems.ts';
import { CreditDecision, ofDecision, RefusalForm } from '../schemas.ts';

export const postAdminCreditDecisionsIdDecline = ({ db, clock, events, settings: { builtIn } }: Decisions) =>
  endpoint('POST /admin/credit-decisions/:id/decline', {
    access: { scope: 'operator', role: 'finance' },
    id: 'declineCreditDecision',
    summary: 'Decline what waits for a person',
    description: 'The customer reads the reason. Limits stay as they are.',
    ...ofDecision,
    headers: ifMatchHeader,
    body: RefusalForm,
    answers: { 200: { description: 'The decision as it stands.', schema: CreditDecision, etag: true } },
    problems: [...changeProblems, decisionClosed],
    handler: (request) =>
      answerDecision(
        { db, events, builtIn },
        { id: request.params.id, reason: request.body.reason, outcome: 'declined' },
        // The reason is stored in the decision, where an erasure deletes it.
        { change: changeBy(request, clock.now()), ifMatch: request.headers['if-match'] },
      ),
  });
