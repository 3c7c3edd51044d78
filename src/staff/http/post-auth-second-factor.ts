import { endpoint } from '#platform/http/endpoint.ts';
import { loginLocked } from '#platform/passwords/problems.ts';
import { proveFactor } from '../sign-in/factors.ts';
import { factorWrong, sessionNeeded } from '../sign-in/problems.ts';
import { FactorForm, Proven } from '../sign-in/schemas.ts';
import { sessionOf } from '../sign-in/sessions.ts';
import type { Staff } from '../staff.ts';

export const postAuthSecondFactor = (staff: Staff) =>
  endpoint('POST /auth/second-factor', {
    access: { scope: 'operator', role: 'viewer', isBegunEnough: true },
    id: 'giveSecondFactor',
    summary: 'Give the second factor: a one-time code, a passkey, or a recovery code',
    body: FactorForm,
    answers: { 200: { description: 'The session is complete.', schema: Proven } },
    problems: [sessionNeeded, factorWrong, loginLocked],
    async handler(request) {
      const at = { memberId: request.caller.personId, sessionId: sessionOf(request) };
      await proveFactor(staff, at, request.body);
      return { next: 'done' as const };
    },
  });
