import { parseReais } from '#core/money.ts';
import { phoneNotSupported } from '#customers';
import { rateLimited } from '#partners';
import type { Tx } from '#platform/database/db.ts';
import { endpoint } from '#platform/http/endpoint.ts';
import { createOnce, idempotency } from '#platform/http/idempotency.ts';
import type { CreditDeps } from '../deps.ts';
import { findBy, isClerk } from '../offers/made-by.ts';
import { makeOffer } from '../offers/make-offer.ts';
import { amountOverLimit } from '../offers/problems.ts';
import { renderForMerchant } from '../offers/render-offer.ts';
import { MerchantOffer, OfferOrder } from '../offers/schemas.ts';
import {
  itemsMismatch,
  merchantOwes,
  merchantUnlisted,
  quoteProblems,
  referenceReused,
  returnUrlNotAllowed,
  tooManyOffers,
} from '../problems.ts';

export const postMerchantOffers = (credit: CreditDeps) =>
  endpoint('POST /merchant/offers', {
    access: { scope: 'merchant', member: 'clerk' },
    id: 'createOffer',
    summary: 'Offer a purchase to whoever has a phone, or to whoever claims it',
    description:
      'To a phone: they get a message with a link and have two days to accept, in as many installments as offered or fewer. The answer is the ' +
      'same whether or not the phone is a customer’s. In live mode at most 5 offers a day to one phone, of all merchants together ' +
      '20, and 10 that wait for an answer, unless the operator has set others. Without `phone` the offer is open: show its QR code or its `code`, or lead the customer to its link; ' +
      'whoever claims it first has it, and two days from then.',
    headers: idempotency.header,
    body: OfferOrder,
    answers: {
      200: {
        description: 'There is an offer of this reference already, pending or accepted: this one.',
        schema: MerchantOffer,
      },
      201: {
        description: 'The offer.',
        schema: MerchantOffer,
        headers: {
          Location: 'Address of the offer.',
          ...idempotency.replayed,
        },
      },
    },
    problems: [
      ...idempotency.problems,
      ...quoteProblems,
      ...[itemsMismatch, returnUrlNotAllowed],
      amountOverLimit,
      merchantUnlisted,
      merchantOwes,
      phoneNotSupported,
      rateLimited,
      referenceReused,
      tooManyOffers,
    ],
    async handler(request, reply) {
      const { db, clock } = credit;
      const { merchantId, keyId, returnOrigins, member } = request.caller;
      const now = clock.now();
      const most = isClerk(request.caller) ? member!.maxAmount : null;
      if (most !== null && parseReais(request.body.amount)! > most) throw amountOverLimit(most);
      const maker = { ...credit, keyId, returnOrigins, memberId: member?.id ?? null };
      const make = async (tx: Tx) => {
        const { offer, isNew } = await makeOffer(tx, merchantId, request.body, maker, now);
        const by = await findBy(tx, [offer.member_id]);
        return {
          isNew,
          offer: renderForMerchant(db.vault, offer, credit, { now, by: by(offer.member_id) }),
        };
      };
      // One partner may have keys of several merchants.
      const fingerprint = [merchantId, request.body];
      const { offer, isNew } = await createOnce(db, { request, reply, now }, make, fingerprint);
      return reply
        .code(isNew ? 201 : 200)
        .header('location', `/merchant/offers/${offer.id}`)
        .send(offer);
    },
  });
