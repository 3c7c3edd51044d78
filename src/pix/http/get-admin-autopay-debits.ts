import { Type } from 'typebox';
import { findCustomerId, nameCustomers } from '#customers';
import { endpoint } from '#platform/http/endpoint.ts';
import { answerList, dayParameters, listAnswer, listParameters } from '#platform/http/listing.ts';
import { searchParameter } from '#platform/http/search.ts';
import { StaffDebit } from '../autopay/schemas.ts';
import type { Pix } from '../pix.ts';
import { renderStaffDebit } from '../reports/render-staff.ts';
import { customerParameter } from '../schemas.ts';
import { DEBIT_STATUSES, listedDebits } from '../store/lists.ts';

export const getAdminAutopayDebits = ({ db, resolveSearch }: Pix) =>
  endpoint('GET /admin/autopay/debits', {
    access: { scope: 'operator', role: 'viewer' },
    id: 'listDebits',
    summary: 'List debits of autopay',
    description: 'By the day on which the installment falls due.',
    query: Type.Object({
      ...listParameters(),
      ...searchParameter('the hash of a purchase'),
      status: Type.Optional(Type.Enum([...DEBIT_STATUSES])),
      ...customerParameter,
      ...dayParameters('Due'),
    }),
    answers: listAnswer('A page of debits.', StaffDebit, 'What is debited'),
    async handler(request, reply) {
      const { q, customer, ...filter } = request.query;
      const customerId = customer && ((await findCustomerId(db, customer)) ?? '');
      const target = await resolveSearch(q);
      return answerList(db, { request, reply }, listedDebits({ ...filter, customerId, target }), {
        item: StaffDebit,
        render: (rows) => nameCustomers(db, rows.map(renderStaffDebit)),
      });
    },
  });
