// Made by 'npm run generate' from openapi.json.

export const operations = {
  listAgreements: { method: 'GET', path: '/admin/agreements', role: 'viewer', sorted: true },
  publishAgreement: { method: 'POST', path: '/admin/agreements', role: 'admin' },
  listApprovals: { method: 'GET', path: '/admin/approvals', role: 'viewer', sorted: true },
  getApproval: { method: 'GET', path: '/admin/approvals/{id}', role: 'viewer' },
  approveAct: { method: 'POST', path: '/admin/approvals/{id}/approve', role: 'finance' },
  refuseAct: { method: 'POST', path: '/admin/approvals/{id}/refuse', role: 'finance' },
  listAuditTrail: { method: 'GET', path: '/admin/audit-trail', role: 'viewer', sorted: true },
  listAutopay: { method: 'GET', path: '/admin/autopay', role: 'viewer', sorted: true },
  listDebits: { method: 'GET', path: '/admin/autopay/debits', role: 'viewer', sorted: true },
  listCashbackOfAll: { method: 'GET', path: '/admin/cashback', role: 'viewer', sorted: true },
  getCashbackOfCustomer: { method: 'GET', path: '/admin/cashback/{id}', role: 'viewer' },
  adjustCashback: { method: 'POST', path: '/admin/cashback/{id}/adjust', idempotent: true, role: 'finance' },
  listCategoryForStaff: { method: 'GET', path: '/admin/categories', role: 'viewer' },
  createCategory: { method: 'POST', path: '/admin/categories', idempotent: true, role: 'content' },
  getCategoryForStaff: { method: 'GET', path: '/admin/categories/{slug}', role: 'viewer' },
  changeCategory: { method: 'PATCH', path: '/admin/categories/{slug}', role: 'content' },
  removeCategory: { method: 'DELETE', path: '/admin/categories/{slug}', role: 'content' },
  listCheckoutsOfAll: { method: 'GET', path: '/admin/checkouts', role: 'viewer', sorted: true },
  createCheckout: { method: 'POST', path: '/admin/checkouts', idempotent: true, role: 'finance' },
  getCheckoutOfAnybody: { method: 'GET', path: '/admin/checkouts/{hash}', role: 'viewer' },
  getContractOfAnybody: { method: 'GET', path: '/admin/checkouts/{hash}/contract', role: 'support' },
  reinstateCheckout: { method: 'POST', path: '/admin/checkouts/{hash}/reinstate', role: 'finance' },
  returnCheckout: { method: 'POST', path: '/admin/checkouts/{hash}/returns', idempotent: true, role: 'finance' },
  writeOffCheckout: { method: 'POST', path: '/admin/checkouts/{hash}/write-off', role: 'finance' },
  listCreditDecisions: { method: 'GET', path: '/admin/credit-decisions', role: 'viewer', sorted: true },
  getCreditDecision: { method: 'GET', path: '/admin/credit-decisions/{id}', role: 'viewer' },
  approveCreditDecision: { method: 'POST', path: '/admin/credit-decisions/{id}/approve', role: 'finance' },
  declineCreditDecision: { method: 'POST', path: '/admin/credit-decisions/{id}/decline', role: 'finance' },
  getCreditPolicy: { method: 'GET', path: '/admin/credit-policy', role: 'viewer' },
  setCreditPolicy: { method: 'PUT', path: '/admin/credit-policy', role: 'finance' },
  tryCreditPolicy: { method: 'POST', path: '/admin/credit-policy/try', role: 'finance' },
  listCreditPolicyVersions: { method: 'GET', path: '/admin/credit-policy/versions', role: 'viewer', sorted: true },
  listCustomers: { method: 'GET', path: '/admin/customers', role: 'viewer', sorted: true },
  createCustomer: { method: 'POST', path: '/admin/customers', idempotent: true, role: 'support' },
  getCustomer: { method: 'GET', path: '/admin/customers/{id}', role: 'viewer' },
  changeCustomer: { method: 'PATCH', path: '/admin/customers/{id}', role: 'support' },
  eraseCustomer: { method: 'POST', path: '/admin/customers/{id}/erase', role: 'admin' },
  exportCustomer: { method: 'GET', path: '/admin/customers/{id}/export', role: 'support' },
  lockCustomer: { method: 'POST', path: '/admin/customers/{id}/lock', role: 'support' },
  listCustomerNotes: { method: 'GET', path: '/admin/customers/{id}/notes', role: 'viewer' },
  writeCustomerNote: { method: 'POST', path: '/admin/customers/{id}/notes', idempotent: true, role: 'support' },
  getOwedByCustomer: { method: 'GET', path: '/admin/customers/{id}/owed', role: 'viewer' },
  cancelPhoneChange: { method: 'POST', path: '/admin/customers/{id}/phone-change/cancel', role: 'support' },
  sendPhoneChangeCode: { method: 'POST', path: '/admin/customers/{id}/phone-change/code', role: 'support' },
  confirmPhoneChange: { method: 'POST', path: '/admin/customers/{id}/phone-change/confirm', role: 'support' },
  listCustomerSessions: { method: 'GET', path: '/admin/customers/{id}/sessions', role: 'viewer' },
  endCustomerSession: { method: 'POST', path: '/admin/customers/{id}/sessions/{session}/end', role: 'support' },
  endCustomerSessions: { method: 'POST', path: '/admin/customers/{id}/sessions/end', role: 'support' },
  getCustomerStory: { method: 'GET', path: '/admin/customers/{id}/story', role: 'viewer' },
  unlockCustomer: { method: 'POST', path: '/admin/customers/{id}/unlock', role: 'support' },
  searchEvents: { method: 'GET', path: '/admin/events', role: 'viewer', sorted: true },
  listFaqEntryForStaff: { method: 'GET', path: '/admin/faq', role: 'viewer' },
  createFaqEntry: { method: 'POST', path: '/admin/faq', idempotent: true, role: 'content' },
  getFaqEntryForStaff: { method: 'GET', path: '/admin/faq/{id}', role: 'viewer' },
  changeFaqEntry: { method: 'PATCH', path: '/admin/faq/{id}', role: 'content' },
  removeFaqEntry: { method: 'DELETE', path: '/admin/faq/{id}', role: 'content' },
  getFourEyes: { method: 'GET', path: '/admin/four-eyes', role: 'viewer' },
  importContent: { method: 'POST', path: '/admin/import/{kind}', role: 'content' },
  listFailingJobs: { method: 'GET', path: '/admin/jobs', role: 'admin', sorted: true },
  retryJob: { method: 'POST', path: '/admin/jobs/{id}/retry', role: 'admin' },
  listKeys: { method: 'GET', path: '/admin/keys', role: 'viewer' },
  createKey: { method: 'POST', path: '/admin/keys', idempotent: true, role: 'admin' },
  changeKey: { method: 'PATCH', path: '/admin/keys/{id}', role: 'admin' },
  revokeKey: { method: 'POST', path: '/admin/keys/{id}/revoke', role: 'admin' },
  rotateKey: { method: 'POST', path: '/admin/keys/{id}/rotate', role: 'admin' },
  listLeads: { method: 'GET', path: '/admin/leads', role: 'viewer', sorted: true },
  getLead: { method: 'GET', path: '/admin/leads/{id}', role: 'viewer' },
  changeLead: { method: 'PATCH', path: '/admin/leads/{id}', role: 'content' },
  removeLead: { method: 'DELETE', path: '/admin/leads/{id}', role: 'content' },
  makeMerchantOfLead: { method: 'POST', path: '/admin/leads/{id}/merchant', role: 'finance' },
  getStaffMe: { method: 'GET', path: '/admin/me', role: 'viewer' },
  listSavedViews: { method: 'GET', path: '/admin/me/views', role: 'viewer' },
  saveView: { method: 'POST', path: '/admin/me/views', role: 'viewer' },
  removeSavedView: { method: 'DELETE', path: '/admin/me/views/{id}', role: 'viewer' },
  listMedia: { method: 'GET', path: '/admin/media', role: 'viewer' },
  addMedia: { method: 'POST', path: '/admin/media', role: 'content' },
  getMediaOfStaff: { method: 'GET', path: '/admin/media/{name}', role: 'viewer' },
  removeMedia: { method: 'DELETE', path: '/admin/media/{name}', role: 'content' },
  listMerchantForStaff: { method: 'GET', path: '/admin/merchants', role: 'viewer', sorted: true },
  createMerchant: { method: 'POST', path: '/admin/merchants', idempotent: true, role: 'content' },
  getMerchantForStaff: { method: 'GET', path: '/admin/merchants/{slug}', role: 'viewer' },
  changeMerchant: { method: 'PATCH', path: '/admin/merchants/{slug}', role: 'content' },
  removeMerchant: { method: 'DELETE', path: '/admin/merchants/{slug}', role: 'content' },
  setMerchantLogo: { method: 'PUT', path: '/admin/merchants/{slug}/logo', role: 'content' },
  listMerchantMembers: { method: 'GET', path: '/admin/merchants/{slug}/members', role: 'viewer' },
  addMerchantMember: { method: 'POST', path: '/admin/merchants/{slug}/members', idempotent: true, role: 'finance' },
  removeMerchantMember: { method: 'DELETE', path: '/admin/merchants/{slug}/members/{id}', role: 'finance' },
  getPayoutAccount: { method: 'GET', path: '/admin/merchants/{slug}/payout-account', role: 'viewer' },
  setPayoutAccount: { method: 'PUT', path: '/admin/merchants/{slug}/payout-account', role: 'finance' },
  stopPayoutAccountChange: { method: 'DELETE', path: '/admin/merchants/{slug}/payout-account/change', role: 'support' },
  listMessageTemplates: { method: 'GET', path: '/admin/message-templates', role: 'viewer' },
  listStaffMessages: { method: 'GET', path: '/admin/messages', role: 'viewer', sorted: true },
  resendMessage: { method: 'POST', path: '/admin/messages/{id}/resend', role: 'support' },
  sendTestMessage: { method: 'POST', path: '/admin/messages/test', role: 'support' },
  listNodes: { method: 'GET', path: '/admin/nodes', role: 'admin' },
  listOffersOfAll: { method: 'GET', path: '/admin/offers', role: 'viewer', sorted: true },
  createOfferForMerchant: { method: 'POST', path: '/admin/offers', idempotent: true, role: 'finance' },
  getOfferOfAnybody: { method: 'GET', path: '/admin/offers/{id}', role: 'viewer' },
  cancelOfferOfAnybody: { method: 'POST', path: '/admin/offers/{id}/cancel', role: 'finance' },
  listPartners: { method: 'GET', path: '/admin/partners', role: 'viewer' },
  createPartner: { method: 'POST', path: '/admin/partners', idempotent: true, role: 'admin' },
  listPayouts: { method: 'GET', path: '/admin/payouts', role: 'viewer', sorted: true },
  createPayouts: { method: 'POST', path: '/admin/payouts', idempotent: true, role: 'finance' },
  getPayout: { method: 'GET', path: '/admin/payouts/{id}', role: 'viewer' },
  markPayoutFailed: { method: 'POST', path: '/admin/payouts/{id}/failed', role: 'finance' },
  markPayoutPaid: { method: 'POST', path: '/admin/payouts/{id}/paid', role: 'finance' },
  markPayoutsByFile: { method: 'POST', path: '/admin/payouts/return-file', role: 'finance' },
  listPixCharges: { method: 'GET', path: '/admin/pix/charges', role: 'viewer', sorted: true },
  getPixCharge: { method: 'GET', path: '/admin/pix/charges/{id}', role: 'viewer' },
  listPixDiscrepancies: { method: 'GET', path: '/admin/pix/discrepancies', role: 'viewer' },
  listPixOrphans: { method: 'GET', path: '/admin/pix/orphans', role: 'viewer', sorted: true },
  getPixOrphan: { method: 'GET', path: '/admin/pix/orphans/{id}', role: 'viewer' },
  assignPixOrphan: { method: 'POST', path: '/admin/pix/orphans/{id}/assign', role: 'support' },
  refundPixOrphan: { method: 'POST', path: '/admin/pix/orphans/{id}/refund', role: 'finance' },
  listPixPaymentItems: { method: 'GET', path: '/admin/pix/payments', role: 'viewer', sorted: true },
  getPixPayment: { method: 'GET', path: '/admin/pix/payments/{id}', role: 'viewer' },
  movePixPayment: { method: 'POST', path: '/admin/pix/payments/{id}/move', idempotent: true, role: 'finance' },
  listPixRefundItems: { method: 'GET', path: '/admin/pix/refunds', role: 'viewer', sorted: true },
  getPixRefund: { method: 'GET', path: '/admin/pix/refunds/{id}', role: 'viewer' },
  retryPixRefund: { method: 'POST', path: '/admin/pix/refunds/{id}/retry', role: 'finance' },
  previewPost: { method: 'POST', path: '/admin/post-text/try', role: 'viewer' },
  listPostForStaff: { method: 'GET', path: '/admin/posts', role: 'viewer', sorted: true },
  createPost: { method: 'POST', path: '/admin/posts', idempotent: true, role: 'content' },
  getPostForStaff: { method: 'GET', path: '/admin/posts/{slug}', role: 'viewer' },
  changePost: { method: 'PATCH', path: '/admin/posts/{slug}', role: 'content' },
  removePost: { method: 'DELETE', path: '/admin/posts/{slug}', role: 'content' },
  setPostCover: { method: 'PUT', path: '/admin/posts/{slug}/cover', role: 'content' },
  listReferrals: { method: 'GET', path: '/admin/referrals', role: 'viewer', sorted: true },
  addReferral: { method: 'POST', path: '/admin/referrals', role: 'finance' },
  getReferralOfCustomer: { method: 'GET', path: '/admin/referrals/{id}', role: 'viewer' },
  getAgingReport: { method: 'GET', path: '/admin/reports/aging', role: 'viewer' },
  getAutopayReport: { method: 'GET', path: '/admin/reports/autopay', role: 'viewer' },
  getCashbackReport: { method: 'GET', path: '/admin/reports/cashback', role: 'viewer' },
  getCohortsReport: { method: 'GET', path: '/admin/reports/cohorts', role: 'viewer' },
  getIncomeReport: { method: 'GET', path: '/admin/reports/income', role: 'viewer' },
  getMerchantsReport: { method: 'GET', path: '/admin/reports/merchants', role: 'viewer' },
  getMessagesReport: { method: 'GET', path: '/admin/reports/messages', role: 'viewer' },
  getPixReport: { method: 'GET', path: '/admin/reports/pix', role: 'viewer' },
  getPortfolioReport: { method: 'GET', path: '/admin/reports/portfolio', role: 'viewer' },
  getRefusalsReport: { method: 'GET', path: '/admin/reports/refusals', role: 'viewer' },
  getRemindersReport: { method: 'GET', path: '/admin/reports/reminders', role: 'viewer' },
  getWeeklyReport: { method: 'GET', path: '/admin/reports/weekly', role: 'viewer' },
  listReturnsThatWaited: { method: 'GET', path: '/admin/returns', role: 'viewer', sorted: true },
  approveReturn: { method: 'POST', path: '/admin/returns/{id}/approve', role: 'finance' },
  refuseReturn: { method: 'POST', path: '/admin/returns/{id}/refuse', role: 'finance' },
  searchEverything: { method: 'GET', path: '/admin/search', role: 'viewer' },
  listSettings: { method: 'GET', path: '/admin/settings', role: 'admin' },
  listStaff: { method: 'GET', path: '/admin/staff', role: 'viewer' },
  addStaffMember: { method: 'POST', path: '/admin/staff', idempotent: true, role: 'admin' },
  getStaffMember: { method: 'GET', path: '/admin/staff/{id}', role: 'viewer' },
  changeStaffMember: { method: 'PATCH', path: '/admin/staff/{id}', role: 'admin' },
  removeStaffMember: { method: 'DELETE', path: '/admin/staff/{id}', role: 'admin' },
  inviteStaffMember: { method: 'POST', path: '/admin/staff/{id}/invite', role: 'admin' },
  showToday: { method: 'GET', path: '/admin/today', role: 'viewer' },
  listWebhooks: { method: 'GET', path: '/admin/webhooks', role: 'viewer', sorted: true },
  createWebhook: { method: 'POST', path: '/admin/webhooks', idempotent: true, role: 'admin' },
  getWebhook: { method: 'GET', path: '/admin/webhooks/{id}', role: 'viewer' },
  listWebhookDeliveries: { method: 'GET', path: '/admin/webhooks/{id}/deliveries', role: 'viewer', sorted: true },
  disableWebhook: { method: 'POST', path: '/admin/webhooks/{id}/disable', role: 'admin' },
  enableWebhook: { method: 'POST', path: '/admin/webhooks/{id}/enable', role: 'admin' },
  replayWebhook: { method: 'POST', path: '/admin/webhooks/{id}/replay', role: 'admin' },
  rotateWebhookSecret: { method: 'POST', path: '/admin/webhooks/{id}/rotate', idempotent: true, role: 'admin' },
  testWebhook: { method: 'POST', path: '/admin/webhooks/{id}/test', role: 'admin' },
  acceptInvitation: { method: 'POST', path: '/auth/accept' },
  listFactors: { method: 'GET', path: '/auth/factors', role: 'viewer' },
  removeFactor: { method: 'DELETE', path: '/auth/factors/{id}', role: 'viewer' },
  readInvitation: { method: 'POST', path: '/auth/invitation' },
  signInStaff: { method: 'POST', path: '/auth/login' },
  signOutStaff: { method: 'POST', path: '/auth/logout', role: 'viewer' },
  askForPasskey: { method: 'POST', path: '/auth/passkey-options', role: 'viewer' },
  addPasskey: { method: 'POST', path: '/auth/passkeys', role: 'viewer' },
  giveSecondFactor: { method: 'POST', path: '/auth/second-factor', role: 'viewer' },
  listStaffSessions: { method: 'GET', path: '/auth/sessions', role: 'viewer' },
  endStaffSession: { method: 'POST', path: '/auth/sessions/{id}/end', role: 'viewer' },
  endOtherStaffSessions: { method: 'POST', path: '/auth/sessions/end', role: 'viewer' },
  proposeTotp: { method: 'POST', path: '/auth/totp', role: 'viewer' },
  confirmTotp: { method: 'POST', path: '/auth/totp/confirm', role: 'viewer' },
  authoriseAutopay: { method: 'POST', path: '/sandbox/autopay/{id}/authorise', role: 'support' },
  cancelAutopay: { method: 'POST', path: '/sandbox/autopay/{id}/cancel', role: 'support' },
  refuseAutopay: { method: 'POST', path: '/sandbox/autopay/{id}/refuse', role: 'support' },
  askSandboxBureau: { method: 'POST', path: '/sandbox/bureau/reports' },
  getClock: { method: 'GET', path: '/sandbox/clock', role: 'viewer' },
  moveClock: { method: 'POST', path: '/sandbox/clock', role: 'support' },
  resetClock: { method: 'DELETE', path: '/sandbox/clock', role: 'support' },
  listMessages: { method: 'GET', path: '/sandbox/messages', role: 'viewer', sorted: true },
  payCharge: { method: 'POST', path: '/sandbox/pix/{txid}/pay', role: 'support' },
  reversePayment: { method: 'POST', path: '/sandbox/pix/{txid}/reverse', role: 'support' },
  showPspPage: { method: 'GET', path: '/sandbox/psp' },
  listPspDeliveries: { method: 'GET', path: '/sandbox/psp/deliveries', role: 'viewer' },
  getPspFaults: { method: 'GET', path: '/sandbox/psp/faults', role: 'viewer' },
  setPspFaults: { method: 'PUT', path: '/sandbox/psp/faults', role: 'support' },
  scanBrCode: { method: 'POST', path: '/sandbox/psp/scan', role: 'support' },
  resetSandbox: { method: 'POST', path: '/sandbox/reset', role: 'support' },
  enterAsRole: { method: 'POST', path: '/sandbox/sessions' },
} as const;

/** What an operation may be refused with besides, by `code`. */
export type ProblemCodes = {
  listAgreements: never;
  publishAgreement: 'malformed_json' | 'payload_too_large' | 'request_timeout' | 'unsupported_media_type' | 'version_taken';
  listApprovals: never;
  getApproval: 'not_found';
  approveAct: 'act_failed' | 'approval_closed' | 'malformed_json' | 'not_found' | 'own_approval' | 'payload_too_large' | 'request_timeout' | 'unsupported_media_type';
  refuseAct: 'approval_closed' | 'malformed_json' | 'not_found' | 'payload_too_large' | 'request_timeout' | 'unsupported_media_type';
  listAuditTrail: never;
  listAutopay: never;
  listDebits: never;
  listCashbackOfAll: never;
  getCashbackOfCustomer: 'not_found';
  adjustCashback: 'adjusted_already' | 'cashback_too_little' | 'idempotency_key_in_flight' | 'idempotency_key_reused' | 'malformed_json' | 'not_found' | 'payload_too_large' | 'request_timeout' | 'unsupported_media_type';
  listCategoryForStaff: never;
  createCategory: 'already_exists' | 'idempotency_key_in_flight' | 'idempotency_key_reused' | 'malformed_json' | 'payload_too_large' | 'request_timeout' | 'unsupported_media_type';
  getCategoryForStaff: 'not_found';
  changeCategory: 'changed_meanwhile' | 'malformed_json' | 'not_found' | 'payload_too_large' | 'request_timeout' | 'unsupported_media_type';
  removeCategory: 'malformed_json' | 'not_found' | 'payload_too_large' | 'request_timeout' | 'still_used' | 'unsupported_media_type';
  listCheckoutsOfAll: never;
  createCheckout: 'cashback_owed' | 'credit_limit_exceeded' | 'customer_locked' | 'customer_overdue' | 'idempotency_key_in_flight' | 'idempotency_key_reused' | 'malformed_json' | 'payload_too_large' | 'request_timeout' | 'terms_unlawful' | 'unsupported_media_type';
  getCheckoutOfAnybody: 'not_found';
  getContractOfAnybody: 'not_found';
  reinstateCheckout: 'malformed_json' | 'not_found' | 'not_written_off' | 'payload_too_large' | 'request_timeout' | 'unsupported_media_type';
  returnCheckout: 'checkout_returned' | 'idempotency_key_in_flight' | 'idempotency_key_reused' | 'malformed_json' | 'not_found' | 'payload_too_large' | 'request_timeout' | 'unsupported_media_type' | 'value_out_of_range';
  writeOffCheckout: 'malformed_json' | 'not_found' | 'nothing_to_write_off' | 'payload_too_large' | 'request_timeout' | 'unsupported_media_type';
  listCreditDecisions: never;
  getCreditDecision: 'not_found';
  approveCreditDecision: 'changed_meanwhile' | 'decision_closed' | 'malformed_json' | 'not_found' | 'payload_too_large' | 'request_timeout' | 'unsupported_media_type';
  declineCreditDecision: 'changed_meanwhile' | 'decision_closed' | 'malformed_json' | 'not_found' | 'payload_too_large' | 'request_timeout' | 'unsupported_media_type';
  getCreditPolicy: never;
  setCreditPolicy: 'changed_meanwhile' | 'malformed_json' | 'payload_too_large' | 'request_timeout' | 'unsupported_media_type';
  tryCreditPolicy: 'malformed_json' | 'payload_too_large' | 'request_timeout' | 'unsupported_media_type';
  listCreditPolicyVersions: never;
  listCustomers: never;
  createCustomer: 'cpf_taken' | 'idempotency_key_in_flight' | 'idempotency_key_reused' | 'malformed_json' | 'password_too_common' | 'payload_too_large' | 'phone_taken' | 'referral_code_unknown' | 'request_timeout' | 'underage' | 'unsupported_media_type';
  getCustomer: 'not_found';
  changeCustomer: 'changed_meanwhile' | 'customer_erased' | 'malformed_json' | 'not_found' | 'payload_too_large' | 'phone_taken' | 'request_timeout' | 'unsupported_media_type';
  eraseCustomer: 'customer_erased' | 'malformed_json' | 'money_owed' | 'not_found' | 'payload_too_large' | 'request_timeout' | 'unsupported_media_type';
  exportCustomer: 'not_found';
  lockCustomer: 'customer_erased' | 'malformed_json' | 'not_found' | 'payload_too_large' | 'request_timeout' | 'unsupported_media_type';
  listCustomerNotes: 'not_found';
  writeCustomerNote: 'customer_erased' | 'idempotency_key_in_flight' | 'idempotency_key_reused' | 'malformed_json' | 'not_found' | 'payload_too_large' | 'request_timeout' | 'unsupported_media_type';
  getOwedByCustomer: 'not_found';
  cancelPhoneChange: 'customer_erased' | 'malformed_json' | 'no_phone_change' | 'not_found' | 'payload_too_large' | 'request_timeout' | 'unsupported_media_type';
  sendPhoneChangeCode: 'malformed_json' | 'no_phone_change' | 'not_found' | 'otp_too_soon' | 'payload_too_large' | 'phone_not_supported' | 'request_timeout' | 'unsupported_media_type';
  confirmPhoneChange: 'code_wrong' | 'customer_erased' | 'malformed_json' | 'no_phone_change' | 'not_found' | 'payload_too_large' | 'phone_taken' | 'request_timeout' | 'second_person_needed' | 'unsupported_media_type';
  listCustomerSessions: 'not_found';
  endCustomerSession: 'customer_erased' | 'malformed_json' | 'not_found' | 'payload_too_large' | 'request_timeout' | 'unsupported_media_type';
  endCustomerSessions: 'customer_erased' | 'malformed_json' | 'not_found' | 'payload_too_large' | 'request_timeout' | 'unsupported_media_type';
  getCustomerStory: 'not_found';
  unlockCustomer: 'customer_erased' | 'malformed_json' | 'not_found' | 'payload_too_large' | 'request_timeout' | 'unsupported_media_type';
  searchEvents: never;
  listFaqEntryForStaff: never;
  createFaqEntry: 'already_exists' | 'idempotency_key_in_flight' | 'idempotency_key_reused' | 'malformed_json' | 'payload_too_large' | 'request_timeout' | 'unsupported_media_type';
  getFaqEntryForStaff: 'not_found';
  changeFaqEntry: 'changed_meanwhile' | 'malformed_json' | 'not_found' | 'payload_too_large' | 'request_timeout' | 'unsupported_media_type';
  removeFaqEntry: 'malformed_json' | 'not_found' | 'payload_too_large' | 'request_timeout' | 'unsupported_media_type';
  getFourEyes: never;
  importContent: 'file_refused' | 'malformed_json' | 'not_found' | 'payload_too_large' | 'request_timeout' | 'unsupported_media_type';
  listFailingJobs: never;
  retryJob: 'malformed_json' | 'not_found' | 'payload_too_large' | 'request_timeout' | 'unsupported_media_type';
  listKeys: never;
  createKey: 'idempotency_key_in_flight' | 'idempotency_key_reused' | 'malformed_json' | 'payload_too_large' | 'request_timeout' | 'unsupported_media_type';
  changeKey: 'changed_meanwhile' | 'malformed_json' | 'not_found' | 'payload_too_large' | 'request_timeout' | 'unsupported_media_type';
  revokeKey: 'malformed_json' | 'not_found' | 'payload_too_large' | 'request_timeout' | 'unsupported_media_type';
  rotateKey: 'key_ended' | 'malformed_json' | 'not_found' | 'payload_too_large' | 'request_timeout' | 'unsupported_media_type';
  listLeads: never;
  getLead: 'not_found';
  changeLead: 'changed_meanwhile' | 'malformed_json' | 'not_found' | 'payload_too_large' | 'request_timeout' | 'unsupported_media_type';
  removeLead: 'malformed_json' | 'not_found' | 'payload_too_large' | 'request_timeout' | 'unsupported_media_type';
  makeMerchantOfLead: 'already_exists' | 'lead_closed' | 'malformed_json' | 'not_found' | 'payload_too_large' | 'request_timeout' | 'unsupported_media_type';
  getStaffMe: never;
  listSavedViews: never;
  saveView: 'malformed_json' | 'payload_too_large' | 'request_timeout' | 'too_many_views' | 'unsupported_media_type' | 'view_names_person';
  removeSavedView: 'malformed_json' | 'not_found' | 'payload_too_large' | 'request_timeout' | 'unsupported_media_type';
  listMedia: never;
  addMedia: 'image_refused' | 'malformed_json' | 'payload_too_large' | 'request_timeout' | 'unsupported_media_type';
  getMediaOfStaff: 'not_found';
  removeMedia: 'malformed_json' | 'not_found' | 'payload_too_large' | 'request_timeout' | 'still_used' | 'unsupported_media_type';
  listMerchantForStaff: never;
  createMerchant: 'already_exists' | 'idempotency_key_in_flight' | 'idempotency_key_reused' | 'malformed_json' | 'payload_too_large' | 'request_timeout' | 'unsupported_media_type';
  getMerchantForStaff: 'not_found';
  changeMerchant: 'changed_meanwhile' | 'malformed_json' | 'not_found' | 'payload_too_large' | 'request_timeout' | 'unsupported_media_type';
  removeMerchant: 'malformed_json' | 'not_found' | 'payload_too_large' | 'request_timeout' | 'unsupported_media_type';
  setMerchantLogo: 'changed_meanwhile' | 'image_refused' | 'malformed_json' | 'not_found' | 'payload_too_large' | 'request_timeout' | 'unsupported_media_type';
  listMerchantMembers: 'not_found';
  addMerchantMember: 'idempotency_key_in_flight' | 'idempotency_key_reused' | 'last_owner' | 'malformed_json' | 'member_exists' | 'not_found' | 'payload_too_large' | 'request_timeout' | 'unsupported_media_type';
  removeMerchantMember: 'last_owner' | 'malformed_json' | 'not_found' | 'payload_too_large' | 'request_timeout' | 'unsupported_media_type';
  getPayoutAccount: 'not_found';
  setPayoutAccount: 'changed_meanwhile' | 'malformed_json' | 'not_found' | 'payload_too_large' | 'request_timeout' | 'unsupported_media_type';
  stopPayoutAccountChange: 'malformed_json' | 'no_account_change' | 'not_found' | 'payload_too_large' | 'request_timeout' | 'unsupported_media_type';
  listMessageTemplates: never;
  listStaffMessages: never;
  resendMessage: 'malformed_json' | 'message_not_kept' | 'message_under_way' | 'not_found' | 'payload_too_large' | 'request_timeout' | 'unsupported_media_type';
  sendTestMessage: 'malformed_json' | 'message_not_sent' | 'payload_too_large' | 'request_timeout' | 'too_many_test_messages' | 'unsupported_media_type';
  listNodes: never;
  listOffersOfAll: never;
  createOfferForMerchant: 'amount_out_of_range' | 'idempotency_key_in_flight' | 'idempotency_key_reused' | 'items_mismatch' | 'malformed_json' | 'merchant_owes' | 'merchant_unlisted' | 'payload_too_large' | 'phone_not_supported' | 'reference_reused' | 'request_timeout' | 'terms_unlawful' | 'too_many_installments' | 'too_many_offers' | 'unsupported_media_type';
  getOfferOfAnybody: 'not_found';
  cancelOfferOfAnybody: 'malformed_json' | 'not_found' | 'offer_closed' | 'offer_expired' | 'payload_too_large' | 'request_timeout' | 'unsupported_media_type';
  listPartners: never;
  createPartner: 'idempotency_key_in_flight' | 'idempotency_key_reused' | 'malformed_json' | 'name_taken' | 'payload_too_large' | 'request_timeout' | 'unsupported_media_type';
  listPayouts: never;
  createPayouts: 'idempotency_key_in_flight' | 'idempotency_key_reused' | 'malformed_json' | 'payload_too_large' | 'request_timeout' | 'unsupported_media_type';
  getPayout: 'not_found';
  markPayoutFailed: 'changed_meanwhile' | 'malformed_json' | 'not_found' | 'payload_too_large' | 'payout_closed' | 'request_timeout' | 'unsupported_media_type';
  markPayoutPaid: 'changed_meanwhile' | 'malformed_json' | 'not_found' | 'payload_too_large' | 'payout_closed' | 'request_timeout' | 'unsupported_media_type';
  markPayoutsByFile: 'file_refused' | 'malformed_json' | 'payload_too_large' | 'request_timeout' | 'unsupported_media_type';
  listPixCharges: never;
  getPixCharge: 'not_found';
  listPixDiscrepancies: never;
  listPixOrphans: never;
  getPixOrphan: 'not_found';
  assignPixOrphan: 'installment_unknown' | 'malformed_json' | 'not_found' | 'orphan_closed' | 'payload_too_large' | 'request_timeout' | 'unsupported_media_type';
  refundPixOrphan: 'malformed_json' | 'not_found' | 'orphan_closed' | 'payload_too_large' | 'request_timeout' | 'unsupported_media_type';
  listPixPaymentItems: never;
  getPixPayment: 'not_found';
  movePixPayment: 'customer_erased' | 'idempotency_key_in_flight' | 'idempotency_key_reused' | 'installment_paid' | 'installment_unknown' | 'malformed_json' | 'not_found' | 'payload_too_large' | 'payment_moved' | 'payment_not_whole' | 'request_timeout' | 'unsupported_media_type';
  listPixRefundItems: never;
  getPixRefund: 'not_found';
  retryPixRefund: 'malformed_json' | 'not_found' | 'payload_too_large' | 'refund_not_given_up' | 'request_timeout' | 'unsupported_media_type';
  previewPost: 'malformed_json' | 'payload_too_large' | 'request_timeout' | 'unsupported_media_type';
  listPostForStaff: never;
  createPost: 'already_exists' | 'idempotency_key_in_flight' | 'idempotency_key_reused' | 'malformed_json' | 'payload_too_large' | 'request_timeout' | 'unsupported_media_type';
  getPostForStaff: 'not_found';
  changePost: 'changed_meanwhile' | 'malformed_json' | 'not_found' | 'payload_too_large' | 'request_timeout' | 'unsupported_media_type';
  removePost: 'malformed_json' | 'not_found' | 'payload_too_large' | 'request_timeout' | 'unsupported_media_type';
  setPostCover: 'changed_meanwhile' | 'image_refused' | 'malformed_json' | 'not_found' | 'payload_too_large' | 'request_timeout' | 'unsupported_media_type';
  listReferrals: never;
  addReferral: 'already_invited' | 'invitation_too_late' | 'invited_by_oneself' | 'invited_in_circle' | 'malformed_json' | 'not_found' | 'payload_too_large' | 'referral_code_unknown' | 'request_timeout' | 'unsupported_media_type';
  getReferralOfCustomer: 'not_found';
  getAgingReport: never;
  getAutopayReport: never;
  getCashbackReport: never;
  getCohortsReport: never;
  getIncomeReport: never;
  getMerchantsReport: never;
  getMessagesReport: never;
  getPixReport: never;
  getPortfolioReport: never;
  getRefusalsReport: never;
  getRemindersReport: never;
  getWeeklyReport: never;
  listReturnsThatWaited: never;
  approveReturn: 'checkout_returned' | 'malformed_json' | 'not_found' | 'payload_too_large' | 'request_timeout' | 'return_closed' | 'unsupported_media_type' | 'value_out_of_range';
  refuseReturn: 'malformed_json' | 'not_found' | 'payload_too_large' | 'request_timeout' | 'return_closed' | 'unsupported_media_type';
  searchEverything: never;
  listSettings: never;
  listStaff: never;
  addStaffMember: 'idempotency_key_in_flight' | 'idempotency_key_reused' | 'malformed_json' | 'payload_too_large' | 'request_timeout' | 'unsupported_media_type';
  getStaffMember: 'not_found';
  changeStaffMember: 'changed_meanwhile' | 'last_admin' | 'malformed_json' | 'not_found' | 'payload_too_large' | 'request_timeout' | 'unsupported_media_type';
  removeStaffMember: 'last_admin' | 'malformed_json' | 'not_found' | 'payload_too_large' | 'request_timeout' | 'unsupported_media_type';
  inviteStaffMember: 'malformed_json' | 'not_found' | 'payload_too_large' | 'request_timeout' | 'unsupported_media_type';
  showToday: never;
  listWebhooks: never;
  createWebhook: 'idempotency_key_in_flight' | 'idempotency_key_reused' | 'malformed_json' | 'partner_unknown' | 'payload_too_large' | 'request_timeout' | 'too_many_webhooks' | 'unsupported_media_type';
  getWebhook: 'not_found';
  listWebhookDeliveries: 'not_found';
  disableWebhook: 'malformed_json' | 'not_found' | 'payload_too_large' | 'request_timeout' | 'unsupported_media_type';
  enableWebhook: 'malformed_json' | 'not_found' | 'payload_too_large' | 'request_timeout' | 'unsupported_media_type';
  replayWebhook: 'malformed_json' | 'not_found' | 'payload_too_large' | 'request_timeout' | 'unsupported_media_type' | 'webhook_disabled';
  rotateWebhookSecret: 'idempotency_key_in_flight' | 'idempotency_key_reused' | 'malformed_json' | 'not_found' | 'payload_too_large' | 'request_timeout' | 'unsupported_media_type';
  testWebhook: 'malformed_json' | 'not_found' | 'payload_too_large' | 'request_timeout' | 'unsupported_media_type';
  acceptInvitation: 'email_taken' | 'invite_expired' | 'malformed_json' | 'password_too_common' | 'payload_too_large' | 'request_timeout' | 'unsupported_media_type';
  listFactors: 'session_needed';
  removeFactor: 'last_factor' | 'malformed_json' | 'not_found' | 'payload_too_large' | 'request_timeout' | 'session_needed' | 'unsupported_media_type';
  readInvitation: 'invite_expired' | 'malformed_json' | 'payload_too_large' | 'request_timeout' | 'unsupported_media_type';
  signInStaff: 'invalid_credentials' | 'login_locked' | 'malformed_json' | 'payload_too_large' | 'request_timeout' | 'unsupported_media_type';
  signOutStaff: 'malformed_json' | 'payload_too_large' | 'request_timeout' | 'session_needed' | 'unsupported_media_type';
  askForPasskey: 'malformed_json' | 'payload_too_large' | 'request_timeout' | 'session_needed' | 'unsupported_media_type';
  addPasskey: 'factor_wrong' | 'malformed_json' | 'payload_too_large' | 'request_timeout' | 'session_needed' | 'unsupported_media_type';
  giveSecondFactor: 'factor_wrong' | 'login_locked' | 'malformed_json' | 'payload_too_large' | 'request_timeout' | 'session_needed' | 'unsupported_media_type';
  listStaffSessions: 'session_needed';
  endStaffSession: 'malformed_json' | 'not_found' | 'payload_too_large' | 'request_timeout' | 'session_needed' | 'unsupported_media_type';
  endOtherStaffSessions: 'malformed_json' | 'payload_too_large' | 'request_timeout' | 'session_needed' | 'unsupported_media_type';
  proposeTotp: 'malformed_json' | 'payload_too_large' | 'request_timeout' | 'session_needed' | 'unsupported_media_type';
  confirmTotp: 'factor_wrong' | 'login_locked' | 'malformed_json' | 'payload_too_large' | 'request_timeout' | 'session_needed' | 'unsupported_media_type';
  authoriseAutopay: 'autopay_not_possible' | 'malformed_json' | 'not_found' | 'payload_too_large' | 'request_timeout' | 'unsupported_media_type';
  cancelAutopay: 'autopay_not_possible' | 'malformed_json' | 'not_found' | 'payload_too_large' | 'request_timeout' | 'unsupported_media_type';
  refuseAutopay: 'autopay_not_possible' | 'malformed_json' | 'not_found' | 'payload_too_large' | 'request_timeout' | 'unsupported_media_type';
  askSandboxBureau: 'malformed_json' | 'payload_too_large' | 'request_timeout' | 'unsupported_media_type';
  getClock: never;
  moveClock: 'malformed_json' | 'payload_too_large' | 'request_timeout' | 'unsupported_media_type';
  resetClock: 'malformed_json' | 'payload_too_large' | 'request_timeout' | 'unsupported_media_type';
  listMessages: never;
  payCharge: 'charge_expired' | 'charge_not_payable' | 'malformed_json' | 'not_found' | 'payload_too_large' | 'request_timeout' | 'unsupported_media_type';
  reversePayment: 'malformed_json' | 'not_found' | 'nothing_to_reverse' | 'payload_too_large' | 'request_timeout' | 'unsupported_media_type';
  showPspPage: never;
  listPspDeliveries: never;
  getPspFaults: never;
  setPspFaults: 'malformed_json' | 'payload_too_large' | 'request_timeout' | 'unsupported_media_type';
  scanBrCode: 'br_code_unreadable' | 'malformed_json' | 'not_found' | 'payload_too_large' | 'request_timeout' | 'unsupported_media_type';
  resetSandbox: 'malformed_json' | 'payload_too_large' | 'request_timeout' | 'unsupported_media_type';
  enterAsRole: 'malformed_json' | 'payload_too_large' | 'request_timeout' | 'unsupported_media_type';
};

/** What any operation may be refused with. */
export type CommonCode = 'api_key_invalid' | 'api_key_missing' | 'bad_request' | 'headers_too_large' | 'internal_error' | 'origin_not_allowed' | 'rate_limited' | 'role_missing' | 'scope_missing' | 'second_factor_missing' | 'session_ended' | 'unavailable' | 'validation_failed';
