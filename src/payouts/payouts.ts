import type { Events } from '#events';
import type { CheckMemberCode } from '#members';
import type { Clock } from '#platform/clock.ts';
import type { Db } from '#platform/database/db.ts';
import type { ResolveSearch } from '#platform/http/search.ts';

export type Payouts = {
  db: Db;
  clock: Clock;
  events: Events;
  resolveSearch: ResolveSearch;
  publicUrl: () => string;
  checkMemberCode: CheckMemberCode;
};
