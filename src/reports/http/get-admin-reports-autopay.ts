import { endpoint } from '#platform/http/endpoint.ts';
import { answerReport } from '../answer-report.ts';
import type { Reporting } from '../reports.ts';

export const getAdminReportsAutopay = (reporting: Reporting) =>
  endpoint('GET /admin/reports/autopay', {
    access: { scope: 'operator', role: 'viewer' },
    id: 'getAutopayReport',
    ...answerReport('autopay', reporting),
  });
