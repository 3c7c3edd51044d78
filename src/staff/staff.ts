import type { Clock } from '#platform/clock.ts';
import type { Db } from '#platform/database/db.ts';
import type { Mode } from '#platform/settings.ts';

/** Dependencies of the endpoints. */
export type Staff = { readonly db: Db; readonly clock: Clock; readonly mode: Mode };
