export { getAdminReportsAging } from './get-admin-reports-aging.ts';
export { getAdminReportsCashback } from './get-admin-reports-cashback.ts';
export { getAdminReportsCohorts } from './get-admin-reports-cohorts.ts';
export { getAdminReportsIncome } from './get-admin-reports-income.ts';
export { getAdminReportsMerchants } from './get-admin-reports-merchants.ts';
export { getAdminReportsPix } from './get-admin-reports-pix.ts';
export { getAdminReportsPortfolio } from './get-admin-reports-portfolio.ts';
export { getAdminReportsWeekly } from './get-admin-reports-weekly.ts';
