import { DAY_MS } from '#core/duration.ts';
import { defineModule } from '#module';
import { staffSessions } from '#partners';
import { openEndpoints } from '#platform/http/endpoint.ts';
import { Hashers } from '#platform/passwords/hashers.ts';
import { auditTrailList } from './commands/audit-trail.ts';
import { staffCommands } from './commands/staff.ts';
import * as endpoints from './http/index.ts';
import { postSandboxSessions } from './http/post-sandbox-sessions.ts';
import { memberNames } from './render-trail.ts';
import { type StaffSettings, staffSettings } from './settings.ts';
import { guardProblems } from './sign-in/problems.ts';
import { sessionFinder } from './sign-in/sessions.ts';
import { purgeStaffSessions } from './sign-in/store.ts';

const KEPT_MS = 30 * DAY_MS;

export const staffModule = defineModule<StaffSettings>({
  name: 'staff',
  settings: staffSettings,
  tags: {
    staff: [
      {
        name: 'Staff',
        paths: ['/admin/audit-trail', '/admin/me', '/admin/staff'],
        description: 'People, their roles, and the trail of what they changed.',
      },
      {
        name: 'Signing in',
        paths: ['/auth'],
        description:
          'How people sign in at the back office. A session is a credential of this door, sent as `Authorization: Bearer`.',
      },
    ],
  },
  guardProblems: { staff: guardProblems },
  commands: ({ settings }) => [...staffCommands(settings), auditTrailList],
  open({ db, clock, config, vault, settings, provide, find }) {
    const { mode } = config;
    // Few people work here: one thread is enough.
    const hashers = new Hashers({ threads: 1 });
    const staff = { db, clock, mode, vault, hashers, listMembers: find(memberNames), ...settings };
    provide(staffSessions, sessionFinder(staff));
    const { front, staff: guarded } = openEndpoints(endpoints, staff);
    return {
      // What needs no key is for who has none yet; it is at this door as well.
      staff: [...guarded, ...front, ...(mode === 'sandbox' ? [postSandboxSessions(staff)] : [])],
      housekeeping: (now) => purgeStaffSessions(db, new Date(now.getTime() - KEPT_MS)),
      stop: () => hashers.stop(),
    };
  },
});
