import { endpoint } from '#platform/http/endpoint.ts';
import { changeBy } from '#platform/privacy/trail.ts';
import { addMember } from '../members.ts';
import { MemberForm, NewMember } from '../schemas.ts';
import type { Staff } from '../staff.ts';

export const postAdminStaff = ({ db, clock, mode }: Staff) =>
  endpoint({
    method: 'POST',
    url: '/admin/staff',
    access: { scope: 'operator', role: 'admin' },
    id: 'addStaffMember',
    summary: 'Let a person in',
    description: 'The key is theirs alone: what is done with it is in the trail under their name.',
    body: MemberForm,
    answers: { 201: { description: 'The person, with their key.', schema: NewMember } },
    async handler(request) {
      const change = changeBy(request, clock.now());
      return db.transaction((tx) => addMember(tx, request.body, { ...change, mode }));
    },
  });
