import { reportEndpoint } from '../report-endpoint.ts';

export const getAdminReportsPix = reportEndpoint('GET /admin/reports/pix', 'getPixReport');
