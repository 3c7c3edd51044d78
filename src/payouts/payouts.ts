import type { Events } from '#events';
import type { Clock } from '#platform/clock.ts';
import type { Db } from '#platform/database/db.ts';

/** What the endpoints of this module work with. */
export type Payouts = { db: Db; clock: Clock; events: Events; publicUrl: () => string };
