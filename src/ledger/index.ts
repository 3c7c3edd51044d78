export { type Entry, merged, reversed } from './accounts.ts';
export { type Auditor, audit, compare } from './audit.ts';
export { post } from './post.ts';
export { type CustomerRange, listAccountBalances, listInstallmentBalances } from './store.ts';
