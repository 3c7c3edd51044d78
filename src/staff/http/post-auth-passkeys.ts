import { endpoint } from '#platform/http/endpoint.ts';
import { changeBy } from '#platform/privacy/trail.ts';
import { addPasskey } from '../sign-in/factors.ts';
import { factorWrong, sessionNeeded } from '../sign-in/problems.ts';
import { FactorAdded, PasskeyForm } from '../sign-in/schemas.ts';
import { sessionOf } from '../sign-in/sessions.ts';
import type { Staff } from '../staff.ts';

export const postAuthPasskeys = (staff: Staff) =>
  endpoint('POST /auth/passkeys', {
    access: { scope: 'operator', role: 'viewer', isBegunEnough: true },
    id: 'addPasskey',
    summary: 'Add a passkey',
    description: 'What the browser made with the options of `/auth/passkey-options`.',
    body: PasskeyForm,
    answers: { 200: { description: 'It counts.', schema: FactorAdded } },
    problems: [sessionNeeded, factorWrong],
    async handler(request) {
      const at = { memberId: request.caller.personId, sessionId: sessionOf(request) };
      const change = changeBy(request, staff.clock.now());
      return { recovery_codes: await addPasskey(staff, at, request.body, change) };
    },
  });
