import type { Events } from '#events';
import type { Clock } from '#platform/clock.ts';
import type { Db } from '#platform/database/db.ts';
import type { ResolveSearch } from '#platform/http/search.ts';
import type { RewardsSettings } from './settings.ts';

export type Rewards = {
  db: Db;
  clock: Clock;
  events: Events;
  referral: RewardsSettings;
  resolveSearch: ResolveSearch;
  publicUrl: () => string;
};
