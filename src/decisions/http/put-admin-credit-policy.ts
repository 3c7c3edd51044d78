import { endpoint } from '#platform/http/endpoint.ts';
import { ETAG_HEADER, ifMatchHeader } from '#platform/http/etag.ts';
import { changeBy, changeProblems } from '#platform/privacy/trail.ts';
import type { Decisions } from '../decisions.ts';
import { PolicyAnswer, PolicyForm } from '../schemas.ts';
import { setPolicy } from '../set-policy.ts';
import { withFigures } from '../show-policies.ts';

export const putAdminCreditPolicy = ({ db, clock, settings: { builtIn } }: Decisions) =>
  endpoint('PUT /admin/credit-policy', {
    access: { scope: 'operator', role: 'finance' },
    id: 'setCreditPolicy',
    summary: 'Set the credit policy',
    description:
      'The policy in force, the shadow, or both: each gets the next version, and the ones before are kept. It counts for decisions ' +
      'from now on; limits that were given stay as they are. All faults are told at once.',
    headers: ifMatchHeader,
    body: PolicyForm,
    answers: { 200: { description: 'What is in force now.', schema: PolicyAnswer, headers: ETAG_HEADER } },
    // Needs approval whatever the amount: a policy affects all limits.
    approval: { kind: 'credit_policy', stake: async () => ({ amount: null, subject: 'credit-policy' }) },
    problems: changeProblems,
    async handler(request, reply) {
      const now = clock.now();
      const { policy, shadow, reason } = request.body;
      const change = changeBy(request, now, reason);
      const context = { change, ifMatch: request.headers['if-match'], builtIn };
      const policies = await db.transaction((tx) => setPolicy(tx, { policy, shadow }, context));
      const { etag, answer } = await withFigures(db, policies, now);
      reply.header('etag', etag);
      return answer;
    },
  });
