export { getAdminJobs, postAdminJobsIdRetry } from './admin-jobs.ts';
export { getAdminNodes, getAdminSearch, getAdminSettings, getAdminToday } from './admin-overview.ts';
