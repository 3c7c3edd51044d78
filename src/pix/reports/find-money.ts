import { nameCustomers } from '#customers';
import type { Db } from '#platform/database/db.ts';
import type { Finder, Hit } from '#platform/http/search.ts';
import { findAnyCharge } from '../store/charges.ts';
import { listPaymentOwners } from '../store/payments.ts';
import { findRefundById } from '../store/refunds.ts';

const END_TO_END_ID = /^[ED][0-9A-Za-z]{31}$/;
const TXID = /^[0-9A-Za-z]{26,35}$/;

/** By the id or txid of a charge, an end-to-end id, or the id of a refund. */
export const findMoney =
  (db: Db): Finder =>
  async (q) => {
    if (!TXID.test(q) && !/^[a-z]{3}_/.test(q)) return [];
    const [charge, [owner], refund] = await Promise.all([
      findAnyCharge(db, q),
      END_TO_END_ID.test(q) ? listPaymentOwners(db, [q]) : [],
      findRefundById(db, q),
    ]);
    const found: Hit[] = [
      ...(charge ? [hit('charge', charge.id, 'Cobrança PIX', charge.customer_id)] : []),
      ...(owner
        ? [owner.customer_id ? hit('payment', q, 'PIX recebido', owner.customer_id) : ORPHAN(q)]
        : []),
      ...(refund ? [hit('refund', q, 'Devolução PIX', refund.customer_id)] : []),
    ];
    const named = await nameCustomers(db, found.filter(hasCustomer));
    return [...named, ...found.filter((one) => !hasCustomer(one))];
  };

const ORPHAN = (id: string): Hit => ({ kind: 'orphan', id, title: 'PIX sem cobrança' });

const hit = (kind: Hit['kind'], id: string, title: string, customer_id: string): Hit => ({
  kind,
  id,
  title,
  customer_id,
});

const hasCustomer = (found: Hit): found is Hit & { customer_id: string } =>
  typeof found.customer_id === 'string';
