export { compareFigures, runAudit } from './audit.ts';
export { closeDays, findLastClosableDay, sumAccounts } from './days.ts';
export { type Entry, mergeEntries, post, postForMerchant, reverseEntries } from './post.ts';
export {
  isPosted,
  listAccountBalances,
  listInstallmentBalances,
  listMerchantAccounts,
  listMerchantBalances,
  listMerchantPostings,
  listPostingBalances,
  type PostingBalances,
  selectPostingByReference,
} from './store.ts';
