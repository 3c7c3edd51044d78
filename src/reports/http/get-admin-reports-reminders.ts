import { endpoint } from '#platform/http/endpoint.ts';
import { answerReport } from '../answer-report.ts';
import type { Reporting } from '../reports.ts';

export const getAdminReportsReminders = (reporting: Reporting) =>
  endpoint('GET /admin/reports/reminders', {
    access: { scope: 'operator', role: 'viewer' },
    id: 'getRemindersReport',
    ...answerReport('reminders', reporting),
  });
