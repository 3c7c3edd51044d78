import { reportEndpoint } from '../report-endpoint.ts';

export const getAdminReportsMessages = reportEndpoint('GET /admin/reports/messages', 'getMessagesReport');
