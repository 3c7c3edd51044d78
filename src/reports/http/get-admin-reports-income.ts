import { reportEndpoint } from '../report-endpoint.ts';

export const getAdminReportsIncome = reportEndpoint('GET /admin/reports/income', 'getIncomeReport');
