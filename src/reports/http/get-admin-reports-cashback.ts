import { reportEndpoint } from '../report-endpoint.ts';

export const getAdminReportsCashback = reportEndpoint('GET /admin/reports/cashback', 'getCashbackReport');
