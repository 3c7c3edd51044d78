import { endpoint } from '#platform/http/endpoint.ts';
import { answerReport } from '../answer-report.ts';
import type { Reporting } from '../reports.ts';

export const getAdminReportsMessages = (reporting: Reporting) =>
  endpoint('GET /admin/reports/messages', {
    access: { scope: 'operator', role: 'viewer' },
    id: 'getMessagesReport',
    ...answerReport('messages', reporting),
  });
