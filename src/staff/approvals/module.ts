import { defineModule } from '#module';
import { buildEndpoints } from '#platform/http/endpoint.ts';
import { Problem } from '#platform/problem.ts';
import { replaySessions } from '../sign-in/sessions.ts';
import { Approvals } from './approvals.ts';
import * as endpoints from './http/admin-approvals.ts';
import { approvalsData } from './personal-data.ts';
import { renderApproval } from './render.ts';
import { approvalSettings } from './settings.ts';
import { countPendingApprovals, findPendingApproval } from './store.ts';

export const approvalsModule = defineModule({
  name: 'approvals',
  settings: approvalSettings,
  tags: {
    staff: [
      {
        name: 'Approvals',
        paths: ['/admin/approvals', '/admin/four-eyes'],
        description: 'Actions above `FOUR_EYES_AMOUNT`, which require the approval of a second person.',
      },
    ],
  },
  personalData: approvalsData,
  open(deps) {
    const approvals = new Approvals({ ...deps, replaySessions: deps.findService(replaySessions)! });
    return {
      ...buildEndpoints(endpoints, { ...deps, approvals }),
      pendingWork: { approvals: () => countPendingApprovals(deps.db) },
      apiServer: {
        holdForApproval: (...args) => approvals.holdForApproval(...args),
        findPendingApproval: async (subject, role) => {
          const row = await findPendingApproval(deps.db, subject);
          return row && renderApproval(deps.db, row, role);
        },
      },
      tasks: { perform_approved_act: async ({ id }) => performInJob(approvals, id) },
      housekeeping: (now) => approvals.expireUndecided(now),
      start: async ({ injectStaff }) => approvals.start(injectStaff),
    };
  },
});

/** A problem is recorded as the outcome of the approval; it does not fail the job. */
async function performInJob(approvals: Approvals, id: string): Promise<void> {
  try {
    await approvals.perform(id);
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
  }
}
