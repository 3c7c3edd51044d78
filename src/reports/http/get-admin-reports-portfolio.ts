import { endpoint } from '#platform/http/endpoint.ts';
import { answerReport } from '../answer-report.ts';
import type { Reporting } from '../reports.ts';

export const getAdminReportsPortfolio = (reporting: Reporting) =>
  endpoint('GET /admin/reports/portfolio', {
    access: { scope: 'operator', role: 'viewer' },
    id: 'getPortfolioReport',
    ...answerReport('portfolio', reporting),
  });
