import { Type } from 'typebox';
import { findCustomerId, nameCustomers } from '#customers';
import { endpoint } from '#platform/http/endpoint.ts';
import { answerList, dayParameters, listAnswer, listParameters } from '#platform/http/listing.ts';
import { searchParameter } from '#platform/http/search.ts';
import { StaffAutopay } from '../autopay/schemas.ts';
import type { Pix } from '../pix.ts';
import { renderStaffAutopay } from '../reports/render-staff.ts';
import { customerParameter } from '../schemas.ts';
import { AUTHORISATION_STATUSES } from '../store/authorisations.ts';
import { listedAuthorisations } from '../store/lists.ts';

export const getAdminAutopay = ({ db, clock, resolveSearch }: Pix) =>
  endpoint('GET /admin/autopay', {
    access: { scope: 'operator', role: 'viewer' },
    id: 'listAutopay',
    summary: 'List authorisations of debits',
    query: Type.Object({
      ...listParameters(),
      ...searchParameter('the hash of a purchase'),
      status: Type.Optional(
        Type.Enum([...AUTHORISATION_STATUSES], { description: 'Only those in this status now.' }),
      ),
      ...customerParameter,
      ...dayParameters('Asked for'),
    }),
    answers: listAnswer('A page of authorisations.', StaffAutopay),
    async handler(request, reply) {
      const { q, customer, ...filter } = request.query;
      const customerId = customer && ((await findCustomerId(db, customer)) ?? '');
      const target = await resolveSearch(q);
      const now = clock.now();
      return answerList(
        db,
        { request, reply },
        listedAuthorisations({ ...filter, customerId, target }, now),
        {
          item: StaffAutopay,
          render: (rows) =>
            nameCustomers(
              db,
              rows.map((row) => renderStaffAutopay(row, now)),
            ),
        },
      );
    },
  });
