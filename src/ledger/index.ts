export { type Entry, mergeEntries, reverseEntries } from './accounts.ts';
export { compareFigures, runAudit } from './audit.ts';
export { closeDays, enqueueClosingIfNeeded, findLastClosableDay, sumAccounts } from './days.ts';
export { post, queueMerchantPosting } from './post.ts';
export {
  isPosted,
  listAccountBalances,
  listInstallmentBalances,
  listMerchantAccountBalances,
  listMerchantPayables,
  listMerchantPostings,
  listPostingBalances,
  type PostingBalances,
  selectPostingByReference,
} from './store.ts';
