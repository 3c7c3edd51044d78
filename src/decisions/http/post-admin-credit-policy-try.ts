import { endpoint } from '#platform/http/endpoint.ts';
import type { Decisions } from '../decisions.ts';
import { TryAnswer, TryForm } from '../schemas.ts';
import { mustBeSound } from '../set-policy.ts';
import { tryPolicy } from '../try-policy.ts';

export const postAdminCreditPolicyTry = ({ db, clock }: Decisions) =>
  endpoint('POST /admin/credit-policy/try', {
    access: { scope: 'operator', role: 'finance' },
    id: 'tryCreditPolicy',
    summary: 'Try a credit policy on the past',
    description:
      'What it would have decided differently on the last 10,000 decisions, and what those purchases came to. Nothing is changed.',
    body: TryForm,
    answers: { 200: { description: 'What it would have decided.', schema: TryAnswer } },
    async handler(request) {
      const { policy } = request.body;
      mustBeSound({ policy });
      return tryPolicy(db, policy, clock.now());
    },
  });
