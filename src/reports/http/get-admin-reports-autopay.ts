import { reportEndpoint } from '../report-endpoint.ts';

export const getAdminReportsAutopay = reportEndpoint('GET /admin/reports/autopay', 'getAutopayReport');
