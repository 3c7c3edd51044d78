export {
  getAdminCreditDecisions,
  getAdminCreditDecisionsId,
  postAdminCreditDecisionsIdApprove,
  postAdminCreditDecisionsIdDecline,
} from './admin-credit-decisions.ts';
export {
  getAdminCreditPolicy,
  getAdminCreditPolicyVersions,
  postAdminCreditPolicyTry,
  putAdminCreditPolicy,
} from './admin-credit-policy.ts';
export { getWalletCredit, postWalletCreditAccept, postWalletCreditReview } from './wallet-credit.ts';
