import type { Deps } from '#module';
import type { Mode } from '#platform/settings.ts';
import type { FindMerchant, FindSlugs } from './merchant-directory.ts';

export type Partners = Pick<Deps, 'db' | 'clock'> & {
  readonly mode: Mode;
  readonly findMerchant: FindMerchant | undefined;
  readonly findSlugs: FindSlugs | undefined;
};
