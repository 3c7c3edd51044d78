import { customerTransaction } from '#platform/database/customer-transaction.ts';
import type { Holders } from '../sign-in.ts';
import { isKnownAddress, noteAddress } from './known-addresses.ts';
import { insertSession, lockSession, markEnded, markRefreshed } from './store.ts';

export const customerHolders: Holders = {
  kind: 'customer',
  idPrefix: 'cus_',
  transaction: customerTransaction,
  insertSession,
  lockSession,
  markRefreshed,
  markEnded,
  addresses: {
    isKnown: isKnownAddress,
    note: (tx, { holderId }, address, now) => noteAddress(tx, holderId, address, now),
  },
};
