import { reportEndpoint } from '../report-endpoint.ts';

export const getAdminReportsWeekly = reportEndpoint('GET /admin/reports/weekly', 'getWeeklyReport');
