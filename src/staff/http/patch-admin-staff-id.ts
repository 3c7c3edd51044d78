import { endpoint } from '#platform/http/endpoint.ts';
import { ifMatchHeader } from '#platform/http/etag.ts';
import { changeBy, changeProblems, recordChange } from '#platform/privacy/trail.ts';
import { changeMember, lastAdmin, memberSubject } from '../members.ts';
import { Member, MemberChange, ofMember } from '../schemas.ts';
import type { Staff } from '../staff.ts';

export const patchAdminStaffId = ({ db, clock }: Staff) =>
  endpoint('PATCH /admin/staff/:id', {
    access: { scope: 'operator', role: 'admin' },
    id: 'changeStaffMember',
    summary: 'Change the name or the role of a person',
    description: 'Takes effect on every node within a second. The last admin keeps the role.',
    ...ofMember,
    headers: ifMatchHeader,
    body: MemberChange,
    answers: { 200: { description: 'The person.', schema: Member, etag: true } },
    problems: [...changeProblems, lastAdmin],
    async handler(request) {
      const change = changeBy(request, clock.now());
      const subject = { of: memberSubject, id: request.params.id, ifMatch: request.headers['if-match'] };
      return db.transaction((tx) =>
        recordChange(tx, change, subject, (before) => changeMember(tx, before, request.body)),
      );
    },
  });
