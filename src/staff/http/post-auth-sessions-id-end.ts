import { endpoint } from '#platform/http/endpoint.ts';
import { sessionNeeded } from '../sign-in/problems.ts';
import { SessionParams } from '../sign-in/schemas.ts';
import { sessionOf } from '../sign-in/sessions.ts';
import { markSessionEnded } from '../sign-in/store.ts';
import type { Staff } from '../staff.ts';

export const postAuthSessionsIdEnd = ({ db, clock }: Staff) =>
  endpoint('POST /auth/sessions/:id/end', {
    access: { scope: 'operator', role: 'viewer' },
    id: 'endStaffSession',
    summary: 'End one of one’s own sessions',
    params: SessionParams,
    notFound: { en: 'No open session has this id.', pt: 'Nenhuma sessão aberta tem este id.' },
    answers: { 204: { description: 'It has ended, on every node.' } },
    problems: [sessionNeeded],
    async handler(request) {
      sessionOf(request);
      const { personId } = request.caller;
      const ended = await db.transaction((tx) =>
        markSessionEnded(tx, personId, request.params.id, clock.now()),
      );
      if (!ended) throw request.notFound();
    },
  });
