export { SEND_CODE } from './codes/request-code.ts';
export { restoreCustomer } from './create-customer.ts';
export { messageSender } from './customers.ts';
export { referralCodeUnknown } from './problems.ts';
export { notifyAllEnded } from './sessions/store.ts';
export { ensureSigningKey } from './tokens/rotate-keys.ts';
