export { absoluteUrl } from './absolute-url.ts';
export { writeContent } from './import/write-content.ts';
export { type MerchantCache, merchantCache } from './merchant-cache.ts';
export { words } from './search/fold.ts';
export {
  countMerchants,
  findSellingMerchant,
  findSellingMerchantById,
  type MerchantPlan,
  type SellingMerchant,
} from './store.ts';
