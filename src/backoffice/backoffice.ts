import type { Clock } from '#platform/clock.ts';
import type { Db } from '#platform/database/db.ts';

export type Backoffice = { readonly db: Db; readonly clock: Clock };
