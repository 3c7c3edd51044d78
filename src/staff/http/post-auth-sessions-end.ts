import { endpoint } from '#platform/http/endpoint.ts';
import { sessionNeeded } from '../sign-in/problems.ts';
import { sessionOf } from '../sign-in/sessions.ts';
import { markSessionsEnded } from '../sign-in/store.ts';
import type { Staff } from '../staff.ts';

export const postAuthSessionsEnd = ({ db, clock }: Staff) =>
  endpoint('POST /auth/sessions/end', {
    access: { scope: 'operator', role: 'viewer' },
    id: 'endOtherStaffSessions',
    summary: 'End all sessions of one’s own but this one',
    answers: { 204: { description: 'They have ended, on every node.' } },
    problems: [sessionNeeded],
    async handler(request) {
      const current = sessionOf(request);
      const { personId } = request.caller;
      await db.transaction((tx) => markSessionsEnded(tx, personId, current, clock.now()));
    },
  });
