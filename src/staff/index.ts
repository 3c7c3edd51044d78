export { merchantMemberNames } from './staff.ts';
export { ensureStaffUser } from './staff-users.ts';
export { listStaffNames } from './store.ts';
