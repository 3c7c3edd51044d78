import { findCustomerOf } from '#credit';
import { findCustomerId } from '#customers';
import type { Queryable } from '#platform/database/db.ts';
import type { Whose } from '../store/lists.ts';

/** Rows of a purchase are searched among those of its customer. No customer has the id ''. */
export async function narrowed(
  db: Queryable,
  { customer, checkout }: { customer?: string | undefined; checkout?: string | undefined },
): Promise<Whose> {
  return {
    customerId: customer === undefined ? undefined : ((await findCustomerId(db, customer)) ?? ''),
    checkout:
      checkout === undefined
        ? undefined
        : { hash: checkout, customerId: (await findCustomerOf(db, checkout)) ?? '' },
  };
}
