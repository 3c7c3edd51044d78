import { endpoint } from '#platform/http/endpoint.ts';
import type { CreditDeps } from '../deps.ts';
import { toCheckoutRecord } from '../purchases/checkout-record.ts';
import { showMerchants } from '../purchases/current-merchant.ts';
import { findCheckoutRecord } from '../purchases/reading-store.ts';
import { renderCheckout } from '../purchases/render-checkout.ts';
import { Checkout, ofOwnPurchase } from '../schemas.ts';

export const getWalletCheckoutsHash = ({ db, clock, publicUrl, merchants, autopay }: CreditDeps) =>
  endpoint('GET /wallet/checkouts/:hash', {
    access: { scope: 'wallet', customer: true },
    id: 'getCheckout',
    summary: 'Show one purchase with its installments',
    description: 'What is owed, penalties included, and what can be paid, all as of now.',
    ...ofOwnPurchase,
    answers: { 200: { description: 'The purchase.', schema: Checkout } },
    async handler(request) {
      const { customerId } = request.caller;
      const { hash } = request.params;
      const now = clock.now();
      const [found, debits] = await Promise.all([
        findCheckoutRecord(db.shared, customerId, hash),
        autopay(db.shared, customerId, hash, now),
      ]);
      const [row] = await showMerchants(found ? [found] : [], merchants);
      if (!row) throw request.notFound();
      return renderCheckout(toCheckoutRecord(row), { now: now.getTime(), publicUrl: publicUrl() }, debits);
    },
  });
