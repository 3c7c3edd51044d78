export { type GetMaxPlanRate, maxPlanRate } from './content/kinds.ts';
export { LeadMerchantFields, StaffMerchant } from './content/resources.ts';
export { writeContent } from './import/import-records.ts';
export { createMerchantFromLead } from './leads/leads.ts';
export { findLead } from './leads/store.ts';
export { toAbsoluteUrl } from './media/media.ts';
export { type MerchantCache, merchantCache } from './merchant-cache.ts';
export { alreadyExists, leadClosed, MERCHANT_NOT_FOUND } from './problems.ts';
export { leadRoute } from './schemas.ts';
export { fold } from './search/fold.ts';
export { buildQueryTokens, buildWordTokens } from './search/word-tokens.ts';
export {
  countMerchants,
  filterByMerchant,
  findMerchantWithPlan,
  findMerchantWithPlanById,
  type MerchantPlan,
  type MerchantWithPlan,
} from './store.ts';
