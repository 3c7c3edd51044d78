export { absoluteUrl } from './absolute-url.ts';
export { LeadMerchantFields, StaffMerchant } from './admin/resources.ts';
export { ofMerchant, requireMerchant } from './commands/merchant-option.ts';
export { writeContent } from './import/write-content.ts';
export { makeLeadMerchant } from './lead-merchant.ts';
export { type MerchantCache, merchantCache } from './merchant-cache.ts';
export { alreadyExists, leadClosed } from './problems.ts';
export { ofLead } from './schemas.ts';
export { fold } from './search/fold.ts';
export { searchTokens, wordTokens } from './search/word-tokens.ts';
export {
  countMerchants,
  findSellingMerchant,
  findSellingMerchantById,
  type MerchantPlan,
  type SellingMerchant,
} from './store.ts';
