import { endpoint } from '#platform/http/endpoint.ts';
import { loginLocked } from '#platform/passwords/problems.ts';
import { changeBy } from '#platform/privacy/trail.ts';
import { confirmTotp } from '../sign-in/factors.ts';
import { factorWrong, sessionNeeded } from '../sign-in/problems.ts';
import { CodeForm, FactorAdded } from '../sign-in/schemas.ts';
import { sessionOf } from '../sign-in/sessions.ts';
import type { Staff } from '../staff.ts';

export const postAuthTotpConfirm = (staff: Staff) =>
  endpoint('POST /auth/totp/confirm', {
    access: { scope: 'operator', role: 'viewer', isBegunEnough: true },
    id: 'confirmTotp',
    summary: 'Use one-time codes from now on',
    body: CodeForm,
    answers: { 200: { description: 'They count.', schema: FactorAdded } },
    problems: [sessionNeeded, factorWrong, loginLocked],
    async handler(request) {
      const at = { memberId: request.caller.personId, sessionId: sessionOf(request) };
      const change = changeBy(request, staff.clock.now());
      return { recovery_codes: await confirmTotp(staff, at, request.body.code, change) };
    },
  });
