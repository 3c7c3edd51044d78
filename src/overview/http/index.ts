export { getAdminJobs } from './get-admin-jobs.ts';
export { getAdminNodes } from './get-admin-nodes.ts';
export { getAdminSearch } from './get-admin-search.ts';
export { getAdminSettings } from './get-admin-settings.ts';
export { getAdminToday } from './get-admin-today.ts';
export { postAdminJobsIdRetry } from './post-admin-jobs-id-retry.ts';
