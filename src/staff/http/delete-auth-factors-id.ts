import { endpoint } from '#platform/http/endpoint.ts';
import { changeBy } from '#platform/privacy/trail.ts';
import { removeFactor } from '../sign-in/factors.ts';
import { lastFactor, sessionNeeded } from '../sign-in/problems.ts';
import { FactorParams } from '../sign-in/schemas.ts';
import { sessionOf } from '../sign-in/sessions.ts';
import type { Staff } from '../staff.ts';

export const deleteAuthFactorsId = (staff: Staff) =>
  endpoint('DELETE /auth/factors/:id', {
    access: { scope: 'operator', role: 'viewer' },
    id: 'removeFactor',
    summary: 'Remove a second factor of one’s own',
    description: 'In live mode the last one stays.',
    params: FactorParams,
    notFound: { en: 'There is no such second factor.', pt: 'Não há este segundo fator.' },
    answers: { 204: { description: 'It no longer counts.' } },
    problems: [sessionNeeded, lastFactor],
    async handler(request) {
      const at = { memberId: request.caller.personId, sessionId: sessionOf(request) };
      const change = changeBy(request, staff.clock.now());
      if (!(await removeFactor(staff, at, request.params.id, change))) throw request.notFound();
    },
  });
