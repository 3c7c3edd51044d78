import { nameCustomers } from '#customers';
import { endpoint } from '#platform/http/endpoint.ts';
import type { CreditDeps } from '../deps.ts';
import { toCheckoutRecord } from '../purchases/checkout-record.ts';
import { showMerchants } from '../purchases/current-merchant.ts';
import { findCheckoutRecord, findCustomerOf } from '../purchases/reading-store.ts';
import { renderForOperator } from '../purchases/render-checkout.ts';
import { findPurchase } from '../purchases/store.ts';
import { renderReceipts, renderReturns } from '../reports/purchase-money.ts';
import { StaffCheckout } from '../reports/schemas.ts';
import { ofPurchase } from '../schemas.ts';

export const getAdminCheckoutsHash = ({ db, clock, publicUrl, merchants, autopay }: CreditDeps) =>
  endpoint('GET /admin/checkouts/:hash', {
    access: { scope: 'operator', role: 'viewer' },
    id: 'getCheckoutOfAnybody',
    summary: 'Show one purchase of any customer',
    ...ofPurchase,
    answers: {
      200: {
        description: 'The purchase, what the credit costs, and where the money of each payment went.',
        schema: StaffCheckout,
      },
    },
    async handler(request) {
      const { hash } = request.params;
      const customerId = await findCustomerOf(db, hash);
      const found = customerId === undefined ? undefined : await findCheckoutRecord(db, customerId, hash);
      const [row] = await showMerchants(found ? [found] : [], merchants);
      if (!row) throw request.notFound();
      const now = clock.now();
      const view = { now: now.getTime(), publicUrl: publicUrl() };
      const [debits, purchase] = await Promise.all([
        autopay(db, row.customer_id, hash, now),
        findPurchase(db, row.customer_id, hash),
      ]);
      const [shown] = await nameCustomers(db, [renderForOperator(toCheckoutRecord(row), view, debits)]);
      return {
        ...shown!,
        receipts: renderReceipts(purchase!),
        returns: await renderReturns(db, row.customer_id, purchase!),
      };
    },
  });
