import { customerTransaction } from '#platform/database/customer-transaction.ts';
import type { PrincipalKind } from '../sign-in.ts';
import {
  insertSession,
  lockSession,
  markAllEnded,
  markEnded,
  markRefreshed,
  recognizeOrigin,
  recordOrigin,
} from './store.ts';

export const customerPrincipal: PrincipalKind = {
  type: 'customer',
  idPrefix: 'cus_',
  transaction: customerTransaction,
  insertSession,
  lockSession,
  markRefreshed,
  markEnded,
  markAllEnded,
  addresses: { recognize: recognizeOrigin, record: recordOrigin },
};
