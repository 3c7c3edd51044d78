import { findMerchantWithPlan } from '#catalog';
import { dryRun, type Tx } from '#platform/database/db.ts';
import { endpoint } from '#platform/http/endpoint.ts';
import { createOnce } from '#platform/http/idempotency.ts';
import { listEndpoint } from '#platform/http/list.ts';
import { createAuditContext, recordAuditEntry, updateForStaff } from '#platform/privacy/audit-trail.ts';
import type { CreditDeps } from '../deps.ts';
import { cancelOffer } from '../offers/close-offer.ts';
import { createOffer } from '../offers/create-offer.ts';
import { offerRoute, StaffOffer, StaffOfferItem, StaffOfferOrder } from '../offers/schemas.ts';
import { findOffer, lockOffer } from '../offers/store.ts';
import { merchantUnlisted, offerClosed, offerExpired, offerProblems } from '../problems.ts';
import { createOfferAuditEntity, renderStaffOffer, renderStaffOfferItem } from '../staff/render-staff.ts';
import { offerList } from '../staff/staff-store.ts';

export const getAdminOffers = (deps: CreditDeps) =>
  listEndpoint('GET /admin/offers', deps, offerList, {
    id: 'listOffersOfAll',
    summary: 'List offers of all merchants',
    description: 'Offers that were not accepted are deleted after 90 days.',
    cli: { columns: 'id, status, merchant.slug, amount, installments, checkout_hash, created_at' },
    page: 'A page of offers.',
    item: StaffOfferItem,
    sum: 'Offered amount',
    render: (rows, { now }) => rows.map((row) => renderStaffOfferItem(row, now)),
  });

export const postAdminOffers = (deps: CreditDeps) =>
  endpoint('POST /admin/offers', {
    access: { scope: 'operator', role: 'finance' },
    id: 'createOfferForMerchant',
    summary: 'Create an offer on behalf of a merchant',
    description:
      'Creates the same offer as the merchant’s till would, and sends a message to the phone. With `dry_run` nothing is written and no ' +
      'message is sent. Only the merchant’s own key can create open offers, because only that key receives the code to claim them.',
    idempotent: true,
    body: StaffOfferOrder,
    cli: {
      prints: ['id'],
      done: 'Offered {amount} by {merchant.name}. A message is sent to the customer, who can accept until {expires_at}.',
    },
    responses: {
      200: {
        description: 'The result of a dry run, or the existing offer of the merchant with this reference.',
        schema: StaffOffer,
      },
      201: {
        description: 'The offer.',
        schema: StaffOffer,
        headers: { Location: 'URL of the offer in this API.' },
      },
    },
    problems: offerProblems,
    async handler(request, reply) {
      const { db, clock } = deps;
      const { merchant: slug, dry_run, ...offerRequest } = request.body;
      const now = clock.now();
      const auditContext = createAuditContext(request, now);
      const { keyId, returnOrigins } = request.caller;
      const offerContext = { ...deps, keyId, returnOrigins };
      const createAndRender = async (tx: Tx) => {
        const merchant = await findMerchantWithPlan(tx, slug);
        if (!merchant) throw merchantUnlisted(slug);
        const { offer, isNew } = await createOffer(tx, merchant.id, offerRequest, offerContext, now);
        const offerView = renderStaffOffer(offer, now);
        if (isNew) await recordAuditEntry(tx, auditContext, { kind: 'offer', id: offerView.id }, offerView);
        return { isNew, offerView };
      };
      if (dry_run) return reply.code(200).send((await dryRun(db, createAndRender)).offerView);
      const { isNew, offerView } = await createOnce(db, { request, reply, now }, createAndRender);
      return reply
        .code(isNew ? 201 : 200)
        .header('location', `/admin/offers/${offerView.id}`)
        .send(offerView);
    },
  });

export const getAdminOffersId = ({ db, clock }: CreditDeps) =>
  endpoint('GET /admin/offers/:id', {
    access: { scope: 'operator', role: 'viewer' },
    id: 'getOfferOfAnybody',
    summary: 'Get an offer',
    ...offerRoute,
    responses: { 200: { description: 'The offer.', schema: StaffOffer } },
    async handler(request) {
      const offer = await findOffer(db, request.params.id);
      return offer && renderStaffOffer(offer, clock.now());
    },
  });

export const postAdminOffersIdCancel = (deps: CreditDeps) =>
  endpoint('POST /admin/offers/:id/cancel', {
    access: { scope: 'operator', role: 'finance' },
    id: 'cancelOfferOfAnybody',
    summary: 'Cancel an offer of any merchant',
    description: 'Only a pending offer can be cancelled. Cancelling a cancelled offer changes nothing.',
    ...offerRoute,
    responses: { 200: { description: 'The cancelled offer.', schema: StaffOfferItem } },
    problems: [offerClosed, offerExpired],
    handler(request) {
      const { clock, events } = deps;
      const { id } = request.params;
      const target = { entity: createOfferAuditEntity(clock.now()), id };
      return updateForStaff(deps, request, target, async (tx, now) =>
        cancelOffer(tx, (await lockOffer(tx, id))!, { events, now }),
      );
    },
  });
