// Made by 'npm run generate' from openapi.json.

export const operations = {
  listMerchants: { method: 'GET', path: '/public/merchants' },
  getMerchant: { method: 'GET', path: '/public/merchants/{slug}' },
  listCategories: { method: 'GET', path: '/public/categories' },
  listFaq: { method: 'GET', path: '/public/faq' },
  listFaqTopics: { method: 'GET', path: '/public/faq/topics' },
  listPosts: { method: 'GET', path: '/public/blog' },
  getPost: { method: 'GET', path: '/public/blog/{slug}' },
  createLead: { method: 'POST', path: '/public/leads', idempotent: true },
  getMediaFile: { method: 'GET', path: '/media/files/{name}' },
  getAgreement: { method: 'GET', path: '/public/agreements/{kind}' },
  getCreditor: { method: 'GET', path: '/public/creditor' },
  quotePurchase: { method: 'GET', path: '/public/merchants/{slug}/quote' },
  getOpenOffer: { method: 'GET', path: '/public/offers/{token}' },
  checkPhone: { method: 'POST', path: '/wallet/auth/phone-check' },
  logIn: { method: 'POST', path: '/wallet/auth/login' },
  getSigningKeys: { method: 'GET', path: '/.well-known/jwks.json' },
  logOut: { method: 'POST', path: '/wallet/auth/logout' },
  sendCode: { method: 'POST', path: '/wallet/auth/otp' },
  logInByCode: { method: 'POST', path: '/wallet/auth/otp/login' },
  setPassword: { method: 'POST', path: '/wallet/auth/password' },
  refresh: { method: 'POST', path: '/wallet/auth/refresh', idempotent: true },
  signUp: { method: 'POST', path: '/wallet/auth/signup', idempotent: true },
  getMe: { method: 'GET', path: '/wallet/me', customer: true },
  listCheckouts: { method: 'GET', path: '/wallet/checkouts', customer: true },
  getCheckout: { method: 'GET', path: '/wallet/checkouts/{hash}', customer: true },
  createPix: { method: 'POST', path: '/wallet/installments/{id}/pix', idempotent: true, customer: true },
  listPix: { method: 'GET', path: '/wallet/installments/{id}/pix', customer: true },
  getCashbackBalance: { method: 'GET', path: '/wallet/cashback/balance', customer: true },
  listCashbackEntries: { method: 'GET', path: '/wallet/cashback/ledger', customer: true },
  getReferral: { method: 'GET', path: '/wallet/referral', customer: true },
  getCalendar: { method: 'GET', path: '/wallet/calendar', customer: true },
  makeCalendarFeed: { method: 'POST', path: '/wallet/calendar/feed', customer: true },
  endCalendarFeed: { method: 'DELETE', path: '/wallet/calendar/feed', customer: true },
  getAutopay: { method: 'GET', path: '/wallet/checkouts/{hash}/autopay', customer: true },
  askAutopay: { method: 'POST', path: '/wallet/checkouts/{hash}/autopay', idempotent: true, customer: true },
  endAutopay: { method: 'DELETE', path: '/wallet/checkouts/{hash}/autopay', customer: true },
  getContract: { method: 'GET', path: '/wallet/checkouts/{hash}/contract', customer: true },
  getCredit: { method: 'GET', path: '/wallet/credit', customer: true },
  acceptCreditLimit: { method: 'POST', path: '/wallet/credit/accept', customer: true },
  askCreditReview: { method: 'POST', path: '/wallet/credit/review', customer: true },
  changeOwnEmail: { method: 'PUT', path: '/wallet/email', customer: true },
  checkErasure: { method: 'GET', path: '/wallet/erase', customer: true },
  eraseOwnAccount: { method: 'POST', path: '/wallet/erase', customer: true },
  streamEvents: { method: 'GET', path: '/wallet/events', customer: true, stream: true },
  exportOwnData: { method: 'GET', path: '/wallet/export', customer: true },
  getHome: { method: 'GET', path: '/wallet/home', customer: true },
  payWithCashback: { method: 'POST', path: '/wallet/installments/{id}/cashback', idempotent: true, customer: true },
  listWalletMessages: { method: 'GET', path: '/wallet/messages', customer: true },
  listWalletOffers: { method: 'GET', path: '/wallet/offers', customer: true },
  getWalletOffer: { method: 'GET', path: '/wallet/offers/{id}', customer: true },
  acceptOffer: { method: 'POST', path: '/wallet/offers/{id}/accept', idempotent: true, customer: true },
  getContractDraft: { method: 'GET', path: '/wallet/offers/{id}/contract', customer: true },
  declineOffer: { method: 'POST', path: '/wallet/offers/{id}/decline', idempotent: true, customer: true },
  claimOffer: { method: 'POST', path: '/wallet/offers/claim', idempotent: true, customer: true },
  changeOwnPhone: { method: 'PUT', path: '/wallet/phone', customer: true },
  getPhoneChange: { method: 'GET', path: '/wallet/phone-change', customer: true },
  cancelOwnPhoneChange: { method: 'POST', path: '/wallet/phone-change/cancel', customer: true },
  getPix: { method: 'GET', path: '/wallet/pix/{id}', customer: true },
  getReceipt: { method: 'GET', path: '/wallet/pix/{id}/receipt', customer: true },
  getPreferences: { method: 'GET', path: '/wallet/preferences', customer: true },
  setPreferences: { method: 'PUT', path: '/wallet/preferences', customer: true },
  getPush: { method: 'GET', path: '/wallet/push', customer: true },
  addPush: { method: 'POST', path: '/wallet/push', customer: true },
  endPush: { method: 'DELETE', path: '/wallet/push', customer: true },
  listSessions: { method: 'GET', path: '/wallet/sessions', customer: true },
  endSession: { method: 'POST', path: '/wallet/sessions/{id}/end', customer: true },
  getStatement: { method: 'GET', path: '/wallet/statements/{year}', customer: true },
  listSales: { method: 'GET', path: '/merchant/checkouts', customer: true },
  getSale: { method: 'GET', path: '/merchant/checkouts/{hash}', customer: true },
  returnSale: { method: 'POST', path: '/merchant/checkouts/{hash}/returns', idempotent: true, customer: true },
  listOffers: { method: 'GET', path: '/merchant/offers', customer: true },
  createOffer: { method: 'POST', path: '/merchant/offers', idempotent: true, customer: true },
  getOffer: { method: 'GET', path: '/merchant/offers/{id}', customer: true },
  cancelOffer: { method: 'POST', path: '/merchant/offers/{id}/cancel', idempotent: true, customer: true },
  getOwnPayoutAccount: { method: 'GET', path: '/merchant/payout-account', customer: true },
  changeOwnPayoutAccount: { method: 'PUT', path: '/merchant/payout-account', customer: true },
  listOwnPayouts: { method: 'GET', path: '/merchant/payouts', customer: true },
  getOwnPayout: { method: 'GET', path: '/merchant/payouts/{id}', customer: true },
  quoteSale: { method: 'POST', path: '/merchant/quotes', customer: true },
  listWaitingReturns: { method: 'GET', path: '/merchant/returns', customer: true },
  listSalesByDay: { method: 'GET', path: '/merchant/sales-by-day', customer: true },
  getMerchantStatement: { method: 'GET', path: '/merchant/statement', customer: true },
  getMerchantSummary: { method: 'GET', path: '/merchant/summary', customer: true },
  logOutMember: { method: 'POST', path: '/merchant/auth/logout' },
  sendMemberCode: { method: 'POST', path: '/merchant/auth/otp' },
  logInMember: { method: 'POST', path: '/merchant/auth/otp/login' },
  refreshMember: { method: 'POST', path: '/merchant/auth/refresh', idempotent: true },
  switchMerchant: { method: 'POST', path: '/merchant/auth/switch', customer: true },
  getMerchantMe: { method: 'GET', path: '/merchant/me', customer: true },
  listMembers: { method: 'GET', path: '/merchant/members', customer: true },
  addMember: { method: 'POST', path: '/merchant/members', idempotent: true, customer: true },
  changeMember: { method: 'PATCH', path: '/merchant/members/{id}', customer: true },
  removeMember: { method: 'DELETE', path: '/merchant/members/{id}', customer: true },
  listMemberSessions: { method: 'GET', path: '/merchant/members/{id}/sessions', customer: true },
  endMemberSession: { method: 'DELETE', path: '/merchant/members/{id}/sessions/{session}', customer: true },
  listEvents: { method: 'GET', path: '/events' },
  streamPartnerEvents: { method: 'GET', path: '/events/stream', stream: true },
  streamMerchantEvents: { method: 'GET', path: '/merchant/events', customer: true, stream: true },
  listWebhooks: { method: 'GET', path: '/webhooks' },
  createWebhook: { method: 'POST', path: '/webhooks', idempotent: true },
  getWebhook: { method: 'GET', path: '/webhooks/{id}' },
  updateWebhook: { method: 'PATCH', path: '/webhooks/{id}' },
  deleteWebhook: { method: 'DELETE', path: '/webhooks/{id}' },
  listWebhookDeliveries: { method: 'GET', path: '/webhooks/{id}/deliveries' },
  getWebhookDelivery: { method: 'GET', path: '/webhooks/{id}/deliveries/{delivery}' },
  resendWebhookDelivery: { method: 'POST', path: '/webhooks/{id}/deliveries/{delivery}/resend' },
  replayWebhook: { method: 'POST', path: '/webhooks/{id}/replay' },
  rotateWebhookSecret: { method: 'POST', path: '/webhooks/{id}/rotate', idempotent: true },
  testWebhook: { method: 'POST', path: '/webhooks/{id}/test' },
  listMessages: { method: 'GET', path: '/sandbox/messages' },
  payCharge: { method: 'POST', path: '/sandbox/pix/{txid}/pay' },
} as const;

/** The codes of problems; a code never changes its meaning. */
export type ProblemCode =
  | 'amount_changed'
  | 'amount_out_of_range'
  | 'amount_over_limit'
  | 'api_key_invalid'
  | 'api_key_missing'
  | 'autopay_active'
  | 'autopay_unavailable'
  | 'bad_request'
  | 'cashback_owed'
  | 'charge_expired'
  | 'charge_not_payable'
  | 'charge_replaced'
  | 'checkout_returned'
  | 'code_wrong'
  | 'cpf_registered'
  | 'credit_declined'
  | 'credit_limit_exceeded'
  | 'credit_review'
  | 'cursor_expired'
  | 'customer_erased'
  | 'customer_locked'
  | 'customer_overdue'
  | 'extension_limit'
  | 'headers_too_large'
  | 'idempotency_key_in_flight'
  | 'idempotency_key_reused'
  | 'installment_paid'
  | 'internal_error'
  | 'invalid_credentials'
  | 'items_mismatch'
  | 'last_owner'
  | 'login_locked'
  | 'malformed_json'
  | 'member_exists'
  | 'merchant_owes'
  | 'merchant_unlisted'
  | 'money_owed'
  | 'no_cashback'
  | 'no_phone_change'
  | 'not_found'
  | 'not_registered'
  | 'nothing_offered'
  | 'nothing_to_charge'
  | 'nothing_to_debit'
  | 'offer_claimed'
  | 'offer_closed'
  | 'offer_expired'
  | 'origin_not_allowed'
  | 'otp_too_soon'
  | 'own_merchant'
  | 'password_too_common'
  | 'payload_too_large'
  | 'penalty_due'
  | 'phone_not_supported'
  | 'phone_registered'
  | 'phone_taken'
  | 'psp_unavailable'
  | 'rate_limited'
  | 'reference_reused'
  | 'referral_code_unknown'
  | 'request_timeout'
  | 'return_url_not_allowed'
  | 'return_waiting'
  | 'role_missing'
  | 'scope_missing'
  | 'terms_unlawful'
  | 'token_expired'
  | 'token_invalid'
  | 'token_missing'
  | 'token_partner_mismatch'
  | 'too_many_attempts'
  | 'too_many_charges'
  | 'too_many_installments'
  | 'too_many_offers'
  | 'too_many_streams'
  | 'too_many_webhooks'
  | 'unavailable'
  | 'underage'
  | 'unsupported_media_type'
  | 'validation_failed'
  | 'value_out_of_range'
  | 'value_required'
  | 'webhook_disabled';
