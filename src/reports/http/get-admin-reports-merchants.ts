import { reportEndpoint } from '../report-endpoint.ts';

export const getAdminReportsMerchants = reportEndpoint('GET /admin/reports/merchants', 'getMerchantsReport');
