export { absoluteUrl } from './absolute-url.ts';
export { writeContent } from './import/write-content.ts';
export { findSellingMerchant, type SellingMerchant } from './store.ts';
