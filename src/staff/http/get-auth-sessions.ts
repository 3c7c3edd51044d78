import { endpoint } from '#platform/http/endpoint.ts';
import { ListOf } from '#platform/http/schemas.ts';
import { sessionNeeded } from '../sign-in/problems.ts';
import { StaffSession } from '../sign-in/schemas.ts';
import { isSessionOld, sessionOf, sessionsSince } from '../sign-in/sessions.ts';
import { listSessions } from '../sign-in/store.ts';
import type { Staff } from '../staff.ts';

export const getAuthSessions = ({ db, clock }: Staff) =>
  endpoint('GET /auth/sessions', {
    access: { scope: 'operator', role: 'viewer' },
    id: 'listStaffSessions',
    summary: 'The sessions of who is signed in',
    answers: { 200: { description: 'Newest first.', schema: ListOf(StaffSession) } },
    problems: [sessionNeeded],
    async handler(request) {
      const current = sessionOf(request);
      const now = clock.now();
      const rows = await listSessions(db, request.caller.personId, sessionsSince(now));
      const data = rows
        .filter((row) => !isSessionOld(row, now))
        .map(({ id, created_at, seen_at, address, agent }) => ({
          id,
          created_at: created_at.toISOString(),
          seen_at: seen_at.toISOString(),
          address,
          agent,
          is_current: id === current,
        }));
      return { data };
    },
  });
