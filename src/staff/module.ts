import { DAY_MS } from '#core/values/duration.ts';
import { defineModule } from '#module';
import { staffSessionFinder } from '#partners';
import { buildEndpoints } from '#platform/http/endpoint.ts';
import { PasswordHashers } from '#platform/passwords/hashers.ts';
import { staffAdd, staffReset } from './commands/staff.ts';
import * as endpoints from './http/index.ts';
import { postSandboxSessions } from './http/sandbox-sessions.ts';
import { createExportRecorder } from './record-export.ts';
import { type StaffSettings, staffSettings } from './settings.ts';
import { guardProblems } from './sign-in/problems.ts';
import { createSessionFinder, ReplaySessions, replaySessions } from './sign-in/sessions.ts';
import { purgeStaffSessions } from './sign-in/store.ts';
import { merchantMemberNames } from './staff.ts';

const SESSION_RETENTION_MS = 30 * DAY_MS;

export const staffModule = defineModule<StaffSettings>({
  name: 'staff',
  settings: staffSettings,
  tags: {
    staff: [
      {
        name: 'Staff',
        paths: ['/admin/audit-trail', '/admin/me', '/admin/staff'],
        description: 'Staff users, their roles, and the audit trail of their changes.',
      },
      {
        name: 'Signing in',
        paths: ['/auth'],
        description:
          'Sign in to the back office. A session is a credential for the staff API, sent as `Authorization: Bearer`.',
      },
    ],
  },
  guardProblems: { staff: guardProblems },
  commands: ({ settings }) => [staffAdd(settings), staffReset(settings)],
  open({ db, clock, config, vault, settings, provideService, findService }) {
    const { mode } = config;
    // There are few staff users, so one thread is enough.
    const hashers = new PasswordHashers({ threads: 1 });
    const staffDeps = {
      db,
      clock,
      mode,
      vault,
      hashers,
      listMemberNames: findService(merchantMemberNames),
      ...settings,
    };
    const sessions = new ReplaySessions();
    provideService(replaySessions, sessions);
    provideService(staffSessionFinder, createSessionFinder(staffDeps, sessions));
    const { partner: openEndpoints, staff: staffEndpoints } = buildEndpoints(endpoints, staffDeps);
    return {
      // The open endpoints, for users who are not signed in yet, belong to the staff API too.
      staff: [
        ...staffEndpoints,
        ...openEndpoints,
        ...(mode === 'sandbox' ? [postSandboxSessions(staffDeps)] : []),
      ],
      apiServer: { recordExport: createExportRecorder(staffDeps) },
      housekeeping: (now) => purgeStaffSessions(db, new Date(now.getTime() - SESSION_RETENTION_MS)),
      stop: () => hashers.stop(),
    };
  },
});
