import { CommandFault } from '#platform/command-line/command.ts';
import type { Filter } from '#platform/command-line/listing.ts';
import { readCustomer } from '#platform/command-line/values.ts';
import type { Queryable } from '#platform/database/db.ts';
import { findCustomerId, isCustomer } from '../store.ts';

export const CUSTOMER = { name: 'CUSTOMER', help: 'id or phone of the customer' } as const;

export const NOBODY = `There is no such customer. See 'semana customer list'.`;

/** The id of a customer who is named by id or phone. */
export async function requireCustomer(db: Queryable, given: string): Promise<string> {
  const id = await findCustomerId(db, readCustomer(given));
  if (id === undefined || !(await isCustomer(db, id))) throw new CommandFault(NOBODY);
  return id;
}

/** A list of one customer. */
export const ofCustomer: Filter<string> = {
  option: 'customer',
  value: 'ID',
  help: 'of one customer: id or phone',
  read: (text, { db }) => requireCustomer(db, text),
};
