import { Type } from 'typebox';
import { findCustomerId, nameCustomers } from '#customers';
import { endpoint } from '#platform/http/endpoint.ts';
import { answerList, dayParameters, listAnswer, listParameters } from '#platform/http/listing.ts';
import { Text } from '#platform/http/schemas.ts';
import { searchParameter } from '#platform/http/search.ts';
import { renderStaffMovement } from '../render-staff.ts';
import type { Rewards } from '../rewards.ts';
import { StaffCashbackItem } from '../schemas.ts';
import { listedMovements } from '../staff-store.ts';
import { CASHBACK_KINDS } from '../store/movements.ts';

export const getAdminCashback = ({ db, resolveSearch }: Rewards) =>
  endpoint('GET /admin/cashback', {
    access: { scope: 'operator', role: 'viewer' },
    id: 'listCashbackOfAll',
    summary: 'List what came to and went from cashback of all customers',
    description: 'As it is written down: what has expired is, within the hour.',
    query: Type.Object({
      ...listParameters(),
      ...searchParameter('the hash of a purchase'),
      kind: Type.Optional(Type.Enum([...CASHBACK_KINDS])),
      customer: Type.Optional(Text(80, { description: 'Id or phone of the customer.' })),
      ...dayParameters('Written'),
    }),
    answers: listAnswer('A page of lines.', StaffCashbackItem, 'What the movements come to'),
    async handler(request, reply) {
      const { q, customer, ...filter } = request.query;
      const customerId = customer && ((await findCustomerId(db, customer)) ?? '');
      const target = await resolveSearch(q);
      return answerList(db, { request, reply }, listedMovements({ ...filter, customerId, target }), {
        item: StaffCashbackItem,
        render: (rows) => nameCustomers(db, rows.map(renderStaffMovement)),
      });
    },
  });
