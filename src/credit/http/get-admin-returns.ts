import { Type } from 'typebox';
import { findSellingMerchant } from '#catalog';
import { endpoint } from '#platform/http/endpoint.ts';
import { answerList, dayParameters, listAnswer, listParameters } from '#platform/http/listing.ts';
import { Slug } from '#platform/http/schemas.ts';
import { searchParameter } from '#platform/http/search.ts';
import type { CreditDeps } from '../deps.ts';
import { renderWaitingForStaff } from '../returns/render-return.ts';
import { StaffWaitingReturn, waitingParameter } from '../returns/schemas.ts';
import { listedWaiting } from '../returns/waiting-store.ts';

export const getAdminReturns = ({ db, resolveSearch }: CreditDeps) =>
  endpoint('GET /admin/returns', {
    access: { scope: 'operator', role: 'viewer' },
    id: 'listReturnsThatWaited',
    summary: 'List returns that wait or waited for finance',
    description: 'A merchant asked for them, and they would have left it owing more than `MERCHANT_FLOOR`.',
    query: Type.Object({
      ...listParameters(),
      ...searchParameter('of the merchant, or the hash of a purchase'),
      ...waitingParameter,
      merchant: Type.Optional(Slug({ description: 'Slug of the merchant.' })),
      ...dayParameters('Asked for'),
    }),
    answers: listAnswer('A page of returns.', StaffWaitingReturn, 'What is returned'),
    async handler(request, reply) {
      const { q, merchant, status, from, to } = request.query;
      // No merchant has the id 0.
      const merchantId =
        merchant === undefined ? undefined : ((await findSellingMerchant(db, merchant))?.id ?? 0);
      const target = await resolveSearch(q);
      return answerList(db, { request, reply }, listedWaiting({ status, merchantId, target, from, to }), {
        item: StaffWaitingReturn,
        render: (rows) => rows.map(renderWaitingForStaff),
      });
    },
  });
