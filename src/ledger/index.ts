export { type Entry, merged, reversed } from './accounts.ts';
export { type Auditor, audit, compare } from './audit.ts';
export { closeDays, lastDayOver, sumAccounts } from './days.ts';
export { post, postForMerchant } from './post.ts';
export {
  type CustomerRange,
  isPosted,
  listAccountBalances,
  listInstallmentBalances,
  listMerchantAccounts,
  listMerchantBalances,
  listMerchantPostings,
  listPostingBalances,
  postedAs,
} from './store.ts';
