import { reportEndpoint } from '../report-endpoint.ts';

export const getAdminReportsAging = reportEndpoint('GET /admin/reports/aging', 'getAgingReport');
