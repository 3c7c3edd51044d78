import { endpoint } from '#platform/http/endpoint.ts';
import { newId } from '#platform/ids.ts';
import { Entered, RoleForm } from '../sign-in/schemas.ts';
import { browserOf, openSession } from '../sign-in/sessions.ts';
import { findPersonNamed } from '../sign-in/store.ts';
import type { Staff } from '../staff.ts';
import { insertMember } from '../store.ts';

/** Not in live mode. */
export const postSandboxSessions = ({ db, clock, mode }: Staff) =>
  endpoint('POST /sandbox/sessions', {
    access: 'open',
    id: 'enterAsRole',
    summary: 'Sign in at the back office as somebody of a role',
    description: 'As a person of its own, who is made at the first time: nobody who was invited.',
    body: RoleForm,
    answers: { 201: { description: 'The session.', schema: Entered } },
    handler(request) {
      const { role } = request.body;
      const now = clock.now();
      return db.transaction(async (tx) => {
        const name = `Demo ${role}`;
        if (!(await findPersonNamed(tx, name, role)))
          await insertMember(tx, { id: newId('stf', now), name, role, created_at: now });
        const person = (await findPersonNamed(tx, name, role))!;
        return openSession(tx, person, { browser: browserOf(request), mode, now, isTrusted: true });
      });
    },
  });
