import { lockCustomerById } from '#customers';
import { type CustomerTx, customerTransaction } from '#platform/database/customer-transaction.ts';
import type { Pix } from './pix.ts';

/** A transaction in which the customer is locked first. */
export const lockedCustomer = <T>(
  { db }: Pick<Pix, 'db'>,
  customerId: string,
  work: (tx: CustomerTx) => Promise<T>,
): Promise<T> =>
  customerTransaction(db, customerId, async (tx) => {
    await lockCustomerById(tx, customerId);
    return work(tx);
  });
