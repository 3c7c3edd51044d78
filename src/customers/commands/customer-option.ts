import type { Arguments, CommandContext, Option } from '#platform/command-line/command.ts';
import { readCustomer } from '#platform/command-line/values.ts';
import { findCustomerId, isCustomer } from '../store.ts';
import { nobody } from './customer-list.ts';

export const CUSTOMER_OPTION: Option = { value: 'ID', help: 'of one customer: id or phone' };

export async function customerOption({ db }: CommandContext, args: Arguments): Promise<string | undefined> {
  const text = args.option('customer');
  if (text === undefined) return undefined;
  const id = await findCustomerId(db, readCustomer(text));
  if (id === undefined || !(await isCustomer(db, id))) throw nobody();
  return id;
}
