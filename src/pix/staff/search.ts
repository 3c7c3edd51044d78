import { addCustomerNames } from '#customers';
import type { Db } from '#platform/database/db.ts';
import type { Searcher, SearchHit } from '#platform/http/search.ts';
import { findChargeByIdOrTxid } from '../store/charges.ts';
import { findRefundKey, listPaymentOwners } from '../store/payments.ts';

const END_TO_END_ID = /^[ED][0-9A-Za-z]{31}$/;
const TXID = /^[0-9A-Za-z]{26,35}$/;

export const createPixSearcher =
  (db: Db): Searcher =>
  async (q) => {
    if (!TXID.test(q) && !/^[a-z]{3}_/.test(q)) return [];
    const [charge, [owner], refund] = await Promise.all([
      findChargeByIdOrTxid(db, q),
      END_TO_END_ID.test(q) ? listPaymentOwners(db, [q]) : [],
      findRefundKey(db, q),
    ]);
    const hits: SearchHit[] = [
      ...(charge ? [toHit('charge', charge.id, 'Cobrança PIX', charge.customer_id)] : []),
      ...(owner
        ? [owner.customer_id ? toHit('payment', q, 'PIX recebido', owner.customer_id) : toOrphanHit(q)]
        : []),
      ...(refund ? [toHit('refund', q, 'Devolução PIX', refund.customer_id)] : []),
    ];
    const withNames = await addCustomerNames(db, hits.filter(hasCustomer));
    return [...withNames, ...hits.filter((hit) => !hasCustomer(hit))];
  };

const toOrphanHit = (id: string): SearchHit => ({ kind: 'orphan', id, title: 'PIX sem cobrança' });

const toHit = (kind: SearchHit['kind'], id: string, title: string, customer_id: string): SearchHit => ({
  kind,
  id,
  title,
  customer_id,
});

const hasCustomer = (hit: SearchHit): hit is SearchHit & { customer_id: string } =>
  typeof hit.customer_id === 'string';
