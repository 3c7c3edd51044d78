import { endpoint } from '#platform/http/endpoint.ts';
import { proposeTotp } from '../sign-in/factors.ts';
import { sessionNeeded } from '../sign-in/problems.ts';
import { NewTotp } from '../sign-in/schemas.ts';
import { sessionOf } from '../sign-in/sessions.ts';
import type { Staff } from '../staff.ts';

export const postAuthTotp = (staff: Staff) =>
  endpoint('POST /auth/totp', {
    access: { scope: 'operator', role: 'viewer', isBegunEnough: true },
    id: 'proposeTotp',
    summary: 'Make a secret for one-time codes',
    description: 'It counts once a code of it was sent to `/auth/totp/confirm`.',
    answers: { 200: { description: 'The secret.', schema: NewTotp } },
    problems: [sessionNeeded],
    handler(request) {
      return proposeTotp(staff, { memberId: request.caller.personId, sessionId: sessionOf(request) });
    },
  });
