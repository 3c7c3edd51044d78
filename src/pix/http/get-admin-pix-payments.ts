import { Type } from 'typebox';
import { findCustomerId } from '#customers';
import { endpoint } from '#platform/http/endpoint.ts';
import { answerList, dayParameters, listAnswer, listParameters } from '#platform/http/listing.ts';
import type { Pix } from '../pix.ts';
import { renderPayment } from '../reports/render-staff.ts';
import { customerParameter, PixPayment } from '../schemas.ts';
import { listedPayments } from '../store/lists.ts';

export const getAdminPixPayments = ({ db }: Pix) =>
  endpoint({
    method: 'GET',
    url: '/admin/pix/payments',
    access: { scope: 'operator', role: 'viewer' },
    id: 'listPixPayments',
    tag: 'Pix',
    summary: 'List money that arrived',
    query: Type.Object({ ...listParameters(), ...customerParameter, ...dayParameters('Paid') }),
    answers: listAnswer('A page of payments.', PixPayment),
    async handler(request, reply) {
      const { customer, ...days } = request.query;
      const customerId = customer && ((await findCustomerId(db, customer)) ?? '');
      return answerList(db, { request, reply }, listedPayments({ ...days, customerId }), {
        item: PixPayment,
        render: (rows) => rows.map(renderPayment),
      });
    },
  });
