import { findName } from '#customers';
import { endpoint } from '#platform/http/endpoint.ts';
import type { CreditDeps } from '../deps.ts';
import { findSellers } from '../offers/made-by.ts';
import { toCheckoutRecord } from '../purchases/checkout-record.ts';
import { showMerchants } from '../purchases/current-merchant.ts';
import { findCheckoutRecord, findCustomerOf } from '../purchases/reading-store.ts';
import { renderSale } from '../purchases/render-sale.ts';
import { ofSale, Sale } from '../schemas.ts';

export const getMerchantCheckoutsHash = ({ db, clock, publicUrl, merchants }: CreditDeps) =>
  endpoint('GET /merchant/checkouts/:hash', {
    access: { scope: 'merchant', member: 'clerk' },
    id: 'getSale',
    summary: 'Show one of your sales with its installments',
    ...ofSale,
    answers: { 200: { description: 'The sale.', schema: Sale } },
    async handler(request) {
      const { hash } = request.params;
      const customerId = await findCustomerOf(db, hash);
      const found = customerId === undefined ? undefined : await findCheckoutRecord(db, customerId, hash);
      if (found?.merchant_id !== request.caller.merchantId) throw request.notFound();
      const [row] = await showMerchants([found], merchants);
      const name = await findName(db, found.customer_id);
      const view = { now: clock.now().getTime(), publicUrl: publicUrl() };
      const by = await findSellers(db, [row!.offer_id]);
      return renderSale(toCheckoutRecord(row!), name, { ...view, by: by(row!.offer_id) });
    },
  });
