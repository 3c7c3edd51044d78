// Made by 'npm run generate' from openapi.json.

export const operations = {
  getSigningKeys: { method: 'GET', path: '/.well-known/jwks.json' },
  listEvents: { method: 'GET', path: '/events' },
  streamPartnerEvents: { method: 'GET', path: '/events/stream', stream: true },
  getMediaFile: { method: 'GET', path: '/media/files/{name}' },
  logOutMember: { method: 'POST', path: '/merchant/auth/logout' },
  sendMemberCode: { method: 'POST', path: '/merchant/auth/otp' },
  logInMember: { method: 'POST', path: '/merchant/auth/otp/login' },
  refreshMember: { method: 'POST', path: '/merchant/auth/refresh', idempotent: true },
  switchMerchant: { method: 'POST', path: '/merchant/auth/switch', customer: true },
  listSales: { method: 'GET', path: '/merchant/checkouts', customer: true },
  getSale: { method: 'GET', path: '/merchant/checkouts/{hash}', customer: true },
  returnSale: { method: 'POST', path: '/merchant/checkouts/{hash}/returns', idempotent: true, customer: true },
  streamMerchantEvents: { method: 'GET', path: '/merchant/events', customer: true, stream: true },
  getMerchantMe: { method: 'GET', path: '/merchant/me', customer: true },
  listMembers: { method: 'GET', path: '/merchant/members', customer: true },
  addMember: { method: 'POST', path: '/merchant/members', idempotent: true, customer: true },
  changeMember: { method: 'PATCH', path: '/merchant/members/{id}', customer: true },
  removeMember: { method: 'DELETE', path: '/merchant/members/{id}', customer: true },
  listMemberSessions: { method: 'GET', path: '/merchant/members/{id}/sessions', customer: true },
  endMemberSession: { method: 'DELETE', path: '/merchant/members/{id}/sessions/{session}', customer: true },
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
  getAgreement: { method: 'GET', path: '/public/agreements/{kind}' },
  listPosts: { method: 'GET', path: '/public/blog' },
  getPost: { method: 'GET', path: '/public/blog/{slug}' },
  listCategories: { method: 'GET', path: '/public/categories' },
  getCreditor: { method: 'GET', path: '/public/creditor' },
  listFaq: { method: 'GET', path: '/public/faq' },
  createLead: { method: 'POST', path: '/public/leads', idempotent: true },
  listMerchants: { method: 'GET', path: '/public/merchants' },
  getMerchant: { method: 'GET', path: '/public/merchants/{slug}' },
  quotePurchase: { method: 'GET', path: '/public/merchants/{slug}/quote' },
  getOpenOffer: { method: 'GET', path: '/public/offers/{token}' },
  logIn: { method: 'POST', path: '/wallet/auth/login' },
  logOut: { method: 'POST', path: '/wallet/auth/logout' },
  sendCode: { method: 'POST', path: '/wallet/auth/otp' },
  logInByCode: { method: 'POST', path: '/wallet/auth/otp/login' },
  setPassword: { method: 'POST', path: '/wallet/auth/password' },
  checkPhone: { method: 'POST', path: '/wallet/auth/phone-check' },
  refresh: { method: 'POST', path: '/wallet/auth/refresh', idempotent: true },
  signUp: { method: 'POST', path: '/wallet/auth/signup', idempotent: true },
  getCalendar: { method: 'GET', path: '/wallet/calendar', customer: true },
  makeCalendarFeed: { method: 'POST', path: '/wallet/calendar/feed', customer: true },
  endCalendarFeed: { method: 'DELETE', path: '/wallet/calendar/feed', customer: true },
  getCashbackBalance: { method: 'GET', path: '/wallet/cashback/balance', customer: true },
  listCashbackEntries: { method: 'GET', path: '/wallet/cashback/ledger', customer: true },
  listCheckouts: { method: 'GET', path: '/wallet/checkouts', customer: true },
  getCheckout: { method: 'GET', path: '/wallet/checkouts/{hash}', customer: true },
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
  payWithCashback: { method: 'POST', path: '/wallet/installments/{id}/cashback', idempotent: true, customer: true },
  listPix: { method: 'GET', path: '/wallet/installments/{id}/pix', customer: true },
  createPix: { method: 'POST', path: '/wallet/installments/{id}/pix', idempotent: true, customer: true },
  getMe: { method: 'GET', path: '/wallet/me', customer: true },
  listWalletMessages: { method: 'GET', path: '/wallet/messages', customer: true },
  listWalletOffers: { method: 'GET', path: '/wallet/offers', customer: true },
  getWalletOffer: { method: 'GET', path: '/wallet/offers/{id}', customer: true },
  acceptOffer: { method: 'POST', path: '/wallet/offers/{id}/accept', idempotent: true, customer: true },
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
  getReferral: { method: 'GET', path: '/wallet/referral', customer: true },
  listSessions: { method: 'GET', path: '/wallet/sessions', customer: true },
  endSession: { method: 'POST', path: '/wallet/sessions/{id}/end', customer: true },
  getStatement: { method: 'GET', path: '/wallet/statements/{year}', customer: true },
} as const;

/** What an operation may be refused with besides, by `code`. */
export type ProblemCodes = {
  getSigningKeys: never;
  listEvents: 'cursor_expired' | 'validation_failed';
  streamPartnerEvents: 'too_many_streams' | 'validation_failed';
  getMediaFile: 'not_found';
  logOutMember: 'malformed_json' | 'payload_too_large' | 'request_timeout' | 'token_partner_mismatch' | 'unsupported_media_type' | 'validation_failed';
  sendMemberCode: 'malformed_json' | 'otp_too_soon' | 'payload_too_large' | 'phone_not_supported' | 'request_timeout' | 'unsupported_media_type' | 'validation_failed';
  logInMember: 'invalid_credentials' | 'malformed_json' | 'payload_too_large' | 'request_timeout' | 'unsupported_media_type' | 'validation_failed';
  refreshMember: 'malformed_json' | 'payload_too_large' | 'request_timeout' | 'token_expired' | 'token_invalid' | 'token_partner_mismatch' | 'unsupported_media_type' | 'validation_failed';
  switchMerchant: 'malformed_json' | 'not_found' | 'payload_too_large' | 'request_timeout' | 'role_missing' | 'token_expired' | 'token_invalid' | 'token_missing' | 'token_partner_mismatch' | 'unsupported_media_type' | 'validation_failed';
  listSales: 'role_missing' | 'token_expired' | 'token_invalid' | 'token_missing' | 'token_partner_mismatch' | 'validation_failed';
  getSale: 'not_found' | 'role_missing' | 'token_expired' | 'token_invalid' | 'token_missing' | 'token_partner_mismatch';
  returnSale: 'checkout_returned' | 'idempotency_key_in_flight' | 'idempotency_key_reused' | 'malformed_json' | 'not_found' | 'payload_too_large' | 'request_timeout' | 'return_waiting' | 'role_missing' | 'token_expired' | 'token_invalid' | 'token_missing' | 'token_partner_mismatch' | 'unsupported_media_type' | 'validation_failed' | 'value_out_of_range';
  streamMerchantEvents: 'role_missing' | 'token_expired' | 'token_invalid' | 'token_missing' | 'token_partner_mismatch' | 'too_many_streams' | 'validation_failed';
  getMerchantMe: 'role_missing' | 'token_expired' | 'token_invalid' | 'token_missing' | 'token_partner_mismatch';
  listMembers: 'role_missing' | 'token_expired' | 'token_invalid' | 'token_missing' | 'token_partner_mismatch';
  addMember: 'idempotency_key_in_flight' | 'idempotency_key_reused' | 'last_owner' | 'malformed_json' | 'member_exists' | 'payload_too_large' | 'request_timeout' | 'role_missing' | 'token_expired' | 'token_invalid' | 'token_missing' | 'token_partner_mismatch' | 'unsupported_media_type' | 'validation_failed';
  changeMember: 'last_owner' | 'malformed_json' | 'not_found' | 'payload_too_large' | 'request_timeout' | 'role_missing' | 'token_expired' | 'token_invalid' | 'token_missing' | 'token_partner_mismatch' | 'unsupported_media_type' | 'validation_failed';
  removeMember: 'last_owner' | 'malformed_json' | 'not_found' | 'payload_too_large' | 'request_timeout' | 'role_missing' | 'token_expired' | 'token_invalid' | 'token_missing' | 'token_partner_mismatch' | 'unsupported_media_type';
  listMemberSessions: 'not_found' | 'role_missing' | 'token_expired' | 'token_invalid' | 'token_missing' | 'token_partner_mismatch';
  endMemberSession: 'malformed_json' | 'not_found' | 'payload_too_large' | 'request_timeout' | 'role_missing' | 'token_expired' | 'token_invalid' | 'token_missing' | 'token_partner_mismatch' | 'unsupported_media_type';
  listOffers: 'role_missing' | 'token_expired' | 'token_invalid' | 'token_missing' | 'token_partner_mismatch' | 'validation_failed';
  createOffer: 'amount_out_of_range' | 'amount_over_limit' | 'idempotency_key_in_flight' | 'idempotency_key_reused' | 'items_mismatch' | 'malformed_json' | 'merchant_owes' | 'merchant_unlisted' | 'payload_too_large' | 'phone_not_supported' | 'reference_reused' | 'request_timeout' | 'return_url_not_allowed' | 'role_missing' | 'terms_unlawful' | 'token_expired' | 'token_invalid' | 'token_missing' | 'token_partner_mismatch' | 'too_many_installments' | 'too_many_offers' | 'unsupported_media_type' | 'validation_failed';
  getOffer: 'not_found' | 'role_missing' | 'token_expired' | 'token_invalid' | 'token_missing' | 'token_partner_mismatch';
  cancelOffer: 'idempotency_key_in_flight' | 'idempotency_key_reused' | 'malformed_json' | 'not_found' | 'offer_closed' | 'offer_expired' | 'payload_too_large' | 'request_timeout' | 'role_missing' | 'token_expired' | 'token_invalid' | 'token_missing' | 'token_partner_mismatch' | 'unsupported_media_type' | 'validation_failed';
  getOwnPayoutAccount: 'role_missing' | 'token_expired' | 'token_invalid' | 'token_missing' | 'token_partner_mismatch';
  changeOwnPayoutAccount: 'code_wrong' | 'malformed_json' | 'not_found' | 'payload_too_large' | 'request_timeout' | 'role_missing' | 'token_expired' | 'token_invalid' | 'token_missing' | 'token_partner_mismatch' | 'unsupported_media_type' | 'validation_failed';
  listOwnPayouts: 'role_missing' | 'token_expired' | 'token_invalid' | 'token_missing' | 'token_partner_mismatch' | 'validation_failed';
  getOwnPayout: 'not_found' | 'role_missing' | 'token_expired' | 'token_invalid' | 'token_missing' | 'token_partner_mismatch' | 'validation_failed';
  quoteSale: 'amount_out_of_range' | 'malformed_json' | 'merchant_unlisted' | 'payload_too_large' | 'request_timeout' | 'role_missing' | 'terms_unlawful' | 'token_expired' | 'token_invalid' | 'token_missing' | 'token_partner_mismatch' | 'too_many_installments' | 'unsupported_media_type' | 'validation_failed';
  listWaitingReturns: 'role_missing' | 'token_expired' | 'token_invalid' | 'token_missing' | 'token_partner_mismatch' | 'validation_failed';
  listSalesByDay: 'role_missing' | 'token_expired' | 'token_invalid' | 'token_missing' | 'token_partner_mismatch' | 'validation_failed';
  getMerchantStatement: 'role_missing' | 'token_expired' | 'token_invalid' | 'token_missing' | 'token_partner_mismatch' | 'validation_failed';
  getMerchantSummary: 'role_missing' | 'token_expired' | 'token_invalid' | 'token_missing' | 'token_partner_mismatch' | 'validation_failed';
  getAgreement: 'not_found';
  listPosts: 'validation_failed';
  getPost: 'not_found';
  listCategories: never;
  getCreditor: never;
  listFaq: 'validation_failed';
  createLead: 'idempotency_key_in_flight' | 'idempotency_key_reused' | 'malformed_json' | 'payload_too_large' | 'request_timeout' | 'unsupported_media_type' | 'validation_failed';
  listMerchants: 'validation_failed';
  getMerchant: 'not_found';
  quotePurchase: 'amount_out_of_range' | 'not_found' | 'terms_unlawful' | 'too_many_installments' | 'validation_failed';
  getOpenOffer: 'not_found';
  logIn: 'invalid_credentials' | 'login_locked' | 'malformed_json' | 'payload_too_large' | 'request_timeout' | 'unsupported_media_type' | 'validation_failed';
  logOut: 'malformed_json' | 'payload_too_large' | 'request_timeout' | 'token_partner_mismatch' | 'unsupported_media_type' | 'validation_failed';
  sendCode: 'malformed_json' | 'otp_too_soon' | 'payload_too_large' | 'phone_not_supported' | 'request_timeout' | 'unsupported_media_type' | 'validation_failed';
  logInByCode: 'invalid_credentials' | 'malformed_json' | 'not_registered' | 'payload_too_large' | 'request_timeout' | 'unsupported_media_type' | 'validation_failed';
  setPassword: 'invalid_credentials' | 'malformed_json' | 'not_registered' | 'password_too_common' | 'payload_too_large' | 'request_timeout' | 'unsupported_media_type' | 'validation_failed';
  checkPhone: 'malformed_json' | 'payload_too_large' | 'request_timeout' | 'unsupported_media_type' | 'validation_failed';
  refresh: 'malformed_json' | 'payload_too_large' | 'request_timeout' | 'token_expired' | 'token_invalid' | 'token_partner_mismatch' | 'unsupported_media_type' | 'validation_failed';
  signUp: 'cpf_registered' | 'idempotency_key_in_flight' | 'idempotency_key_reused' | 'invalid_credentials' | 'malformed_json' | 'password_too_common' | 'payload_too_large' | 'phone_registered' | 'referral_code_unknown' | 'request_timeout' | 'underage' | 'unsupported_media_type' | 'validation_failed';
  getCalendar: 'token_expired' | 'token_invalid' | 'token_missing' | 'token_partner_mismatch';
  makeCalendarFeed: 'malformed_json' | 'payload_too_large' | 'request_timeout' | 'token_expired' | 'token_invalid' | 'token_missing' | 'token_partner_mismatch' | 'unsupported_media_type';
  endCalendarFeed: 'malformed_json' | 'payload_too_large' | 'request_timeout' | 'token_expired' | 'token_invalid' | 'token_missing' | 'token_partner_mismatch' | 'unsupported_media_type';
  getCashbackBalance: 'token_expired' | 'token_invalid' | 'token_missing' | 'token_partner_mismatch';
  listCashbackEntries: 'token_expired' | 'token_invalid' | 'token_missing' | 'token_partner_mismatch' | 'validation_failed';
  listCheckouts: 'token_expired' | 'token_invalid' | 'token_missing' | 'token_partner_mismatch' | 'validation_failed';
  getCheckout: 'not_found' | 'token_expired' | 'token_invalid' | 'token_missing' | 'token_partner_mismatch';
  getAutopay: 'not_found' | 'token_expired' | 'token_invalid' | 'token_missing' | 'token_partner_mismatch';
  askAutopay: 'amount_changed' | 'autopay_active' | 'autopay_unavailable' | 'charge_replaced' | 'extension_limit' | 'idempotency_key_in_flight' | 'idempotency_key_reused' | 'installment_paid' | 'malformed_json' | 'not_found' | 'nothing_to_charge' | 'nothing_to_debit' | 'payload_too_large' | 'penalty_due' | 'psp_unavailable' | 'request_timeout' | 'token_expired' | 'token_invalid' | 'token_missing' | 'token_partner_mismatch' | 'too_many_charges' | 'unsupported_media_type' | 'validation_failed' | 'value_out_of_range' | 'value_required';
  endAutopay: 'malformed_json' | 'not_found' | 'payload_too_large' | 'request_timeout' | 'token_expired' | 'token_invalid' | 'token_missing' | 'token_partner_mismatch' | 'unsupported_media_type';
  getContract: 'not_found' | 'token_expired' | 'token_invalid' | 'token_missing' | 'token_partner_mismatch';
  getCredit: 'token_expired' | 'token_invalid' | 'token_missing' | 'token_partner_mismatch';
  acceptCreditLimit: 'malformed_json' | 'nothing_offered' | 'payload_too_large' | 'request_timeout' | 'token_expired' | 'token_invalid' | 'token_missing' | 'token_partner_mismatch' | 'unsupported_media_type';
  askCreditReview: 'malformed_json' | 'payload_too_large' | 'request_timeout' | 'token_expired' | 'token_invalid' | 'token_missing' | 'token_partner_mismatch' | 'unsupported_media_type';
  changeOwnEmail: 'code_wrong' | 'malformed_json' | 'payload_too_large' | 'request_timeout' | 'token_expired' | 'token_invalid' | 'token_missing' | 'token_partner_mismatch' | 'unsupported_media_type' | 'validation_failed';
  checkErasure: 'token_expired' | 'token_invalid' | 'token_missing' | 'token_partner_mismatch';
  eraseOwnAccount: 'code_wrong' | 'customer_erased' | 'malformed_json' | 'money_owed' | 'payload_too_large' | 'request_timeout' | 'token_expired' | 'token_invalid' | 'token_missing' | 'token_partner_mismatch' | 'unsupported_media_type' | 'validation_failed';
  streamEvents: 'token_expired' | 'token_invalid' | 'token_missing' | 'token_partner_mismatch' | 'too_many_streams' | 'validation_failed';
  exportOwnData: 'token_expired' | 'token_invalid' | 'token_missing' | 'token_partner_mismatch';
  payWithCashback: 'idempotency_key_in_flight' | 'idempotency_key_reused' | 'installment_paid' | 'malformed_json' | 'no_cashback' | 'not_found' | 'payload_too_large' | 'request_timeout' | 'token_expired' | 'token_invalid' | 'token_missing' | 'token_partner_mismatch' | 'unsupported_media_type' | 'validation_failed' | 'value_out_of_range';
  listPix: 'not_found' | 'token_expired' | 'token_invalid' | 'token_missing' | 'token_partner_mismatch' | 'validation_failed';
  createPix: 'amount_changed' | 'charge_replaced' | 'extension_limit' | 'idempotency_key_in_flight' | 'idempotency_key_reused' | 'installment_paid' | 'malformed_json' | 'not_found' | 'nothing_to_charge' | 'payload_too_large' | 'penalty_due' | 'psp_unavailable' | 'request_timeout' | 'token_expired' | 'token_invalid' | 'token_missing' | 'token_partner_mismatch' | 'too_many_charges' | 'unsupported_media_type' | 'validation_failed' | 'value_out_of_range' | 'value_required';
  getMe: 'token_expired' | 'token_invalid' | 'token_missing' | 'token_partner_mismatch';
  listWalletMessages: 'token_expired' | 'token_invalid' | 'token_missing' | 'token_partner_mismatch' | 'validation_failed';
  listWalletOffers: 'token_expired' | 'token_invalid' | 'token_missing' | 'token_partner_mismatch' | 'validation_failed';
  getWalletOffer: 'amount_out_of_range' | 'not_found' | 'token_expired' | 'token_invalid' | 'token_missing' | 'token_partner_mismatch' | 'too_many_installments' | 'validation_failed';
  acceptOffer: 'amount_out_of_range' | 'cashback_owed' | 'credit_declined' | 'credit_limit_exceeded' | 'credit_review' | 'customer_locked' | 'customer_overdue' | 'idempotency_key_in_flight' | 'idempotency_key_reused' | 'malformed_json' | 'not_found' | 'offer_closed' | 'offer_expired' | 'own_merchant' | 'payload_too_large' | 'request_timeout' | 'token_expired' | 'token_invalid' | 'token_missing' | 'token_partner_mismatch' | 'too_many_installments' | 'unsupported_media_type' | 'validation_failed';
  declineOffer: 'idempotency_key_in_flight' | 'idempotency_key_reused' | 'malformed_json' | 'not_found' | 'offer_closed' | 'offer_expired' | 'payload_too_large' | 'request_timeout' | 'token_expired' | 'token_invalid' | 'token_missing' | 'token_partner_mismatch' | 'unsupported_media_type' | 'validation_failed';
  claimOffer: 'cashback_owed' | 'customer_locked' | 'customer_overdue' | 'idempotency_key_in_flight' | 'idempotency_key_reused' | 'malformed_json' | 'not_found' | 'offer_claimed' | 'offer_closed' | 'offer_expired' | 'own_merchant' | 'payload_too_large' | 'request_timeout' | 'token_expired' | 'token_invalid' | 'token_missing' | 'token_partner_mismatch' | 'too_many_attempts' | 'unsupported_media_type' | 'validation_failed';
  changeOwnPhone: 'code_wrong' | 'malformed_json' | 'payload_too_large' | 'phone_taken' | 'request_timeout' | 'token_expired' | 'token_invalid' | 'token_missing' | 'token_partner_mismatch' | 'unsupported_media_type' | 'validation_failed';
  getPhoneChange: 'token_expired' | 'token_invalid' | 'token_missing' | 'token_partner_mismatch';
  cancelOwnPhoneChange: 'malformed_json' | 'no_phone_change' | 'payload_too_large' | 'request_timeout' | 'token_expired' | 'token_invalid' | 'token_missing' | 'token_partner_mismatch' | 'unsupported_media_type';
  getPix: 'not_found' | 'token_expired' | 'token_invalid' | 'token_missing' | 'token_partner_mismatch';
  getReceipt: 'not_found' | 'token_expired' | 'token_invalid' | 'token_missing' | 'token_partner_mismatch';
  getPreferences: 'token_expired' | 'token_invalid' | 'token_missing' | 'token_partner_mismatch';
  setPreferences: 'malformed_json' | 'payload_too_large' | 'request_timeout' | 'token_expired' | 'token_invalid' | 'token_missing' | 'token_partner_mismatch' | 'unsupported_media_type' | 'validation_failed';
  getPush: 'token_expired' | 'token_invalid' | 'token_missing' | 'token_partner_mismatch';
  addPush: 'malformed_json' | 'payload_too_large' | 'request_timeout' | 'token_expired' | 'token_invalid' | 'token_missing' | 'token_partner_mismatch' | 'unsupported_media_type' | 'validation_failed';
  endPush: 'malformed_json' | 'payload_too_large' | 'request_timeout' | 'token_expired' | 'token_invalid' | 'token_missing' | 'token_partner_mismatch' | 'unsupported_media_type';
  getReferral: 'not_found' | 'token_expired' | 'token_invalid' | 'token_missing' | 'token_partner_mismatch' | 'validation_failed';
  listSessions: 'token_expired' | 'token_invalid' | 'token_missing' | 'token_partner_mismatch';
  endSession: 'malformed_json' | 'not_found' | 'payload_too_large' | 'request_timeout' | 'token_expired' | 'token_invalid' | 'token_missing' | 'token_partner_mismatch' | 'unsupported_media_type';
  getStatement: 'not_found' | 'token_expired' | 'token_invalid' | 'token_missing' | 'token_partner_mismatch';
};

/** What any operation may be refused with. */
export type CommonCode = 'api_key_invalid' | 'api_key_missing' | 'bad_request' | 'headers_too_large' | 'internal_error' | 'origin_not_allowed' | 'rate_limited' | 'scope_missing' | 'unavailable';
