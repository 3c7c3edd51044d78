import { reportEndpoint } from '../report-endpoint.ts';

export const getAdminReportsCohorts = reportEndpoint('GET /admin/reports/cohorts', 'getCohortsReport');
