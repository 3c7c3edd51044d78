import { endpoint } from '#platform/http/endpoint.ts';
import { ListOf } from '#platform/http/schemas.ts';
import { sessionNeeded } from '../sign-in/problems.ts';
import { SessionParams, StaffSession } from '../sign-in/schemas.ts';
import { isSessionExpired, oldestSessionStart, requireSessionId } from '../sign-in/sessions.ts';
import { endSession, endSessions, listSessions } from '../sign-in/store.ts';
import type { StaffDeps } from '../staff.ts';

export const getAuthSessions = ({ db, clock }: StaffDeps) =>
  endpoint('GET /auth/sessions', {
    access: { scope: 'operator', role: 'viewer' },
    id: 'listStaffSessions',
    summary: 'List your sessions',
    responses: { 200: { description: 'The sessions, newest first.', schema: ListOf(StaffSession) } },
    problems: [sessionNeeded],
    async handler(request) {
      const current = requireSessionId(request);
      const now = clock.now();
      const rows = await listSessions(db, request.caller.staffUserId, oldestSessionStart(now));
      const data = rows
        .filter((row) => !isSessionExpired(row, now))
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

export const postAuthSessionsEnd = ({ db, clock }: StaffDeps) =>
  endpoint('POST /auth/sessions/end', {
    access: { scope: 'operator', role: 'viewer' },
    id: 'endOtherStaffSessions',
    summary: 'End your other sessions',
    cli: { command: 'auth sessions end-others' },
    responses: { 204: { description: 'All sessions but the current one have ended, on every node.' } },
    problems: [sessionNeeded],
    async handler(request) {
      const current = requireSessionId(request);
      const { staffUserId } = request.caller;
      await db.transaction((tx) => endSessions(tx, staffUserId, clock.now(), { except: current }));
    },
  });

export const postAuthSessionsIdEnd = ({ db, clock }: StaffDeps) =>
  endpoint('POST /auth/sessions/:id/end', {
    access: { scope: 'operator', role: 'viewer' },
    id: 'endStaffSession',
    summary: 'End one of your sessions',
    params: SessionParams,
    notFound: { en: 'No open session has this id.', pt: 'Nenhuma sessão aberta tem este id.' },
    responses: { 204: { description: 'The session has ended, on every node.' } },
    problems: [sessionNeeded],
    async handler(request) {
      requireSessionId(request);
      const { staffUserId } = request.caller;
      const ended = await db.transaction((tx) => endSession(tx, staffUserId, request.params.id, clock.now()));
      if (!ended) throw request.notFound();
    },
  });
