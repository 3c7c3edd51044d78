import { endpoint } from '#platform/http/endpoint.ts';
import { changeBy } from '#platform/privacy/trail.ts';
import { addMember } from '../members.ts';
import { MemberForm, NewMember } from '../schemas.ts';
import type { Staff } from '../staff.ts';

export const postAdminStaff = (staff: Staff) =>
  endpoint({
    method: 'POST',
    url: '/admin/staff',
    access: { scope: 'operator', role: 'admin' },
    id: 'addStaffMember',
    summary: 'Let a person in',
    description:
      'The key is theirs alone: what is done with it is in the trail under their name. With `invite_url` they sign in at the back office; it works once, for 48 hours.',
    body: MemberForm,
    answers: { 201: { description: 'The person, with their key and invitation.', schema: NewMember } },
    async handler(request) {
      const change = changeBy(request, staff.clock.now());
      return staff.db.transaction((tx) => addMember(tx, request.body, staff, change));
    },
  });
