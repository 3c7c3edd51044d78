import { defineModule } from '#module';
import { auditTrailList } from './commands/audit-trail.ts';
import { staffCommands } from './commands/staff.ts';
import { deleteAdminStaffId } from './http/delete-admin-staff-id.ts';
import { getAdminAuditTrail } from './http/get-admin-audit-trail.ts';
import { getAdminStaff } from './http/get-admin-staff.ts';
import { getAdminStaffId } from './http/get-admin-staff-id.ts';
import { patchAdminStaffId } from './http/patch-admin-staff-id.ts';
import { postAdminStaff } from './http/post-admin-staff.ts';
import { lastAdmin } from './members.ts';

export const staffModule = defineModule({
  name: 'staff',
  tags: {
    staff: [{ name: 'Staff', description: 'People, their roles, and the trail of what they changed.' }],
  },
  problems: [lastAdmin],
  commands: () => [...staffCommands, auditTrailList],
  open({ db, clock, config }) {
    const staff = { db, clock, mode: config.mode };
    return {
      staff: [
        ...[getAdminStaff(staff), postAdminStaff(staff), getAdminStaffId(staff), patchAdminStaffId(staff)],
        ...[deleteAdminStaffId(staff), getAdminAuditTrail(staff)],
      ],
    };
  },
});
