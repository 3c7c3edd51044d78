import { reportEndpoint } from '../report-endpoint.ts';

export const getAdminReportsRefusals = reportEndpoint('GET /admin/reports/refusals', 'getRefusalsReport');
