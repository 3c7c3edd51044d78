import { customerTransaction } from '#platform/database/customer-transaction.ts';
import type { PrincipalKind } from '../sign-in.ts';
import { recognizeOrigin, recordOrigin } from './known-addresses.ts';
import { endSession, insertSession, lockSession, markRefreshed } from './store.ts';

export const customerPrincipal: PrincipalKind = {
  type: 'customer',
  idPrefix: 'cus_',
  transaction: customerTransaction,
  insertSession,
  lockSession,
  markRefreshed,
  endSession,
  addresses: {
    recognize: recognizeOrigin,
    record: (tx, { principalId }, origin, now) => recordOrigin(tx, principalId, origin, now),
  },
};
