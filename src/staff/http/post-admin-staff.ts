import { endpoint } from '#platform/http/endpoint.ts';
import { createOnce, idempotency } from '#platform/http/idempotency.ts';
import { changeBy } from '#platform/privacy/trail.ts';
import { addMember } from '../members.ts';
import { MemberForm, NewMember } from '../schemas.ts';
import type { Staff } from '../staff.ts';

export const postAdminStaff = (staff: Staff) =>
  endpoint('POST /admin/staff', {
    access: { scope: 'operator', role: 'admin' },
    id: 'addStaffMember',
    summary: 'Let a person in',
    description:
      'The key is theirs alone: what is done with it is in the trail under their name. With `invite_url` they sign in at the back office; it works once, for 48 hours.',
    headers: idempotency.header,
    body: MemberForm,
    answers: {
      201: {
        description: 'The person, with their key and invitation.',
        schema: NewMember,
        headers: idempotency.replayed,
      },
    },
    problems: idempotency.problems,
    async handler(request, reply) {
      const now = staff.clock.now();
      const change = changeBy(request, now);
      return createOnce(staff.db, { request, reply, now }, (tx) =>
        addMember(tx, request.body, staff, change),
      );
    },
  });
