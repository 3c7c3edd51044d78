import { endpoint } from '#platform/http/endpoint.ts';
import { answerReport } from '../answer-report.ts';
import type { Reporting } from '../reports.ts';

export const getAdminReportsAging = (reporting: Reporting) =>
  endpoint('GET /admin/reports/aging', {
    access: { scope: 'operator', role: 'viewer' },
    id: 'getAgingReport',
    ...answerReport('aging', reporting),
  });
