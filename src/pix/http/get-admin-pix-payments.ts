import { Type } from 'typebox';
import { nameCustomers } from '#customers';
import { endpoint } from '#platform/http/endpoint.ts';
import { answerList, dayParameters, listAnswer, listParameters } from '#platform/http/listing.ts';
import { Text } from '#platform/http/schemas.ts';
import { searchParameter } from '#platform/http/search.ts';
import type { Pix } from '../pix.ts';
import { narrowed } from '../reports/narrowed.ts';
import { renderPayment } from '../reports/render-staff.ts';
import { ownerParameters, PixPaymentItem } from '../schemas.ts';
import { listedPayments } from '../store/lists.ts';

export const getAdminPixPayments = ({ db, resolveSearch }: Pix) =>
  endpoint('GET /admin/pix/payments', {
    access: { scope: 'operator', role: 'viewer' },
    id: 'listPixPaymentItems',
    summary: 'List money that arrived',
    query: Type.Object({
      ...listParameters(),
      ...searchParameter('an end-to-end id, a txid, or the hash of a purchase'),
      end_to_end_id: Type.Optional(Text(32, { description: 'What the Pix network calls it.' })),
      ...ownerParameters,
      ...dayParameters('Paid'),
    }),
    answers: listAnswer('A page of payments.', PixPaymentItem, 'What arrived'),
    async handler(request, reply) {
      const { q, customer, checkout, end_to_end_id: endToEndId, ...days } = request.query;
      const whose = await narrowed(db, { customer, checkout });
      const wanted = { ...days, ...whose, endToEndId, target: await resolveSearch(q) };
      return answerList(db, { request, reply }, listedPayments(wanted), {
        item: PixPaymentItem,
        render: (rows) => nameCustomers(db, rows.map(renderPayment)),
      });
    },
  });
