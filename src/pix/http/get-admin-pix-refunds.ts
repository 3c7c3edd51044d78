import { Type } from 'typebox';
import { nameCustomers } from '#customers';
import { endpoint } from '#platform/http/endpoint.ts';
import { answerList, dayParameters, listAnswer, listParameters } from '#platform/http/listing.ts';
import { searchParameter } from '#platform/http/search.ts';
import type { Pix } from '../pix.ts';
import { renderRefund } from '../refunds/render-refund.ts';
import { narrowed } from '../reports/narrowed.ts';
import { ownerParameters, PixRefundItem } from '../schemas.ts';
import { listedRefunds } from '../store/lists.ts';
import { REFUND_STATUSES } from '../store/refunds.ts';

export const getAdminPixRefunds = ({ db, resolveSearch }: Pix) =>
  endpoint('GET /admin/pix/refunds', {
    access: { scope: 'operator', role: 'viewer' },
    id: 'listPixRefundItems',
    summary: 'List money that goes or went back',
    description:
      'What is `given_up` needs a person: its money is still at the payment provider, and owed. Have it asked for anew with ' +
      '`/retry`, or give it back by hand at the provider: then it is gone from there.',
    query: Type.Object({
      ...listParameters(),
      ...searchParameter('the id of a refund, or an end-to-end id'),
      status: Type.Optional(Type.Enum([...REFUND_STATUSES])),
      ...ownerParameters,
      ...dayParameters('Asked for'),
    }),
    answers: listAnswer('A page of refunds.', PixRefundItem, 'What goes back'),
    async handler(request, reply) {
      const { q, customer, checkout, ...filter } = request.query;
      const whose = await narrowed(db, { customer, checkout });
      const wanted = { ...filter, ...whose, target: await resolveSearch(q) };
      return answerList(db, { request, reply }, listedRefunds(wanted), {
        item: PixRefundItem,
        render: (rows) => nameCustomers(db, rows.map(renderRefund)),
      });
    },
  });
