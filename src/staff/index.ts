export { merchantMemberNames } from './render-audit-trail.ts';
export { ensureStaffUser } from './staff-users.ts';
export { listStaffNames } from './store.ts';
