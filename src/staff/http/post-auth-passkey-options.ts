import { endpoint } from '#platform/http/endpoint.ts';
import { passkeyOptions } from '../sign-in/factors.ts';
import { sessionNeeded } from '../sign-in/problems.ts';
import { PasskeyOptions, PasskeyOptionsForm } from '../sign-in/schemas.ts';
import { sessionOf } from '../sign-in/sessions.ts';
import type { Staff } from '../staff.ts';

export const postAuthPasskeyOptions = (staff: Staff) =>
  endpoint('POST /auth/passkey-options', {
    access: { scope: 'operator', role: 'viewer', isBegunEnough: true },
    id: 'askForPasskey',
    summary: 'What a browser needs to give a passkey, or to make one',
    body: PasskeyOptionsForm,
    answers: {
      200: { description: 'The options, with a challenge that counts once.', schema: PasskeyOptions },
    },
    problems: [sessionNeeded],
    async handler(request) {
      const at = { memberId: request.caller.personId, sessionId: sessionOf(request) };
      return { options: await passkeyOptions(staff, at, request.body.purpose) };
    },
  });
