export { deleteAdminStaffId } from './delete-admin-staff-id.ts';
export { getAdminAuditTrail } from './get-admin-audit-trail.ts';
export { getAdminStaff } from './get-admin-staff.ts';
export { getAdminStaffId } from './get-admin-staff-id.ts';
export { patchAdminStaffId } from './patch-admin-staff-id.ts';
export { postAdminStaff } from './post-admin-staff.ts';
