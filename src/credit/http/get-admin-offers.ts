import { Type } from 'typebox';
import { findSellingMerchant } from '#catalog';
import { findCustomerId } from '#customers';
import { endpoint } from '#platform/http/endpoint.ts';
import { answerList, dayParameters, listAnswer, listParameters } from '#platform/http/listing.ts';
import { Slug, Text } from '#platform/http/schemas.ts';
import { searchParameter } from '#platform/http/search.ts';
import type { CreditDeps } from '../deps.ts';
import { StaffOfferItem, statusParameter } from '../offers/schemas.ts';
import { renderOfferItem } from '../reports/render-staff.ts';
import { listedOffers } from '../reports/staff-store.ts';

export const getAdminOffers = ({ db, clock, resolveSearch }: CreditDeps) =>
  endpoint('GET /admin/offers', {
    access: { scope: 'operator', role: 'viewer' },
    id: 'listOffersOfAll',
    summary: 'List offers of all merchants',
    description: 'One of which nothing came is kept for 90 days.',
    query: Type.Object({
      ...listParameters(),
      ...searchParameter(
        'of the merchant, the id of an offer, the hash of a purchase, or the merchant’s reference',
      ),
      ...statusParameter,
      merchant: Type.Optional(Slug({ description: 'Slug of the merchant.' })),
      customer: Type.Optional(Text(80, { description: 'Id or phone of the customer who accepted it.' })),
      reference: Type.Optional(Text(100, { description: 'What the merchant calls it.' })),
      ...dayParameters('Made'),
    }),
    answers: listAnswer('A page of offers.', StaffOfferItem, 'What is offered'),
    async handler(request, reply) {
      const { q, merchant, customer, reference, status, from, to } = request.query;
      const now = clock.now();
      const filter = {
        status,
        reference,
        from,
        to,
        target: await resolveSearch(q),
        merchantId: merchant === undefined ? undefined : ((await findSellingMerchant(db, merchant))?.id ?? 0),
        customerId: customer === undefined ? undefined : ((await findCustomerId(db, customer)) ?? ''),
      };
      return answerList(db, { request, reply }, listedOffers(filter, now), {
        item: StaffOfferItem,
        render: (rows) => rows.map((row) => renderOfferItem(row, now)),
      });
    },
  });
