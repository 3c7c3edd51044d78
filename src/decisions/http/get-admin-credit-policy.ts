import { endpoint } from '#platform/http/endpoint.ts';
import { ETAG_HEADER } from '#platform/http/etag.ts';
import type { Decisions } from '../decisions.ts';
import { PolicyAnswer } from '../schemas.ts';
import { showPolicies } from '../show-policies.ts';

export const getAdminCreditPolicy = ({ db, clock, settings }: Decisions) =>
  endpoint('GET /admin/credit-policy', {
    access: { scope: 'operator', role: 'viewer' },
    id: 'getCreditPolicy',
    summary: 'Show the credit policy in force',
    description: 'With the shadow beside it, where there is one, and what that would have decided since.',
    answers: { 200: { description: 'The policy.', schema: PolicyAnswer, headers: ETAG_HEADER } },
    async handler(_request, reply) {
      const { etag, answer } = await showPolicies(db, settings.builtIn, clock.now());
      reply.header('etag', etag);
      return answer;
    },
  });
