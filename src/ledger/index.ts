export { type Entry, merged, reversed } from './accounts.ts';
export { audit, compare } from './audit.ts';
export { closeDays, lastDayOver, sumAccounts } from './days.ts';
export { post, postForMerchant } from './post.ts';
export {
  isPosted,
  listAccountBalances,
  listInstallmentBalances,
  listMerchantAccounts,
  listMerchantBalances,
  listMerchantPostings,
  listPostingBalances,
  type PostingBalances,
  postedAs,
} from './store.ts';
