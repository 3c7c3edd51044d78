import { findSellingMerchant } from '#catalog';
import { phoneNotSupported } from '#customers';
import { rateLimited } from '#partners';
import type { Tx } from '#platform/database/db.ts';
import { rehearse } from '#platform/database/rehearse.ts';
import { endpoint } from '#platform/http/endpoint.ts';
import { createOnce, idempotency } from '#platform/http/idempotency.ts';
import { changeBy, recordCreation } from '#platform/privacy/trail.ts';
import type { CreditDeps } from '../deps.ts';
import { makeOffer } from '../offers/make-offer.ts';
import { StaffOffer, StaffOfferOrder } from '../offers/schemas.ts';
import {
  itemsMismatch,
  merchantOwes,
  merchantUnlisted,
  quoteProblems,
  referenceReused,
  tooManyOffers,
} from '../problems.ts';
import { renderStaffOffer } from '../reports/render-staff.ts';

export const postAdminOffers = (credit: CreditDeps) =>
  endpoint('POST /admin/offers', {
    access: { scope: 'operator', role: 'finance' },
    id: 'createOfferForMerchant',
    summary: 'Offer a purchase in the name of a merchant',
    description:
      'The same as the till of the merchant does: whoever has the phone gets a message. With `dry_run` nothing is written and nobody ' +
      'is told. Open offers are made with the merchant’s own key: only that key is shown how they are claimed.',
    headers: idempotency.header,
    body: StaffOfferOrder,
    answers: {
      200: {
        description: 'A dry run; or the merchant has an offer of this reference already: this one.',
        schema: StaffOffer,
      },
      201: {
        description: 'The offer.',
        schema: StaffOffer,
        headers: {
          Location: 'Address of the offer at this door.',
          ...idempotency.replayed,
        },
      },
    },
    problems: [
      ...idempotency.problems,
      ...quoteProblems,
      itemsMismatch,
      merchantUnlisted,
      merchantOwes,
      phoneNotSupported,
      rateLimited,
      referenceReused,
      tooManyOffers,
    ],
    async handler(request, reply) {
      const { db, clock } = credit;
      const { merchant: slug, dry_run, ...order } = request.body;
      const now = clock.now();
      const change = changeBy(request, now);
      const { keyId, returnOrigins } = request.caller;
      const maker = { ...credit, keyId, returnOrigins };
      const make = async (tx: Tx) => {
        const merchant = await findSellingMerchant(tx, slug);
        if (!merchant) throw merchantUnlisted(slug);
        const { offer, isNew } = await makeOffer(tx, merchant.id, order, maker, now);
        const shown = renderStaffOffer(offer, now);
        if (isNew) await recordCreation(tx, change, { kind: 'offer', id: shown.id }, shown);
        return { isNew, shown };
      };
      if (dry_run) return reply.code(200).send((await rehearse(db, make)).shown);
      const { isNew, shown } = await createOnce(db, { request, reply, now }, make);
      return reply
        .code(isNew ? 201 : 200)
        .header('location', `/admin/offers/${shown.id}`)
        .send(shown);
    },
  });
