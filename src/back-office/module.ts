import { defineModule } from '#module';
import { buildEndpoints } from '#platform/http/endpoint.ts';
import * as endpoints from './http/index.ts';
import { notesPersonalData } from './notes.ts';
import * as overviewEndpoints from './overview/http/admin-overview.ts';
import { createOverviewDeps } from './overview/overview.ts';
import { reportEndpoints } from './reports/http/admin-reports.ts';

export const backOfficeModule = defineModule({
  name: 'back-office',
  tags: {
    staff: [
      {
        name: 'Reports',
        paths: ['/admin/reports'],
        description: 'Reports about the business as of any day.',
      },
      {
        name: 'Overview',
        paths: ['/admin/search', '/admin/today', '/admin/settings', '/admin/jobs', '/admin/nodes'],
        description: 'Search, pending work, effective settings, nodes and jobs.',
      },
    ],
  },
  personalData: notesPersonalData,
  open(deps) {
    const builtEndpoints = [
      buildEndpoints(reportEndpoints, deps),
      buildEndpoints(overviewEndpoints, createOverviewDeps(deps)),
      buildEndpoints(endpoints, deps),
    ];
    return { partner: [], staff: builtEndpoints.flatMap(({ staff }) => staff) };
  },
});
