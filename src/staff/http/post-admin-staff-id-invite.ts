import { endpoint } from '#platform/http/endpoint.ts';
import { changeBy, recordChange } from '#platform/privacy/trail.ts';
import { memberSubject } from '../members.ts';
import { Invited, ofMember } from '../schemas.ts';
import { invite } from '../sign-in/invite.ts';
import type { Staff } from '../staff.ts';

export const postAdminStaffIdInvite = (staff: Staff) =>
  endpoint('POST /admin/staff/:id/invite', {
    access: { scope: 'operator', role: 'admin' },
    id: 'inviteStaffMember',
    summary: 'Invite a person to the back office, again',
    description:
      'For who has lost password or second factor: both are removed, and sessions end. Keys stay. The address works once, for 48 hours.',
    ...ofMember,
    answers: { 201: { description: 'The invitation.', schema: Invited } },
    async handler(request) {
      const now = staff.clock.now();
      const change = changeBy(request, now);
      return staff.db.transaction(async (tx) => {
        let invited: Awaited<ReturnType<typeof invite>> | undefined;
        const subject = { of: memberSubject, id: request.params.id };
        const member = await recordChange(tx, change, subject, async (before) => {
          if (before.removed_at === null) invited = await invite(tx, staff, before.id, now);
        });
        return member && invited;
      });
    },
  });
