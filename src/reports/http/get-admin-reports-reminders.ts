import { reportEndpoint } from '../report-endpoint.ts';

export const getAdminReportsReminders = reportEndpoint('GET /admin/reports/reminders', 'getRemindersReport');
