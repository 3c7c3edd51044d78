import { batchable } from '#platform/database/batchable.ts';
import { type Queryable, sql } from '#platform/database/db.ts';
import type { SealedIdentity } from './people.ts';

const listReachable = batchable(
  (rows, owner) => sql`
    select id as customer_id, id, person_sealed, locked_at, erased_at
    from unnest(${rows.map(({ customerId }) => customerId)}::text[]) as k (customer_id) join customers on id = ${owner}`,
);

export const findReachable = (db: Queryable, customerId: string) =>
  db.row<SealedIdentity & { locked_at: Date | null; erased_at: Date | null }>(listReachable({ customerId }));
