import { defineReportEndpoint } from '../report-endpoint.ts';

export const getAdminReportsAging = defineReportEndpoint('GET /admin/reports/aging', 'getAgingReport');

export const getAdminReportsAutopay = defineReportEndpoint('GET /admin/reports/autopay', 'getAutopayReport');

export const getAdminReportsCashback = defineReportEndpoint(
  'GET /admin/reports/cashback',
  'getCashbackReport',
);

export const getAdminReportsCohorts = defineReportEndpoint('GET /admin/reports/cohorts', 'getCohortsReport');

export const getAdminReportsIncome = defineReportEndpoint('GET /admin/reports/income', 'getIncomeReport');

export const getAdminReportsMerchants = defineReportEndpoint(
  'GET /admin/reports/merchants',
  'getMerchantsReport',
);

export const getAdminReportsMessages = defineReportEndpoint(
  'GET /admin/reports/messages',
  'getMessagesReport',
);

export const getAdminReportsPix = defineReportEndpoint('GET /admin/reports/pix', 'getPixReport');

export const getAdminReportsPortfolio = defineReportEndpoint(
  'GET /admin/reports/portfolio',
  'getPortfolioReport',
);

export const getAdminReportsRefusals = defineReportEndpoint(
  'GET /admin/reports/refusals',
  'getRefusalsReport',
);

export const getAdminReportsReminders = defineReportEndpoint(
  'GET /admin/reports/reminders',
  'getRemindersReport',
);

export const getAdminReportsWeekly = defineReportEndpoint('GET /admin/reports/weekly', 'getWeeklyReport');
