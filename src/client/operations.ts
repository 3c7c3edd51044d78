// Made by 'npm run generate' from openapi.json.

export const operations = {
  listMerchants: { method: 'GET', path: '/public/merchants' },
  getMerchant: { method: 'GET', path: '/public/merchants/{slug}' },
  listCategories: { method: 'GET', path: '/public/categories' },
  listFaq: { method: 'GET', path: '/public/faq' },
  listPosts: { method: 'GET', path: '/public/blog' },
  getPost: { method: 'GET', path: '/public/blog/{slug}' },
  createLead: { method: 'POST', path: '/public/leads', idempotent: true },
  checkPhone: { method: 'POST', path: '/wallet/auth/phone-check' },
  logIn: { method: 'POST', path: '/wallet/auth/login' },
  sendCode: { method: 'POST', path: '/wallet/auth/otp' },
  logInByCode: { method: 'POST', path: '/wallet/auth/otp/login' },
  setPassword: { method: 'POST', path: '/wallet/auth/password' },
  refresh: { method: 'POST', path: '/wallet/auth/refresh' },
  logOut: { method: 'POST', path: '/wallet/auth/logout' },
  getMe: { method: 'GET', path: '/wallet/me', customer: true },
  getSigningKeys: { method: 'GET', path: '/.well-known/jwks.json' },
  listCheckouts: { method: 'GET', path: '/wallet/checkouts', customer: true },
  getCheckout: { method: 'GET', path: '/wallet/checkouts/{hash}', customer: true },
  createPix: { method: 'POST', path: '/wallet/installments/{id}/pix', idempotent: true, customer: true },
  listPix: { method: 'GET', path: '/wallet/installments/{id}/pix', customer: true },
  getPix: { method: 'GET', path: '/wallet/pix/{id}', customer: true },
  getCashbackBalance: { method: 'GET', path: '/wallet/cashback/balance', customer: true },
  listCashbackEntries: { method: 'GET', path: '/wallet/cashback/ledger', customer: true },
  getReferral: { method: 'GET', path: '/wallet/referral', customer: true },
  streamEvents: { method: 'GET', path: '/wallet/events', customer: true },
} as const;

/** What an operation may be refused with besides, by `code`. */
export type ProblemCodes = {
  listMerchants: 'validation_failed';
  getMerchant: 'not_found';
  listCategories: never;
  listFaq: 'validation_failed';
  listPosts: 'validation_failed';
  getPost: 'not_found';
  createLead: 'idempotency_key_in_flight' | 'idempotency_key_reused' | 'malformed_json' | 'payload_too_large' | 'request_timeout' | 'unsupported_media_type' | 'validation_failed';
  checkPhone: 'malformed_json' | 'payload_too_large' | 'request_timeout' | 'unsupported_media_type' | 'validation_failed';
  logIn: 'invalid_credentials' | 'login_locked' | 'malformed_json' | 'payload_too_large' | 'request_timeout' | 'unsupported_media_type' | 'validation_failed';
  sendCode: 'malformed_json' | 'otp_too_soon' | 'payload_too_large' | 'phone_not_supported' | 'request_timeout' | 'unsupported_media_type' | 'validation_failed';
  logInByCode: 'invalid_credentials' | 'malformed_json' | 'not_registered' | 'payload_too_large' | 'request_timeout' | 'unsupported_media_type' | 'validation_failed';
  setPassword: 'invalid_credentials' | 'malformed_json' | 'not_registered' | 'password_too_common' | 'payload_too_large' | 'request_timeout' | 'unsupported_media_type' | 'validation_failed';
  refresh: 'malformed_json' | 'payload_too_large' | 'request_timeout' | 'token_expired' | 'token_invalid' | 'token_partner_mismatch' | 'unsupported_media_type' | 'validation_failed';
  logOut: 'malformed_json' | 'payload_too_large' | 'request_timeout' | 'token_partner_mismatch' | 'unsupported_media_type' | 'validation_failed';
  getMe: 'token_expired' | 'token_invalid' | 'token_missing' | 'token_partner_mismatch';
  getSigningKeys: never;
  listCheckouts: 'token_expired' | 'token_invalid' | 'token_missing' | 'token_partner_mismatch' | 'validation_failed';
  getCheckout: 'not_found' | 'token_expired' | 'token_invalid' | 'token_missing' | 'token_partner_mismatch';
  createPix: 'amount_changed' | 'extension_limit' | 'idempotency_key_in_flight' | 'idempotency_key_reused' | 'installment_paid' | 'malformed_json' | 'not_found' | 'nothing_to_charge' | 'payload_too_large' | 'penalty_due' | 'psp_unavailable' | 'request_timeout' | 'token_expired' | 'token_invalid' | 'token_missing' | 'token_partner_mismatch' | 'too_many_charges' | 'unsupported_media_type' | 'validation_failed' | 'value_out_of_range' | 'value_required';
  listPix: 'not_found' | 'token_expired' | 'token_invalid' | 'token_missing' | 'token_partner_mismatch' | 'validation_failed';
  getPix: 'not_found' | 'token_expired' | 'token_invalid' | 'token_missing' | 'token_partner_mismatch';
  getCashbackBalance: 'token_expired' | 'token_invalid' | 'token_missing' | 'token_partner_mismatch';
  listCashbackEntries: 'token_expired' | 'token_invalid' | 'token_missing' | 'token_partner_mismatch' | 'validation_failed';
  getReferral: 'not_found' | 'token_expired' | 'token_invalid' | 'token_missing' | 'token_partner_mismatch' | 'validation_failed';
  streamEvents: 'token_expired' | 'token_invalid' | 'token_missing' | 'token_partner_mismatch' | 'too_many_streams' | 'validation_failed';
};

/** What any operation may be refused with. */
export type CommonCode = 'api_key_invalid' | 'api_key_missing' | 'bad_request' | 'headers_too_large' | 'internal_error' | 'origin_not_allowed' | 'rate_limited' | 'scope_missing' | 'unavailable';
