import type { Role } from '#platform/http/access.ts';
import { endpoint } from '#platform/http/endpoint.ts';
import { Me } from '../sign-in/schemas.ts';
import { findPerson } from '../sign-in/store.ts';
import type { Staff } from '../staff.ts';

export const getAdminMe = ({ db }: Staff) =>
  endpoint('GET /admin/me', {
    access: { scope: 'operator', role: 'viewer' },
    id: 'getStaffMe',
    summary: 'Whose key or session this is',
    answers: { 200: { description: 'The person.', schema: Me } },
    async handler({ caller }) {
      const found = await findPerson(db, caller.personId);
      const role = caller.role as Role;
      return { id: caller.personId, name: found?.name ?? '', role, email: found?.email ?? null };
    },
  });
