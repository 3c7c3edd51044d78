import { endpoint } from '#platform/http/endpoint.ts';
import { answerReport } from '../answer-report.ts';
import type { Reporting } from '../reports.ts';

export const getAdminReportsPix = (reporting: Reporting) =>
  endpoint('GET /admin/reports/pix', {
    access: { scope: 'operator', role: 'viewer' },
    id: 'getPixReport',
    ...answerReport('pix', reporting),
  });
