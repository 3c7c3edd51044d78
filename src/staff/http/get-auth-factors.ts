import { endpoint } from '#platform/http/endpoint.ts';
import { listFactors } from '../sign-in/factors.ts';
import { sessionNeeded } from '../sign-in/problems.ts';
import { Factors } from '../sign-in/schemas.ts';
import { sessionOf } from '../sign-in/sessions.ts';
import type { Staff } from '../staff.ts';

export const getAuthFactors = (staff: Staff) =>
  endpoint('GET /auth/factors', {
    access: { scope: 'operator', role: 'viewer', isBegunEnough: true },
    id: 'listFactors',
    summary: 'The second factors of who is signed in',
    answers: { 200: { description: 'The factors.', schema: Factors } },
    problems: [sessionNeeded],
    handler(request) {
      sessionOf(request);
      return listFactors(staff, request.caller.personId);
    },
  });
