export {
  getAdminApprovals,
  getAdminApprovalsId,
  postAdminApprovalsIdApprove,
  postAdminApprovalsIdRefuse,
} from './admin-approvals.ts';
export { getAdminFourEyes } from './admin-four-eyes.ts';
