import { Type } from 'typebox';
import { endpoint } from '#platform/http/endpoint.ts';
import { LINK_HEADER, pageParameters, respondWithPage } from '#platform/http/pagination.ts';
import type { CreditDeps } from '../deps.ts';
import { ContractData, issueContract, sendContract } from '../documents/contract.ts';
import { toCreditor } from '../documents/parties.ts';
import { findOffer } from '../offers/store.ts';
import { findContract } from '../purchases/contract-store.ts';
import { listOwnCheckouts } from '../purchases/own-checkouts.ts';
import { findCheckout } from '../purchases/reading-store.ts';
import { renderCheckout } from '../purchases/render-checkout.ts';
import { Checkout, CheckoutPage, ownPurchaseRoute, STATUSES } from '../schemas.ts';

export const getWalletCheckouts = (deps: CreditDeps) =>
  endpoint('GET /wallet/checkouts', {
    access: { scope: 'wallet', customer: true },
    id: 'listCheckouts',
    summary: 'List purchases',
    description: 'Lists purchases, newest first, with the amounts owed as of now.',
    query: Type.Object({
      status: Type.Optional(Type.Enum([...STATUSES], { description: 'Only purchases with this status.' })),
      ...pageParameters(),
    }),
    responses: { 200: { description: 'A page of purchases.', schema: CheckoutPage, headers: LINK_HEADER } },
    async handler(request, reply) {
      const { page, limit, status } = request.query;
      const query = { page, limit, status };
      const { data, total } = await listOwnCheckouts(deps, request.caller.customerId, query);
      return respondWithPage(reply, { url: `${deps.publicUrl()}/wallet/checkouts`, query, total }, data);
    },
  });

export const getWalletCheckoutsHash = ({ db, clock, publicUrl, merchants, findAutopay }: CreditDeps) =>
  endpoint('GET /wallet/checkouts/:hash', {
    access: { scope: 'wallet', customer: true },
    id: 'getCheckout',
    summary: 'Get a purchase',
    description: 'The purchase with its installments, penalties and payment options as of now.',
    ...ownPurchaseRoute,
    responses: { 200: { description: 'The purchase.', schema: Checkout } },
    async handler(request) {
      const { customerId } = request.caller;
      const { hash } = request.params;
      const now = clock.now();
      const [checkout, autopayView] = await Promise.all([
        findCheckout(db.shared, customerId, hash, merchants),
        findAutopay(db.shared, customerId, hash, now),
      ]);
      if (!checkout) throw request.notFound();
      return renderCheckout(checkout, { now: now.getTime(), publicUrl: publicUrl() }, autopayView);
    },
  });

export const getWalletCheckoutsHashContract = (deps: CreditDeps) =>
  endpoint('GET /wallet/checkouts/:hash/contract', {
    access: { scope: 'wallet', customer: true },
    id: 'getContract',
    summary: 'Download the contract of a purchase',
    description:
      'With `Accept: application/json`, returns the contract as canonical JSON: stored when the purchase was accepted, the same bytes in every ' +
      'response, with the SHA-256 in `terms.contract_sha256`. Otherwise returns a PDF, which is rendered from that JSON on the first request, ' +
      'contains the SHA-256 and does not change either. The contract of a purchase that the operator recorded is created on the first request.',
    ...ownPurchaseRoute,
    responses: {
      200: { description: 'The contract.', contentType: 'application/pdf', json: ContractData },
    },
    async handler(request, reply) {
      const { db } = deps;
      const { customerId } = request.caller;
      const { hash } = request.params;
      const contract =
        (await findContract(db, customerId, hash)) ?? (await issueMissingContract(deps, customerId, hash));
      const sentReply =
        contract && (await sendContract(db, { request, reply }, { customerId, hash }, contract));
      if (!sentReply) throw request.notFound();
      return sentReply;
    },
  });

/** Creates the missing contract of a purchase. Returns undefined if there is no such purchase. */
async function issueMissingContract(deps: CreditDeps, customerId: string, hash: string) {
  const { db, clock, merchants } = deps;
  const checkout = await findCheckout(db, customerId, hash, merchants);
  if (!checkout) return undefined;
  const offer = checkout.offer_id === null ? undefined : await findOffer(db, checkout.offer_id);
  return issueContract(db, checkout, {
    creditor: toCreditor(deps),
    items: offer?.items ?? [],
    now: clock.now(),
  });
}
