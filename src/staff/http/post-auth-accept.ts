import { endpoint } from '#platform/http/endpoint.ts';
import { passwordTooCommon } from '#platform/passwords/problems.ts';
import { acceptInvitation } from '../sign-in/invite.ts';
import { emailTaken, inviteExpired } from '../sign-in/problems.ts';
import { AcceptForm, Entered } from '../sign-in/schemas.ts';
import { browserOf } from '../sign-in/sessions.ts';
import type { Staff } from '../staff.ts';

export const postAuthAccept = (staff: Staff) =>
  endpoint('POST /auth/accept', {
    access: 'open',
    id: 'acceptInvitation',
    summary: 'Accept an invitation: choose e-mail and password',
    description: 'A second factor follows; in live mode nothing else can be done before.',
    body: AcceptForm,
    answers: { 200: { description: 'The session.', schema: Entered } },
    problems: [inviteExpired, emailTaken, passwordTooCommon],
    handler: (request) =>
      acceptInvitation(staff, request.body, { browser: browserOf(request), requestId: request.id }),
  });
