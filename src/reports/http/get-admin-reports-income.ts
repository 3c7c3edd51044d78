import { endpoint } from '#platform/http/endpoint.ts';
import { answerReport } from '../answer-report.ts';
import type { Reporting } from '../reports.ts';

export const getAdminReportsIncome = (reporting: Reporting) =>
  endpoint('GET /admin/reports/income', {
    access: { scope: 'operator', role: 'viewer' },
    id: 'getIncomeReport',
    ...answerReport('income', reporting),
  });
