import { endpoint } from '#platform/http/endpoint.ts';
import { newId } from '#platform/ids.ts';
import { Entered, RoleForm } from '../sign-in/schemas.ts';
import { browserOf, openSession } from '../sign-in/sessions.ts';
import { findPersonByRole } from '../sign-in/store.ts';
import type { Staff } from '../staff.ts';
import { insertMember } from '../store.ts';

/** Not in live mode. */
export const postSandboxSessions = ({ db, clock, mode }: Staff) =>
  endpoint({
    method: 'POST',
    url: '/sandbox/sessions',
    access: 'open',
    id: 'enterAsRole',
    summary: 'Sign in at the back office as somebody of a role',
    body: RoleForm,
    answers: { 201: { description: 'The session.', schema: Entered } },
    handler(request) {
      const { role } = request.body;
      const now = clock.now();
      return db.transaction(async (tx) => {
        const id = newId('stf', now);
        if (!(await findPersonByRole(tx, role)))
          await insertMember(tx, { id, name: `Demo ${role}`, role, created_at: now });
        const person = (await findPersonByRole(tx, role))!;
        return openSession(tx, person, { browser: browserOf(request), mode, now, isTrusted: true });
      });
    },
  });
