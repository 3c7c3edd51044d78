import { Type } from 'typebox';
import { findCheckoutCustomer } from '#events';
import { endpoint } from '#platform/http/endpoint.ts';
import { answerList, dayParameters, listAnswer, listParameters } from '#platform/http/listing.ts';
import { Text } from '#platform/http/schemas.ts';
import { CHANNELS } from '../channels/channel.ts';
import type { Outbound } from '../messages.ts';
import { renderStaffMessage } from '../render-staff.ts';
import { StaffMessage, templateNames } from '../schemas.ts';
import { listedMessages } from '../staff-store.ts';
import { STATUSES } from '../store.ts';

export const getAdminMessages = ({ db, contacts, resolveSearch }: Outbound) =>
  endpoint('GET /admin/messages', {
    access: { scope: 'operator', role: 'viewer' },
    id: 'listStaffMessages',
    summary: 'List what customers were told',
    description:
      'Newest first, with what became of each. Messages to a phone that is no customer’s are not in it.',
    query: Type.Object({
      ...listParameters(),
      q: Type.Optional(Text(100, { description: 'Name, phone or CPF of the customer.' })),
      customer: Type.Optional(Text(80, { description: 'Id or phone of the customer.' })),
      checkout: Type.Optional(
        Type.String({ pattern: '^[0-9A-Za-z]{22}$', description: 'Hash of a purchase that it is about.' }),
      ),
      status: Type.Optional(Type.Enum([...STATUSES])),
      channel: Type.Optional(Type.Enum([...CHANNELS])),
      template: Type.Optional(templateNames()),
      ...dayParameters('Written'),
    }),
    answers: listAnswer('A page of messages.', StaffMessage),
    async handler(request, reply) {
      const { q, customer, checkout: hash, ...filter } = request.query;
      const customerId = customer && ((await contacts.findId(db, customer)) ?? '');
      // No customer has the id ''.
      const checkout =
        hash === undefined ? undefined : { hash, customerId: (await findCheckoutCustomer(db, hash)) ?? '' };
      const wanted = { ...filter, customerId, checkout, target: await resolveSearch(q) };
      return answerList(db, { request, reply }, listedMessages(wanted), {
        item: StaffMessage,
        isLinked: customer === undefined && q === undefined,
        render: (rows) =>
          contacts.nameAll(
            db,
            rows.map((row) => renderStaffMessage(db.vault, row)),
          ),
      });
    },
  });
