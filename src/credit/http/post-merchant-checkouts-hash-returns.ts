import { parseReais } from '#core/money.ts';
import { findName } from '#customers';
import { type CustomerTx, forCustomer } from '#platform/database/customer-transaction.ts';
import { endpoint } from '#platform/http/endpoint.ts';
import { createOnce, idempotency } from '#platform/http/idempotency.ts';
import type { CreditDeps } from '../deps.ts';
import { returnProblems } from '../problems.ts';
import { findSeller } from '../purchases/reading-store.ts';
import { renderSale } from '../purchases/render-sale.ts';
import { readReturned, renderReturn } from '../returns/render-return.ts';
import { returnPurchase } from '../returns/return-purchase.ts';
import { HashParams, MerchantReturn, ReturnOrder } from '../schemas.ts';

export const postMerchantCheckoutsHashReturns = (credit: CreditDeps) =>
  endpoint({
    method: 'POST',
    url: '/merchant/checkouts/:hash/returns',
    access: { scope: 'merchant' },
    id: 'returnSale',
    tag: 'Selling',
    summary: 'Take back some or all of what was sold',
    description:
      'From now on the purchase is as if it had been for that much less. What was paid beyond that pays its other ' +
      'installments, the earliest first; what is left goes back to the customer. Pending PIX charges are cancelled.',
    params: HashParams,
    notFound: { en: 'You have no sale with this hash.', pt: 'Você não tem venda com este hash.' },
    headers: idempotency.header,
    body: ReturnOrder,
    answers: {
      201: { description: 'What came of it.', schema: MerchantReturn, headers: idempotency.replayed },
    },
    problems: [...returnProblems, ...idempotency.problems],
    async handler(request, reply) {
      const { db, clock, events, requestRefunds, merchants, publicUrl } = credit;
      const { hash } = request.params;
      const { amount, reason } = request.body;
      const { merchantId, keyId } = request.caller;
      const seller = await findSeller(db, hash);
      if (seller?.merchant_id !== merchantId) throw request.notFound();
      const now = clock.now();
      const order = {
        customerId: seller.customer_id,
        hash,
        reason,
        by: keyId,
        amount: amount === undefined ? undefined : parseReais(amount)!,
      };
      const work = async (tx: CustomerTx) => {
        const made = await returnPurchase(tx, order, { events, now, requestRefunds });
        const file = await readReturned(tx, order, merchants);
        const name = await findName(tx, order.customerId);
        const checkout = renderSale(file, name, { now: now.getTime(), publicUrl: publicUrl() });
        return { ...renderReturn(made, order), checkout };
      };
      return createOnce(forCustomer(db, order.customerId), { request, reply, now }, work, [
        hash,
        request.body,
      ]);
    },
  });
