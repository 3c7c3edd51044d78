export { getAdminApprovals } from './get-admin-approvals.ts';
export { getAdminApprovalsId } from './get-admin-approvals-id.ts';
export { getAdminFourEyes } from './get-admin-four-eyes.ts';
export { postAdminApprovalsIdApprove } from './post-admin-approvals-id-approve.ts';
export { postAdminApprovalsIdRefuse } from './post-admin-approvals-id-refuse.ts';
