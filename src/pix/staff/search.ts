import { addCustomerNames } from '#customers';
import type { Db } from '#platform/database/db.ts';
import type { Searcher, SearchHit } from '#platform/http/search.ts';
import { findChargeByIdOrTxid } from '../store/charges.ts';
import { findRefundKey, listPaymentOwners } from '../store/payments.ts';

const END_TO_END_ID_PATTERN = /^[ED][0-9A-Za-z]{31}$/;
const TXID_PATTERN = /^[0-9A-Za-z]{26,35}$/;

/** Finds charges, payments, orphans and refunds by their ids. Hits of a customer come first, with the customer's name. */
export const createPixSearcher =
  (db: Db): Searcher =>
  async (text) => {
    if (!TXID_PATTERN.test(text) && !/^[a-z]{3}_/.test(text)) return [];
    const [charge, [owner], refund] = await Promise.all([
      findChargeByIdOrTxid(db, text),
      END_TO_END_ID_PATTERN.test(text) ? listPaymentOwners(db, [text]) : [],
      findRefundKey(db, text),
    ]);
    const hits: SearchHit[] = [];
    if (charge) hits.push(toHit('charge', charge.id, 'Cobrança PIX', charge.customer_id));
    if (owner?.customer_id) hits.push(toHit('payment', text, 'PIX recebido', owner.customer_id));
    else if (owner) hits.push({ kind: 'orphan', id: text, title: 'PIX sem cobrança' });
    if (refund) hits.push(toHit('refund', text, 'Devolução PIX', refund.customer_id));
    const hitsWithNames = await addCustomerNames(db, hits.filter(hasCustomer));
    return [...hitsWithNames, ...hits.filter((hit) => !hasCustomer(hit))];
  };

const toHit = (kind: SearchHit['kind'], id: string, title: string, customer_id: string): SearchHit => ({
  kind,
  id,
  title,
  customer_id,
});

const hasCustomer = (hit: SearchHit): hit is SearchHit & { customer_id: string } =>
  typeof hit.customer_id === 'string';
