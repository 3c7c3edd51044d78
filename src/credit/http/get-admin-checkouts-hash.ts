import { endpoint } from '#platform/http/endpoint.ts';
import { notFound } from '#platform/problem.ts';
import { toFile } from '../checkout-file.ts';
import type { Desk } from '../desk.ts';
import { isHash } from '../hash.ts';
import { findCheckoutFile, findCustomerOf } from '../reading-store.ts';
import { renderForOperator } from '../render-checkout.ts';
import { HashParams, OperatorCheckout } from '../schemas.ts';

export const getAdminCheckoutsHash = ({ db, clock, publicUrl }: Desk) =>
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
      const row = customerId === undefined ? undefined : await findCheckoutFile(db, customerId, hash);
      if (!row) throw notFound('There is no purchase with this hash.');
      return renderForOperator(toFile(row), { now: clock.now().getTime(), publicUrl: publicUrl() });
    },
  });
