import { defineModule } from '#module';
import { openEndpoints } from '#platform/http/endpoint.ts';
import { auditTrailList } from './commands/audit-trail.ts';
import { staffCommands } from './commands/staff.ts';
import * as endpoints from './http/index.ts';
import { lastAdmin } from './members.ts';

export const staffModule = defineModule({
  name: 'staff',
  tags: {
    staff: [
      {
        name: 'Staff',
        paths: ['/admin/audit-trail', '/admin/staff'],
        description: 'People, their roles, and the trail of what they changed.',
      },
    ],
  },
  problems: [lastAdmin],
  commands: () => [...staffCommands, auditTrailList],
  open: ({ db, clock, config }) => openEndpoints(endpoints, { db, clock, mode: config.mode }),
});
