import { endpoint } from '#platform/http/endpoint.ts';
import { newId } from '#platform/ids.ts';
import { SandboxSessionForm, SessionOpened } from '../sign-in/schemas.ts';
import { openSession, readBrowser } from '../sign-in/sessions.ts';
import { findOldestCredentialsByName } from '../sign-in/store.ts';
import type { StaffDeps } from '../staff.ts';
import { insertStaffUser } from '../store.ts';

export const postSandboxSessions = ({ db, clock, mode }: StaffDeps) =>
  endpoint('POST /sandbox/sessions', {
    access: 'open',
    id: 'enterAsRole',
    summary: 'Sign in to the back office with a role',
    description: 'Signs in as a demo user of the role, who is created on the first call.',
    body: SandboxSessionForm,
    responses: { 201: { description: 'The session.', schema: SessionOpened } },
    handler(request) {
      const { role } = request.body;
      const now = clock.now();
      return db.transaction(async (tx) => {
        const name = `Demo ${role}`;
        if (!(await findOldestCredentialsByName(tx, name, role)))
          await insertStaffUser(tx, { id: newId('stf', now), name, role, created_at: now });
        const user = (await findOldestCredentialsByName(tx, name, role))!;
        return openSession(tx, user, { browser: readBrowser(request), mode, now, skipsSecondFactor: true });
      });
    },
  });
