import { lockCustomerById } from '#customers';
import { type CustomerTx, customerTransaction } from '#platform/database/customer-transaction.ts';
import { sharedTransaction } from '#platform/database/shared-transaction.ts';
import type { Pix } from './pix.ts';

/** Runs `work` in a transaction that locks the customer first. */
export const withLockedCustomer = <T>(
  { db }: Pick<Pix, 'db'>,
  customerId: string,
  work: (tx: CustomerTx) => Promise<T>,
): Promise<T> =>
  customerTransaction(db, customerId, async (tx) => {
    await lockCustomerById(tx, customerId);
    return work(tx);
  });

/** Like `withLockedCustomer`, for work without effects outside the database: under load several customers share a transaction. */
export const withSharedLockedCustomer = <T>(
  { db }: Pick<Pix, 'db'>,
  customerId: string,
  work: (tx: CustomerTx) => Promise<T>,
): Promise<T> =>
  sharedTransaction(db, customerId, async (tx) => {
    await lockCustomerById(tx, customerId);
    return work(tx);
  });
