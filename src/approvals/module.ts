import { defineModule } from '#module';
import { openEndpoints } from '#platform/http/endpoint.ts';
import { Approvals } from './approvals.ts';
import { approvalList } from './commands/approval-list.ts';
import * as endpoints from './http/index.ts';
import { approvalsData } from './personal-data.ts';
import { approvalSettings } from './settings.ts';
import { countWaiting } from './store.ts';

export const approvalsModule = defineModule({
  name: 'approvals',
  settings: approvalSettings,
  tags: {
    staff: [
      {
        name: 'Approvals',
        paths: ['/admin/approvals', '/admin/four-eyes'],
        description: 'Acts about much money, which wait for a second person (`FOUR_EYES_AMOUNT`).',
      },
    ],
  },
  personalData: approvalsData,
  commands: () => [approvalList],
  open(deps) {
    const approvals = new Approvals(deps);
    return {
      ...openEndpoints(endpoints, { ...deps, approvals }),
      waiting: { approvals: () => countWaiting(deps.db) },
      door: { hold: (...act) => approvals.hold(...act) },
      housekeeping: (now) => approvals.expire(now),
    };
  },
});
