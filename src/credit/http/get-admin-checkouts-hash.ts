import { endpoint } from '#platform/http/endpoint.ts';
import { notFound } from '#platform/problem.ts';
import { toCheckoutRecord } from '../checkout-record.ts';
import { showMerchants } from '../current-merchant.ts';
import type { CreditDeps } from '../deps.ts';
import { isHash } from '../hash.ts';
import { findCheckoutRecord, findCustomerOf } from '../reading-store.ts';
import { renderForOperator } from '../render-checkout.ts';
import { HashParams, OperatorCheckout } from '../schemas.ts';

export const getAdminCheckoutsHash = ({ db, clock, publicUrl, merchants }: CreditDeps) =>
  endpoint({
    method: 'GET',
    url: '/admin/checkouts/:hash',
    access: { scope: 'operator' },
    id: 'getCheckoutOfAnybody',
    tag: 'Credit',
    summary: 'Show one purchase of any customer',
    params: HashParams,
    answers: { 200: { description: 'The purchase, and what the credit costs.', schema: OperatorCheckout } },
    problems: [notFound],
    async handler(request) {
      const { hash } = request.params;
      const customerId = isHash(hash) ? await findCustomerOf(db, hash) : undefined;
      const found = customerId === undefined ? undefined : await findCheckoutRecord(db, customerId, hash);
      const [row] = await showMerchants(found ? [found] : [], merchants);
      if (!row) throw notFound('There is no purchase with this hash.');
      return renderForOperator(toCheckoutRecord(row), { now: clock.now().getTime(), publicUrl: publicUrl() });
    },
  });
