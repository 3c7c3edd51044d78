// Made by 'npm run generate' from openapi.json.

export const operations = {
  listAuditTrail: { method: 'GET', path: '/admin/audit-trail' },
  listCashbackOfAll: { method: 'GET', path: '/admin/cashback' },
  getCashbackOfCustomer: { method: 'GET', path: '/admin/cashback/{id}' },
  adjustCashback: { method: 'POST', path: '/admin/cashback/{id}/adjust', idempotent: true },
  listCategoryForStaff: { method: 'GET', path: '/admin/categories' },
  createCategory: { method: 'POST', path: '/admin/categories', idempotent: true },
  getCategoryForStaff: { method: 'GET', path: '/admin/categories/{slug}' },
  changeCategory: { method: 'PATCH', path: '/admin/categories/{slug}' },
  removeCategory: { method: 'DELETE', path: '/admin/categories/{slug}' },
  listCheckoutsOfAll: { method: 'GET', path: '/admin/checkouts' },
  createCheckout: { method: 'POST', path: '/admin/checkouts', idempotent: true },
  getCheckoutOfAnybody: { method: 'GET', path: '/admin/checkouts/{hash}' },
  reinstateCheckout: { method: 'POST', path: '/admin/checkouts/{hash}/reinstate' },
  returnCheckout: { method: 'POST', path: '/admin/checkouts/{hash}/returns', idempotent: true },
  writeOffCheckout: { method: 'POST', path: '/admin/checkouts/{hash}/write-off' },
  listCustomers: { method: 'GET', path: '/admin/customers' },
  createCustomer: { method: 'POST', path: '/admin/customers', idempotent: true },
  getCustomer: { method: 'GET', path: '/admin/customers/{id}' },
  changeCustomer: { method: 'PATCH', path: '/admin/customers/{id}' },
  eraseCustomer: { method: 'POST', path: '/admin/customers/{id}/erase' },
  exportCustomer: { method: 'GET', path: '/admin/customers/{id}/export' },
  lockCustomer: { method: 'POST', path: '/admin/customers/{id}/lock' },
  cancelPhoneChange: { method: 'POST', path: '/admin/customers/{id}/phone-change/cancel' },
  sendPhoneChangeCode: { method: 'POST', path: '/admin/customers/{id}/phone-change/code' },
  confirmPhoneChange: { method: 'POST', path: '/admin/customers/{id}/phone-change/confirm' },
  getCustomerStory: { method: 'GET', path: '/admin/customers/{id}/story' },
  unlockCustomer: { method: 'POST', path: '/admin/customers/{id}/unlock' },
  searchEvents: { method: 'GET', path: '/admin/events' },
  listFaqEntryForStaff: { method: 'GET', path: '/admin/faq' },
  createFaqEntry: { method: 'POST', path: '/admin/faq', idempotent: true },
  getFaqEntryForStaff: { method: 'GET', path: '/admin/faq/{id}' },
  changeFaqEntry: { method: 'PATCH', path: '/admin/faq/{id}' },
  removeFaqEntry: { method: 'DELETE', path: '/admin/faq/{id}' },
  listKeys: { method: 'GET', path: '/admin/keys' },
  createKey: { method: 'POST', path: '/admin/keys' },
  changeKey: { method: 'PATCH', path: '/admin/keys/{id}' },
  revokeKey: { method: 'POST', path: '/admin/keys/{id}/revoke' },
  rotateKey: { method: 'POST', path: '/admin/keys/{id}/rotate' },
  listLeads: { method: 'GET', path: '/admin/leads' },
  getLead: { method: 'GET', path: '/admin/leads/{id}' },
  changeLead: { method: 'PATCH', path: '/admin/leads/{id}' },
  removeLead: { method: 'DELETE', path: '/admin/leads/{id}' },
  getStaffMe: { method: 'GET', path: '/admin/me' },
  listMedia: { method: 'GET', path: '/admin/media' },
  addMedia: { method: 'POST', path: '/admin/media' },
  removeMedia: { method: 'DELETE', path: '/admin/media/{name}' },
  listMerchantForStaff: { method: 'GET', path: '/admin/merchants' },
  createMerchant: { method: 'POST', path: '/admin/merchants', idempotent: true },
  getMerchantForStaff: { method: 'GET', path: '/admin/merchants/{slug}' },
  changeMerchant: { method: 'PATCH', path: '/admin/merchants/{slug}' },
  removeMerchant: { method: 'DELETE', path: '/admin/merchants/{slug}' },
  setMerchantLogo: { method: 'PUT', path: '/admin/merchants/{slug}/logo' },
  listMerchantMembers: { method: 'GET', path: '/admin/merchants/{slug}/members' },
  addMerchantMember: { method: 'POST', path: '/admin/merchants/{slug}/members' },
  removeMerchantMember: { method: 'DELETE', path: '/admin/merchants/{slug}/members/{id}' },
  getPayoutAccount: { method: 'GET', path: '/admin/merchants/{slug}/payout-account' },
  setPayoutAccount: { method: 'PUT', path: '/admin/merchants/{slug}/payout-account' },
  listOffersOfAll: { method: 'GET', path: '/admin/offers' },
  createOfferForMerchant: { method: 'POST', path: '/admin/offers', idempotent: true },
  getOfferOfAnybody: { method: 'GET', path: '/admin/offers/{id}' },
  cancelOfferOfAnybody: { method: 'POST', path: '/admin/offers/{id}/cancel' },
  listPartners: { method: 'GET', path: '/admin/partners' },
  createPartner: { method: 'POST', path: '/admin/partners', idempotent: true },
  listPayouts: { method: 'GET', path: '/admin/payouts' },
  createPayouts: { method: 'POST', path: '/admin/payouts', idempotent: true },
  getPayout: { method: 'GET', path: '/admin/payouts/{id}' },
  markPayoutFailed: { method: 'POST', path: '/admin/payouts/{id}/failed' },
  markPayoutPaid: { method: 'POST', path: '/admin/payouts/{id}/paid' },
  listPixCharges: { method: 'GET', path: '/admin/pix/charges' },
  getPixCharge: { method: 'GET', path: '/admin/pix/charges/{id}' },
  listPixDiscrepancies: { method: 'GET', path: '/admin/pix/discrepancies' },
  listPixOrphans: { method: 'GET', path: '/admin/pix/orphans' },
  getPixOrphan: { method: 'GET', path: '/admin/pix/orphans/{id}' },
  assignPixOrphan: { method: 'POST', path: '/admin/pix/orphans/{id}/assign' },
  refundPixOrphan: { method: 'POST', path: '/admin/pix/orphans/{id}/refund' },
  listPixPaymentItems: { method: 'GET', path: '/admin/pix/payments' },
  getPixPayment: { method: 'GET', path: '/admin/pix/payments/{id}' },
  listPixRefundItems: { method: 'GET', path: '/admin/pix/refunds' },
  getPixRefund: { method: 'GET', path: '/admin/pix/refunds/{id}' },
  retryPixRefund: { method: 'POST', path: '/admin/pix/refunds/{id}/retry' },
  listPostForStaff: { method: 'GET', path: '/admin/posts' },
  createPost: { method: 'POST', path: '/admin/posts', idempotent: true },
  getPostForStaff: { method: 'GET', path: '/admin/posts/{slug}' },
  changePost: { method: 'PATCH', path: '/admin/posts/{slug}' },
  removePost: { method: 'DELETE', path: '/admin/posts/{slug}' },
  setPostCover: { method: 'PUT', path: '/admin/posts/{slug}/cover' },
  listReferrals: { method: 'GET', path: '/admin/referrals' },
  addReferral: { method: 'POST', path: '/admin/referrals' },
  getReferralOfCustomer: { method: 'GET', path: '/admin/referrals/{id}' },
  getAgingReport: { method: 'GET', path: '/admin/reports/aging' },
  getCashbackReport: { method: 'GET', path: '/admin/reports/cashback' },
  getIncomeReport: { method: 'GET', path: '/admin/reports/income' },
  getMerchantsReport: { method: 'GET', path: '/admin/reports/merchants' },
  getPixReport: { method: 'GET', path: '/admin/reports/pix' },
  getPortfolioReport: { method: 'GET', path: '/admin/reports/portfolio' },
  getWeeklyReport: { method: 'GET', path: '/admin/reports/weekly' },
  listReturnsThatWaited: { method: 'GET', path: '/admin/returns' },
  approveReturn: { method: 'POST', path: '/admin/returns/{id}/approve' },
  refuseReturn: { method: 'POST', path: '/admin/returns/{id}/refuse' },
  listStaff: { method: 'GET', path: '/admin/staff' },
  addStaffMember: { method: 'POST', path: '/admin/staff' },
  getStaffMember: { method: 'GET', path: '/admin/staff/{id}' },
  changeStaffMember: { method: 'PATCH', path: '/admin/staff/{id}' },
  removeStaffMember: { method: 'DELETE', path: '/admin/staff/{id}' },
  inviteStaffMember: { method: 'POST', path: '/admin/staff/{id}/invite' },
  listWebhooks: { method: 'GET', path: '/admin/webhooks' },
  createWebhook: { method: 'POST', path: '/admin/webhooks', idempotent: true },
  getWebhook: { method: 'GET', path: '/admin/webhooks/{id}' },
  listWebhookDeliveries: { method: 'GET', path: '/admin/webhooks/{id}/deliveries' },
  disableWebhook: { method: 'POST', path: '/admin/webhooks/{id}/disable' },
  enableWebhook: { method: 'POST', path: '/admin/webhooks/{id}/enable' },
  replayWebhook: { method: 'POST', path: '/admin/webhooks/{id}/replay' },
  rotateWebhookSecret: { method: 'POST', path: '/admin/webhooks/{id}/rotate', idempotent: true },
  testWebhook: { method: 'POST', path: '/admin/webhooks/{id}/test' },
  acceptInvitation: { method: 'POST', path: '/auth/accept' },
  listFactors: { method: 'GET', path: '/auth/factors' },
  removeFactor: { method: 'DELETE', path: '/auth/factors/{id}' },
  readInvitation: { method: 'POST', path: '/auth/invitation' },
  signInStaff: { method: 'POST', path: '/auth/login' },
  signOutStaff: { method: 'POST', path: '/auth/logout' },
  askForPasskey: { method: 'POST', path: '/auth/passkey-options' },
  addPasskey: { method: 'POST', path: '/auth/passkeys' },
  giveSecondFactor: { method: 'POST', path: '/auth/second-factor' },
  listStaffSessions: { method: 'GET', path: '/auth/sessions' },
  endStaffSession: { method: 'POST', path: '/auth/sessions/{id}/end' },
  endOtherStaffSessions: { method: 'POST', path: '/auth/sessions/end' },
  proposeTotp: { method: 'POST', path: '/auth/totp' },
  confirmTotp: { method: 'POST', path: '/auth/totp/confirm' },
  getClock: { method: 'GET', path: '/sandbox/clock' },
  moveClock: { method: 'POST', path: '/sandbox/clock' },
  resetClock: { method: 'DELETE', path: '/sandbox/clock' },
  listMessages: { method: 'GET', path: '/sandbox/messages' },
  payCharge: { method: 'POST', path: '/sandbox/pix/{txid}/pay' },
  reversePayment: { method: 'POST', path: '/sandbox/pix/{txid}/reverse' },
  showPspPage: { method: 'GET', path: '/sandbox/psp' },
  listPspDeliveries: { method: 'GET', path: '/sandbox/psp/deliveries' },
  getPspFaults: { method: 'GET', path: '/sandbox/psp/faults' },
  setPspFaults: { method: 'PUT', path: '/sandbox/psp/faults' },
  scanBrCode: { method: 'POST', path: '/sandbox/psp/scan' },
  resetSandbox: { method: 'POST', path: '/sandbox/reset' },
  enterAsRole: { method: 'POST', path: '/sandbox/sessions' },
} as const;

/** What an operation may be refused with besides, by `code`. */
export type ProblemCodes = {
  listAuditTrail: never;
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
  reinstateCheckout: 'malformed_json' | 'not_found' | 'not_written_off' | 'payload_too_large' | 'request_timeout' | 'unsupported_media_type';
  returnCheckout: 'checkout_returned' | 'idempotency_key_in_flight' | 'idempotency_key_reused' | 'malformed_json' | 'not_found' | 'payload_too_large' | 'request_timeout' | 'unsupported_media_type' | 'value_out_of_range';
  writeOffCheckout: 'malformed_json' | 'not_found' | 'nothing_to_write_off' | 'payload_too_large' | 'request_timeout' | 'unsupported_media_type';
  listCustomers: never;
  createCustomer: 'cpf_taken' | 'idempotency_key_in_flight' | 'idempotency_key_reused' | 'malformed_json' | 'password_too_common' | 'payload_too_large' | 'phone_taken' | 'referral_code_unknown' | 'request_timeout' | 'underage' | 'unsupported_media_type';
  getCustomer: 'not_found';
  changeCustomer: 'changed_meanwhile' | 'customer_erased' | 'malformed_json' | 'not_found' | 'payload_too_large' | 'phone_taken' | 'request_timeout' | 'unsupported_media_type';
  eraseCustomer: 'customer_erased' | 'malformed_json' | 'money_owed' | 'not_found' | 'payload_too_large' | 'request_timeout' | 'unsupported_media_type';
  exportCustomer: 'not_found';
  lockCustomer: 'customer_erased' | 'malformed_json' | 'not_found' | 'payload_too_large' | 'request_timeout' | 'unsupported_media_type';
  cancelPhoneChange: 'customer_erased' | 'malformed_json' | 'no_phone_change' | 'not_found' | 'payload_too_large' | 'request_timeout' | 'unsupported_media_type';
  sendPhoneChangeCode: 'malformed_json' | 'no_phone_change' | 'not_found' | 'otp_too_soon' | 'payload_too_large' | 'phone_not_supported' | 'request_timeout' | 'unsupported_media_type';
  confirmPhoneChange: 'code_wrong' | 'customer_erased' | 'malformed_json' | 'no_phone_change' | 'not_found' | 'payload_too_large' | 'phone_taken' | 'request_timeout' | 'second_person_needed' | 'unsupported_media_type';
  getCustomerStory: 'not_found';
  unlockCustomer: 'customer_erased' | 'malformed_json' | 'not_found' | 'payload_too_large' | 'request_timeout' | 'unsupported_media_type';
  searchEvents: never;
  listFaqEntryForStaff: never;
  createFaqEntry: 'already_exists' | 'idempotency_key_in_flight' | 'idempotency_key_reused' | 'malformed_json' | 'payload_too_large' | 'request_timeout' | 'unsupported_media_type';
  getFaqEntryForStaff: 'not_found';
  changeFaqEntry: 'changed_meanwhile' | 'malformed_json' | 'not_found' | 'payload_too_large' | 'request_timeout' | 'unsupported_media_type';
  removeFaqEntry: 'malformed_json' | 'not_found' | 'payload_too_large' | 'request_timeout' | 'unsupported_media_type';
  listKeys: never;
  createKey: 'malformed_json' | 'payload_too_large' | 'request_timeout' | 'unsupported_media_type';
  changeKey: 'changed_meanwhile' | 'malformed_json' | 'not_found' | 'payload_too_large' | 'request_timeout' | 'unsupported_media_type';
  revokeKey: 'malformed_json' | 'not_found' | 'payload_too_large' | 'request_timeout' | 'unsupported_media_type';
  rotateKey: 'key_ended' | 'malformed_json' | 'not_found' | 'payload_too_large' | 'request_timeout' | 'unsupported_media_type';
  listLeads: never;
  getLead: 'not_found';
  changeLead: 'changed_meanwhile' | 'malformed_json' | 'not_found' | 'payload_too_large' | 'request_timeout' | 'unsupported_media_type';
  removeLead: 'malformed_json' | 'not_found' | 'payload_too_large' | 'request_timeout' | 'unsupported_media_type';
  getStaffMe: never;
  listMedia: never;
  addMedia: 'image_refused' | 'malformed_json' | 'payload_too_large' | 'request_timeout' | 'unsupported_media_type';
  removeMedia: 'malformed_json' | 'not_found' | 'payload_too_large' | 'request_timeout' | 'still_used' | 'unsupported_media_type';
  listMerchantForStaff: never;
  createMerchant: 'already_exists' | 'idempotency_key_in_flight' | 'idempotency_key_reused' | 'malformed_json' | 'payload_too_large' | 'request_timeout' | 'unsupported_media_type';
  getMerchantForStaff: 'not_found';
  changeMerchant: 'changed_meanwhile' | 'malformed_json' | 'not_found' | 'payload_too_large' | 'request_timeout' | 'unsupported_media_type';
  removeMerchant: 'malformed_json' | 'not_found' | 'payload_too_large' | 'request_timeout' | 'unsupported_media_type';
  setMerchantLogo: 'changed_meanwhile' | 'image_refused' | 'malformed_json' | 'not_found' | 'payload_too_large' | 'request_timeout' | 'unsupported_media_type';
  listMerchantMembers: 'not_found';
  addMerchantMember: 'last_owner' | 'malformed_json' | 'member_exists' | 'not_found' | 'payload_too_large' | 'request_timeout' | 'unsupported_media_type';
  removeMerchantMember: 'last_owner' | 'malformed_json' | 'not_found' | 'payload_too_large' | 'request_timeout' | 'unsupported_media_type';
  getPayoutAccount: 'not_found';
  setPayoutAccount: 'changed_meanwhile' | 'malformed_json' | 'not_found' | 'payload_too_large' | 'request_timeout' | 'unsupported_media_type';
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
  listPixCharges: never;
  getPixCharge: 'not_found';
  listPixDiscrepancies: never;
  listPixOrphans: never;
  getPixOrphan: 'not_found';
  assignPixOrphan: 'installment_unknown' | 'malformed_json' | 'not_found' | 'orphan_closed' | 'payload_too_large' | 'request_timeout' | 'unsupported_media_type';
  refundPixOrphan: 'malformed_json' | 'not_found' | 'orphan_closed' | 'payload_too_large' | 'request_timeout' | 'unsupported_media_type';
  listPixPaymentItems: never;
  getPixPayment: 'not_found';
  listPixRefundItems: never;
  getPixRefund: 'not_found';
  retryPixRefund: 'malformed_json' | 'not_found' | 'payload_too_large' | 'refund_not_given_up' | 'request_timeout' | 'unsupported_media_type';
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
  getCashbackReport: never;
  getIncomeReport: never;
  getMerchantsReport: never;
  getPixReport: never;
  getPortfolioReport: never;
  getWeeklyReport: never;
  listReturnsThatWaited: never;
  approveReturn: 'checkout_returned' | 'malformed_json' | 'not_found' | 'payload_too_large' | 'request_timeout' | 'return_closed' | 'unsupported_media_type' | 'value_out_of_range';
  refuseReturn: 'malformed_json' | 'not_found' | 'payload_too_large' | 'request_timeout' | 'return_closed' | 'unsupported_media_type';
  listStaff: never;
  addStaffMember: 'malformed_json' | 'payload_too_large' | 'request_timeout' | 'unsupported_media_type';
  getStaffMember: 'not_found';
  changeStaffMember: 'changed_meanwhile' | 'last_admin' | 'malformed_json' | 'not_found' | 'payload_too_large' | 'request_timeout' | 'unsupported_media_type';
  removeStaffMember: 'last_admin' | 'malformed_json' | 'not_found' | 'payload_too_large' | 'request_timeout' | 'unsupported_media_type';
  inviteStaffMember: 'malformed_json' | 'not_found' | 'payload_too_large' | 'request_timeout' | 'unsupported_media_type';
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
