import { Type } from 'typebox';
import { listedEvents, narrowed, STAFF_EVENT_TYPES } from '#events';
import type { Db } from '#platform/database/db.ts';
import { endpoint } from '#platform/http/endpoint.ts';
import { answerList, dayParameters, listAnswer, listParameters } from '#platform/http/listing.ts';
import { Id } from '#platform/http/schemas.ts';
import { renderStaffEvents, StaffEvent } from '../schemas.ts';

export const getAdminEvents = ({ db }: { db: Db }) =>
  endpoint('GET /admin/events', {
    access: { scope: 'operator', role: 'viewer' },
    id: 'searchEvents',
    summary: 'Search what happened by type, customer, purchase and time',
    description: 'Kept for 90 days.',
    query: Type.Object({
      ...listParameters(),
      type: Type.Optional(Type.Enum([...STAFF_EVENT_TYPES])),
      customer: Type.Optional(Id('cus', { description: 'Id of the customer.' })),
      checkout: Type.Optional(
        Type.String({ pattern: '^[0-9A-Za-z]{22}$', description: 'Hash of the purchase.' }),
      ),
      ...dayParameters('Happened'),
    }),
    answers: listAnswer('A page of events.', StaffEvent),
    async handler(request, reply) {
      const { customer: customerId, checkout: checkoutHash, type, from, to } = request.query;
      const filter = await narrowed(db, { type, customerId, checkoutHash, from, to });
      return answerList(db, { request, reply }, listedEvents(filter), {
        item: StaffEvent,
        render: (rows) => renderStaffEvents(db, rows),
      });
    },
  });
