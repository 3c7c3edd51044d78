import { endpoint } from '#platform/http/endpoint.ts';
import { answerReport } from '../answer-report.ts';
import type { Reporting } from '../reports.ts';

export const getAdminReportsWeekly = (reporting: Reporting) =>
  endpoint('GET /admin/reports/weekly', {
    access: { scope: 'operator', role: 'viewer' },
    id: 'getWeeklyReport',
    ...answerReport('weekly', reporting),
  });
