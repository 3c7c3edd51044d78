import { endpoint } from '#platform/http/endpoint.ts';
import { sessionNeeded } from '../sign-in/problems.ts';
import { sessionOf } from '../sign-in/sessions.ts';
import { markSessionEnded } from '../sign-in/store.ts';
import type { Staff } from '../staff.ts';

export const postAuthLogout = ({ db, clock }: Staff) =>
  endpoint('POST /auth/logout', {
    access: { scope: 'operator', role: 'viewer', isBegunEnough: true },
    id: 'signOutStaff',
    summary: 'End the session that this call is made with',
    answers: { 204: { description: 'It has ended, on every node.' } },
    problems: [sessionNeeded],
    async handler(request) {
      const id = sessionOf(request);
      await db.transaction((tx) => markSessionEnded(tx, request.caller.personId, id, clock.now()));
    },
  });
