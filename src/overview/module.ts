import { defineModule } from '#module';
import { openEndpoints } from '#platform/http/endpoint.ts';
import * as endpoints from './http/index.ts';
import { openOverview } from './overview.ts';

export const overviewModule = defineModule({
  name: 'overview',
  tags: {
    staff: [
      {
        name: 'Overview',
        paths: ['/admin/search', '/admin/today', '/admin/settings', '/admin/jobs', '/admin/nodes'],
        description: 'Search everywhere, what waits today, the settings in force, nodes and jobs.',
      },
    ],
  },
  open: (deps) => openEndpoints(endpoints, openOverview(deps)),
});
