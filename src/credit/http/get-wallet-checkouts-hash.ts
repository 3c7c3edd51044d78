import { endpoint } from '#platform/http/endpoint.ts';
import { notFound } from '#platform/problem.ts';
import { toCheckoutRecord } from '../checkout-record.ts';
import { showMerchants } from '../current-merchant.ts';
import type { CreditDeps } from '../deps.ts';
import { isHash } from '../hash.ts';
import { findCheckoutRecord } from '../reading-store.ts';
import { renderCheckout } from '../render-checkout.ts';
import { Checkout, HashParams } from '../schemas.ts';

export const getWalletCheckoutsHash = ({
  db,
  clock,
  publicUrl,
  merchants,
}: Pick<CreditDeps, 'db' | 'clock' | 'publicUrl' | 'merchants'>) =>
  endpoint({
    method: 'GET',
    url: '/wallet/checkouts/:hash',
    access: { scope: 'wallet', customer: true },
    id: 'getCheckout',
    tag: 'Wallet',
    summary: 'Show one purchase with its installments',
    description: 'What is owed, penalties included, and what can be paid, all as of now.',
    params: HashParams,
    answers: { 200: { description: 'The purchase.', schema: Checkout } },
    problems: [notFound],
    async handler(request) {
      const { hash } = request.params;
      const found = isHash(hash) ? await findCheckoutRecord(db, request.caller.customerId, hash) : undefined;
      const [row] = await showMerchants(found ? [found] : [], merchants);
      if (!row) throw notFound('You have no purchase with this hash.');
      return renderCheckout(toCheckoutRecord(row), { now: clock.now().getTime(), publicUrl: publicUrl() });
    },
  });
