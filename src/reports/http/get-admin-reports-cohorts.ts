import { endpoint } from '#platform/http/endpoint.ts';
import { answerReport } from '../answer-report.ts';
import type { Reporting } from '../reports.ts';

export const getAdminReportsCohorts = (reporting: Reporting) =>
  endpoint('GET /admin/reports/cohorts', {
    access: { scope: 'operator', role: 'viewer' },
    id: 'getCohortsReport',
    ...answerReport('cohorts', reporting),
  });
