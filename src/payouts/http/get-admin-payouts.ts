import { Type } from 'typebox';
import { findSellingMerchant } from '#catalog';
import { endpoint } from '#platform/http/endpoint.ts';
import { answerList, dayParameters, listAnswer, listParameters } from '#platform/http/listing.ts';
import { Slug, Text } from '#platform/http/schemas.ts';
import type { Payouts } from '../payouts.ts';
import { renderPayoutItem } from '../render.ts';
import { StaffPayoutItem } from '../schemas.ts';
import { listedPayouts, PAYOUT_STATUSES } from '../store.ts';

export const getAdminPayouts = ({ db, resolveSearch }: Payouts) =>
  endpoint('GET /admin/payouts', {
    access: { scope: 'operator', role: 'viewer' },
    id: 'listPayouts',
    summary: 'List payouts',
    description: 'With `Accept: text/csv` all of them, for the bank, without pages.',
    query: Type.Object({
      ...listParameters(),
      q: Type.Optional(
        Text(100, { description: 'Name of the merchant, the id of a payout, or the bank’s reference.' }),
      ),
      status: Type.Optional(Type.Enum([...PAYOUT_STATUSES])),
      merchant: Type.Optional(Slug({ description: 'Slug of the merchant.' })),
      ...dayParameters('Made'),
    }),
    answers: listAnswer('A page of payouts.', StaffPayoutItem, 'What is paid out'),
    async handler(request, reply) {
      const { q, status, merchant, from, to } = request.query;
      // No merchant has the id 0.
      const merchantId =
        merchant === undefined ? undefined : ((await findSellingMerchant(db, merchant))?.id ?? 0);
      const target = await resolveSearch(q);
      return answerList(db, { request, reply }, listedPayouts({ status, merchantId, target, from, to }), {
        item: StaffPayoutItem,
        render: (rows) => rows.map(renderPayoutItem),
      });
    },
  });
