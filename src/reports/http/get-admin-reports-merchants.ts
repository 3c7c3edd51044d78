import { endpoint } from '#platform/http/endpoint.ts';
import { answerReport } from '../answer-report.ts';
import type { Reporting } from '../reports.ts';

export const getAdminReportsMerchants = (reporting: Reporting) =>
  endpoint('GET /admin/reports/merchants', {
    access: { scope: 'operator', role: 'viewer' },
    id: 'getMerchantsReport',
    ...answerReport('merchants', reporting),
  });
