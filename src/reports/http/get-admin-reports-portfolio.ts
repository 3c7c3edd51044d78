import { reportEndpoint } from '../report-endpoint.ts';

export const getAdminReportsPortfolio = reportEndpoint('GET /admin/reports/portfolio', 'getPortfolioReport');
