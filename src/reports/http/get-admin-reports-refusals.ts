import { endpoint } from '#platform/http/endpoint.ts';
import { answerReport } from '../answer-report.ts';
import type { Reporting } from '../reports.ts';

export const getAdminReportsRefusals = (reporting: Reporting) =>
  endpoint('GET /admin/reports/refusals', {
    access: { scope: 'operator', role: 'viewer' },
    id: 'getRefusalsReport',
    ...answerReport('refusals', reporting),
  });
