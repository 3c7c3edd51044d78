export { REPORTS } from './reports.ts';
export { AgingReport, WeeklyReport } from './schemas.ts';
