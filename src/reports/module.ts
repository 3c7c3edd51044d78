import { defineModule } from '#module';
import { reportCommand } from './commands/report.ts';
import { getAdminReportsAging } from './http/get-admin-reports-aging.ts';
import { getAdminReportsCashback } from './http/get-admin-reports-cashback.ts';
import { getAdminReportsIncome } from './http/get-admin-reports-income.ts';
import { getAdminReportsMerchants } from './http/get-admin-reports-merchants.ts';
import { getAdminReportsPix } from './http/get-admin-reports-pix.ts';
import { getAdminReportsPortfolio } from './http/get-admin-reports-portfolio.ts';
import { getAdminReportsWeekly } from './http/get-admin-reports-weekly.ts';

export const reportsModule = defineModule({
  name: 'reports',
  tags: { staff: [{ name: 'Reports', description: 'How the business stands, as of any day.' }] },
  commands: () => [reportCommand],
  open: ({ db, clock }) => ({
    staff: [
      getAdminReportsPortfolio({ db, clock }),
      getAdminReportsAging({ db, clock }),
      getAdminReportsWeekly({ db, clock }),
      getAdminReportsCashback({ db, clock }),
      getAdminReportsMerchants({ db, clock }),
      getAdminReportsIncome({ db, clock }),
      getAdminReportsPix({ db, clock }),
    ],
  }),
});
