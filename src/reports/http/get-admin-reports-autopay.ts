import { endpoint } from '#platform/http/endpoint.ts';
import { answerReport } from '../answer-report.ts';
import type { Reporting } from '../reports.ts';

export const getAdminReportsAutopay = (reporting: Reporting) =>
  endpoint({
    method: 'GET',
    url: '/admin/reports/autopay',
    access: { scope: 'operator', role: 'viewer' },
    id: 'getAutopayReport',
    ...answerReport('autopay', reporting),
  });
