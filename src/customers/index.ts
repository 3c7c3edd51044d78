export { CUSTOMER_OPTION, customerOption } from './commands/customer-option.ts';
export { restoreCustomer } from './create-customer.ts';
export { creditUsage, messageSender, overdueCustomers } from './customers.ts';
export { canReach, type Messenger, messenger } from './messenger.ts';
export { hashPhone, NO_HASH } from './people.ts';
export { phoneNotSupported, referralCodeUnknown } from './problems.ts';
export { type CustomerPartner, listCustomerPartners, notifyAllEnded } from './sessions/store.ts';
export {
  countCustomers,
  findCodeOwner,
  findCustomerId,
  findCustomerRange,
  findName,
  findPhoneHash,
  type LockedCustomer,
  listNames,
  listPhoneOwners,
  lockCustomerById,
  type Overdue,
  type OverdueCustomers,
  referralCodeOf,
} from './store.ts';
export { ensureSigningKey } from './tokens/rotate-keys.ts';
