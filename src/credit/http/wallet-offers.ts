import { Type } from 'typebox';
import { toCanonicalJson } from '#core/values/canonical-json.ts';
import { clientIpHeader } from '#partners';
import { type CustomerTx, forCustomer } from '#platform/database/customer-transaction.ts';
import type { Db } from '#platform/database/db.ts';
import { forSharedCustomer } from '#platform/database/shared-transaction.ts';
import { renderDocument } from '#platform/documents/document.ts';
import { limitFailures, releasePendingAttempts } from '#platform/http/attempt-limits.ts';
import { type Caller, endpoint } from '#platform/http/endpoint.ts';
import { createOnce } from '#platform/http/idempotency.ts';
import { LINK_HEADER, pageParameters, respondWithPage } from '#platform/http/pagination.ts';
import { invalidField, notFound } from '#platform/problem.ts';
import { AcceptanceRefused } from '../acceptance.ts';
import type { CreditDeps } from '../deps.ts';
import { ContractDraft, layOutDraft, prefersJson } from '../documents/contract.ts';
import { toCreditor } from '../documents/parties.ts';
import { acceptOffer, claimOffer, draftContract } from '../offers/accept-offer.ts';
import { declineOffer } from '../offers/close-offer.ts';
import { buildWrongCodeCounters } from '../offers/limits.ts';
import { findReceivedOffer, listReceivedOffers } from '../offers/received-offers.ts';
import { renderOfferForCustomer } from '../offers/render-offer.ts';
import {
  InstallmentsChoice,
  OfferClaim,
  receivedOfferRoute,
  statusParameter,
  WalletOffer,
  WalletOfferPage,
} from '../offers/schemas.ts';
import { type ClaimKey, findOfferByClaimKey } from '../offers/store.ts';
import {
  amountOutOfRange,
  cashbackOwed,
  creditDeclined,
  creditReview,
  customerLocked,
  customerOverdue,
  OPEN_OFFER_NOT_FOUND,
  offerClaimed,
  offerClosed,
  offerExpired,
  ownMerchantPurchase,
  standingProblems,
  tooManyAttempts,
  tooManyInstallments,
} from '../problems.ts';
import type { CheckoutRecord } from '../purchases/checkout-record.ts';
import { renderCheckout } from '../purchases/render-checkout.ts';
import { Checkout } from '../schemas.ts';

export const getWalletOffers = (deps: CreditDeps) =>
  endpoint('GET /wallet/offers', {
    access: { scope: 'wallet', customer: true },
    id: 'listWalletOffers',
    summary: 'List offers',
    description:
      'Lists offers that were sent to the customer’s phone or claimed by them, newest first. Offers that were not accepted are deleted after 90 days.',
    query: Type.Object({ ...statusParameter, ...pageParameters() }),
    responses: { 200: { description: 'A page of offers.', schema: WalletOfferPage, headers: LINK_HEADER } },
    async handler(request, reply) {
      const { page, limit, status } = request.query;
      const query = { page, limit, status };
      const { data, total } = await listReceivedOffers(deps, request.caller.customerId, query);
      return respondWithPage(reply, { url: `${deps.publicUrl()}/wallet/offers`, query, total }, data);
    },
  });

export const getWalletOffersId = (deps: CreditDeps) =>
  endpoint('GET /wallet/offers/:id', {
    access: { scope: 'wallet', customer: true },
    id: 'getWalletOffer',
    summary: 'Get an offer',
    description:
      'The quote applies if the offer is accepted now, or is the quote that was accepted. With `installments`, the quote is for that number of installments.',
    ...receivedOfferRoute,
    query: Type.Object(InstallmentsChoice.properties),
    responses: { 200: { description: 'The offer.', schema: WalletOffer } },
    problems: [tooManyInstallments, amountOutOfRange],
    async handler(request) {
      const { clock, publicUrl } = deps;
      const offer = await findReceivedOffer(deps, request.caller.customerId, request.params.id);
      if (!offer) throw request.notFound();
      const renderContext = { now: clock.now().getTime(), publicUrl: publicUrl() };
      return renderOfferForCustomer(offer, deps, renderContext, request.query.installments);
    },
  });

export const getWalletOffersIdContract = (deps: CreditDeps) =>
  endpoint('GET /wallet/offers/:id/contract', {
    access: { scope: 'wallet', customer: true },
    id: 'getContractDraft',
    summary: 'Download the draft of the contract of an offer',
    description:
      'Returns the contract that would result if the offer were accepted now: a PDF marked as a draft, or with `Accept: application/json` its ' +
      'content. With `installments`, the contract has that number of installments. Nothing is stored. The final contract belongs to the purchase: ' +
      '`GET /wallet/checkouts/{hash}/contract`.',
    ...receivedOfferRoute,
    query: Type.Object(InstallmentsChoice.properties),
    responses: {
      200: { description: 'The draft.', contentType: 'application/pdf', json: ContractDraft },
    },
    problems: [offerClosed, offerExpired, tooManyInstallments, amountOutOfRange],
    async handler(request, reply) {
      const { db, clock, merchants } = deps;
      const { customerId } = request.caller;
      const { installments } = request.query;
      const offer = await findReceivedOffer(deps, customerId, request.params.id);
      if (!offer) throw request.notFound();
      const now = clock.now();
      const contractDeps = { merchants, creditor: toCreditor(deps) };
      const draft = await draftContract(db, offer, { customerId, now, installments }, contractDeps);
      if (prefersJson(request.headers.accept))
        return reply.type('application/json').send(Buffer.from(toCanonicalJson(draft)));
      return reply.type('application/pdf').send(await renderDocument(layOutDraft(draft, now)));
    },
  });

export const postWalletOffersClaim = (deps: CreditDeps) =>
  endpoint('POST /wallet/offers/claim', {
    access: { scope: 'wallet', customer: true },
    id: 'claimOffer',
    summary: 'Claim an open offer',
    description:
      'Identify the offer by the token of its link or by its code. From then on only this customer can accept it, for two days; accepting ' +
      'is a separate request. Claiming it again changes nothing. A customer may send 10 wrong codes in 15 minutes, and one IP address 30.',
    idempotent: true,
    headers: clientIpHeader,
    body: OfferClaim,
    notFound: OPEN_OFFER_NOT_FOUND,
    responses: {
      200: { description: 'The offer.', schema: WalletOffer },
    },
    problems: [
      notFound,
      offerClaimed,
      offerExpired,
      offerClosed,
      tooManyAttempts,
      customerOverdue,
      cashbackOwed,
      customerLocked,
      ownMerchantPurchase,
    ],
    async handler(request, reply) {
      const { db, clock, events, merchants, publicUrl } = deps;
      const { customerId } = request.caller;
      const now = clock.now();
      const openOffer = await findOfferLimitingWrongCodes(
        db,
        parseClaimKey(request.body),
        request.caller,
        now,
      );
      if (!openOffer) throw request.notFound();
      await merchants.waitUntilCurrent();
      const claim = async (tx: CustomerTx) => {
        const offer = await claimOffer(tx, { customerId, offerId: openOffer.id }, deps, { events, now });
        if (!offer) throw request.notFound();
        return renderOfferForCustomer(offer, deps, { now: now.getTime(), publicUrl: publicUrl() });
      };
      // Claims of one offer run one after another, because only the first one succeeds.
      const transactions = forSharedCustomer(db, customerId, openOffer.id);
      return createOnce(transactions, { request, reply, now }, claim);
    },
  });

function parseClaimKey({ token, code }: { token?: string; code?: string }): ClaimKey {
  if (token === undefined) return { code: code! };
  if (code === undefined) return { token };
  const message = { en: 'cannot be sent with token', pt: 'não pode ser enviado junto com token' };
  throw invalidField('/code', message);
}

/** Finds an open offer. Wrong codes count as failed attempts; wrong tokens do not, because a token cannot be guessed. */
async function findOfferLimitingWrongCodes(db: Db, key: ClaimKey, caller: Caller, now: Date) {
  if ('token' in key) return findOfferByClaimKey(db, key);
  const counters = buildWrongCodeCounters(db.vault, caller);
  return limitFailures(db, { counters, now, isFailed: (offer) => offer === undefined }, async () => {
    const offer = await findOfferByClaimKey(db, key);
    if (offer) await releasePendingAttempts(db, counters, now);
    return offer;
  });
}

export const postWalletOffersIdAccept = (deps: CreditDeps) =>
  endpoint('POST /wallet/offers/:id/accept', {
    access: { scope: 'wallet', customer: true },
    id: 'acceptOffer',
    summary: 'Accept an offer',
    description:
      'Creates a purchase on the terms of the offer, with due days counted from today. The total, including interest, must be within the ' +
      'available limit. The customer must not be overdue, and their cashback balance must not be negative. The credit policy must approve as ' +
      'well: after 409 `credit_review` the offer stays pending, and can be accepted once a reviewer has approved it.',
    ...receivedOfferRoute,
    idempotent: true,
    body: InstallmentsChoice,
    bodyOptional: true,
    responses: {
      201: {
        description: 'The purchase.',
        schema: Checkout,
        headers: { Location: 'URL of the purchase.' },
      },
    },
    problems: [
      ...standingProblems,
      creditReview,
      creditDeclined,
      offerClosed,
      offerExpired,
      tooManyInstallments,
      amountOutOfRange,
      ownMerchantPurchase,
    ],
    async handler(request, reply) {
      const {
        db,
        clock,
        events,
        publicUrl,
        merchants,
        selectCashbackDebt,
        decideAcceptance,
        listPayeeTaxIds,
      } = deps;
      const now = clock.now();
      const offerAcceptance = {
        ...request.body,
        customerId: request.caller.customerId,
        offerId: request.params.id,
      };
      await merchants.waitUntilCurrent();
      const accept = async (tx: CustomerTx) => {
        const checkout = await acceptOffer(
          tx,
          offerAcceptance,
          { merchants, selectCashbackDebt, decideAcceptance, listPayeeTaxIds, creditor: toCreditor(deps) },
          { events, now },
        );
        if (!checkout) throw request.notFound();
        const renderContext = { now: now.getTime(), publicUrl: publicUrl() };
        return renderCheckout(checkout as CheckoutRecord<string>, renderContext);
      };
      const fingerprint = [request.params.id, request.body];
      // Other customers may share the transaction: an offer belongs to one customer, so they never lock the same offer.
      const transactions = forSharedCustomer(db, offerAcceptance.customerId);
      const acceptOnce = () => createOnce(transactions, { request, reply, now }, accept, fingerprint);
      const checkout = await acceptOrStoreRefusal(acceptOnce);
      return reply.code(201).header('location', `/wallet/checkouts/${checkout.hash}`).send(checkout);
    },
  });

const MAX_DECISIONS_PER_REQUEST = 2;

/**
 * Accepts an offer. If credit is refused, the transaction has rolled back: stores the refusal in another transaction, and throws its
 * problem. If the information behind the decision has changed in the meantime, the refusal is not stored, and the offer is decided again.
 */
async function acceptOrStoreRefusal<T>(acceptOnce: () => Promise<T>): Promise<T> {
  for (let decisionCount = 1; ; decisionCount++) {
    try {
      return await acceptOnce();
    } catch (error) {
      if (!(error instanceof AcceptanceRefused)) throw error;
      const { decision } = error;
      const isStored = (await decision.storeRefusal()) === 'stored';
      if (isStored) throw decision.outcome === 'review' ? creditReview() : creditDeclined(decision.reasons);
      if (decisionCount === MAX_DECISIONS_PER_REQUEST) throw error;
    }
  }
}

export const postWalletOffersIdDecline = ({ db, clock, events }: CreditDeps) =>
  endpoint('POST /wallet/offers/:id/decline', {
    access: { scope: 'wallet', customer: true },
    id: 'declineOffer',
    summary: 'Decline an offer',
    description: 'Declining a declined offer changes nothing.',
    ...receivedOfferRoute,
    idempotent: true,
    responses: { 204: { description: 'The offer is declined.' } },
    problems: [offerClosed, offerExpired],
    async handler(request, reply) {
      const { customerId } = request.caller;
      const { id: offerId } = request.params;
      const now = clock.now();
      const decline = async (tx: CustomerTx) => {
        if (!(await declineOffer(tx, { customerId, offerId }, { events, now }))) throw request.notFound();
        return null;
      };
      await createOnce(forCustomer(db, customerId), { request, reply, now }, decline, offerId);
    },
  });
