import { endpoint } from '#platform/http/endpoint.ts';
import { changeBy, recordChange } from '#platform/privacy/trail.ts';
import { lastAdmin, memberSubject, removeMember } from '../members.ts';
import { ofMember } from '../schemas.ts';
import type { Staff } from '../staff.ts';

export const deleteAdminStaffId = ({ db, clock }: Staff) =>
  endpoint('DELETE /admin/staff/:id', {
    access: { scope: 'operator', role: 'admin' },
    id: 'removeStaffMember',
    summary: 'Let a person in no more',
    description: 'Their keys end within a second, on every node. What they did stays in the trail.',
    ...ofMember,
    answers: { 204: { description: 'They are out.' } },
    problems: [lastAdmin],
    async handler(request) {
      const now = clock.now();
      const change = changeBy(request, now);
      const subject = { of: memberSubject, id: request.params.id };
      const member = await db.transaction((tx) =>
        recordChange(tx, change, subject, (before) => removeMember(tx, before, now)),
      );
      if (!member) throw request.notFound();
    },
  });
