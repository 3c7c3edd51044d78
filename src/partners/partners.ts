import type { Deps } from '#module';
import type { Mode } from '#platform/settings.ts';
import type { FindMerchantId, FindMerchantSlugs } from './merchant-lookup.ts';

export type PartnersDeps = Pick<Deps, 'db' | 'clock'> & {
  readonly mode: Mode;
  readonly findMerchant: FindMerchantId | undefined;
  readonly findSlugs: FindMerchantSlugs | undefined;
};
