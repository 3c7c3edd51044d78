export { type Entry, merged, reversed } from './accounts.ts';
export { type Auditor, audit, compare } from './audit.ts';
export { post } from './post.ts';
export { type CustomerRange, isPosted, listInstallmentBalances, listPostingBalances } from './store.ts';
