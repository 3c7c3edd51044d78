import { Type } from 'typebox';
import { findCustomerId, NO_CUSTOMER } from '#customers';
import { endpoint } from '#platform/http/endpoint.ts';
import { answerPages, listAnswer } from '#platform/http/listing.ts';
import { pageParameters } from '#platform/http/pagination.ts';
import type { Backoffice } from '../backoffice.ts';
import { listNotes } from '../notes.ts';
import { CustomerNote, NoteParams } from '../schemas.ts';

export const getAdminCustomersIdNotes = ({ db }: Backoffice) =>
  endpoint('GET /admin/customers/:id/notes', {
    access: { scope: 'operator', role: 'viewer' },
    id: 'listCustomerNotes',
    summary: 'What people wrote about a customer',
    description: 'Newest first. Gone once the customer is erased.',
    params: NoteParams,
    notFound: NO_CUSTOMER,
    query: Type.Object(pageParameters()),
    answers: listAnswer('A page of notes.', CustomerNote),
    async handler(request, reply) {
      const id = await findCustomerId(db, request.params.id);
      if (id === undefined) throw request.notFound();
      return answerPages({ request, reply }, (range) => listNotes(db, id, range), {
        item: CustomerNote,
        path: `/admin/customers/${id}/notes`,
        render: (rows) => rows,
      });
    },
  });
