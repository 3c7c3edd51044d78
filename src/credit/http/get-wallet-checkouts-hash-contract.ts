import { endpoint } from '#platform/http/endpoint.ts';
import type { CreditDeps } from '../deps.ts';
import { fixContract } from '../offers/fix-contract.ts';
import { toCheckoutRecord } from '../purchases/checkout-record.ts';
import { findContract } from '../purchases/contract-store.ts';
import { showMerchants } from '../purchases/current-merchant.ts';
import { findCheckoutRecord } from '../purchases/reading-store.ts';
import { ofOwnPurchase } from '../schemas.ts';

export const getWalletCheckoutsHashContract = (credit: CreditDeps) =>
  endpoint('GET /wallet/checkouts/:hash/contract', {
    access: { scope: 'wallet', customer: true },
    id: 'getContract',
    summary: 'The contract of a purchase, as PDF',
    description:
      'As it was fixed when the purchase was accepted: the same bytes for ever. Their SHA-256 is in `terms.contract_sha256`. Of a purchase that ' +
      'nobody accepted, because the operator recorded it, it is fixed when it is first asked for.',
    ...ofOwnPurchase,
    answers: { 200: { description: 'The contract.', contentType: 'application/pdf' } },
    async handler(request, reply) {
      const { db, clock, merchants } = credit;
      const { customerId } = request.caller;
      const { hash } = request.params;
      const kept = await findContract(db, customerId, hash);
      if (kept) return reply.type('application/pdf').send(kept);
      const found = await findCheckoutRecord(db, customerId, hash);
      const [row] = await showMerchants(found ? [found] : [], merchants);
      if (!row) throw request.notFound();
      const fixed = await fixContract(db, toCheckoutRecord(row), { lender: credit, now: clock.now() });
      if (!fixed) throw request.notFound();
      return reply.type('application/pdf').send(fixed);
    },
  });
