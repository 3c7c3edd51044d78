import { defineModule } from '#module';
import { openEndpoints } from '#platform/http/endpoint.ts';
import { reportCommand } from './commands/report.ts';
import * as endpoints from './http/index.ts';

export const reportsModule = defineModule({
  name: 'reports',
  tags: {
    staff: [
      { name: 'Reports', paths: ['/admin/reports'], description: 'How the business stands, as of any day.' },
    ],
  },
  commands: () => [reportCommand],
  open: (reporting) => openEndpoints(endpoints, reporting),
});
