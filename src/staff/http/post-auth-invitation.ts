import { endpoint } from '#platform/http/endpoint.ts';
import { findInvitation } from '../sign-in/invite.ts';
import { inviteExpired } from '../sign-in/problems.ts';
import { Invitation, InvitationForm } from '../sign-in/schemas.ts';
import type { Staff } from '../staff.ts';

export const postAuthInvitation = (staff: Staff) =>
  endpoint('POST /auth/invitation', {
    access: 'open',
    id: 'readInvitation',
    summary: 'Show whom an invitation is for',
    description: 'Changes nothing. The token is in the body, so that it is in no log of addresses.',
    body: InvitationForm,
    answers: { 200: { description: 'Whom it is for.', schema: Invitation } },
    problems: [inviteExpired],
    async handler(request) {
      const { name, role, email, invite_expires_at } = await findInvitation(staff, request.body.token);
      return { name, role, email, expires_at: invite_expires_at!.toISOString() };
    },
  });
