import type { Events } from '#events';
import type { CheckMemberCode } from '#members';
import type { Clock } from '#platform/clock.ts';
import type { Db } from '#platform/database/db.ts';

/** The dependencies of this module's endpoints. */
export type Payouts = {
  db: Db;
  clock: Clock;
  events: Events;
  publicUrl: () => string;
  checkMemberCode: CheckMemberCode;
};
