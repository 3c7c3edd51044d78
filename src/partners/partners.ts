import type { Clock } from '#platform/clock.ts';
import type { Db } from '#platform/database/db.ts';
import type { Mode } from '#platform/settings.ts';
import type { FindMerchant, FindSlugs } from './merchant-directory.ts';

export type Partners = {
  readonly db: Db;
  readonly clock: Clock;
  readonly mode: Mode;
  readonly findMerchant: FindMerchant | undefined;
  readonly findSlugs: FindSlugs | undefined;
};
