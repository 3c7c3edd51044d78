import { type Arguments, type CommandContext, CommandFault } from '#platform/command.ts';
import { readCustomer } from '#platform/command-values.ts';
import { findCustomerId } from '../store.ts';

/** `--customer` of lists: whose things are shown. */
export const CUSTOMER_OPTION = { value: 'ID', help: 'of one customer: id or phone' };

export async function customerOf({ db }: CommandContext, args: Arguments): Promise<string | undefined> {
  const text = args.option('customer');
  if (text === undefined) return undefined;
  const id = await findCustomerId(db, readCustomer(text));
  if (id === undefined) throw new CommandFault(`There is no customer '${text}'.`);
  return id;
}
