import { endpoint } from '#platform/http/endpoint.ts';
import { answerReport } from '../answer-report.ts';
import type { Reporting } from '../reports.ts';

export const getAdminReportsCashback = (reporting: Reporting) =>
  endpoint('GET /admin/reports/cashback', {
    access: { scope: 'operator', role: 'viewer' },
    id: 'getCashbackReport',
    ...answerReport('cashback', reporting),
  });
