export {
  getAdminReportsAging,
  getAdminReportsAutopay,
  getAdminReportsCashback,
  getAdminReportsCohorts,
  getAdminReportsIncome,
  getAdminReportsMerchants,
  getAdminReportsMessages,
  getAdminReportsPix,
  getAdminReportsPortfolio,
  getAdminReportsRefusals,
  getAdminReportsReminders,
  getAdminReportsWeekly,
} from './admin-reports.ts';
