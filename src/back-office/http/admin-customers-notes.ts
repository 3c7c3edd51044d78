import { Type } from 'typebox';
import { CUSTOMER_NOT_FOUND, customerErased, findCustomerId } from '#customers';
import type { Deps } from '#module';
import { type CustomerTx, forCustomer } from '#platform/database/customer-transaction.ts';
import { CUSTOMER_ROLES } from '#platform/http/access.ts';
import { endpoint } from '#platform/http/endpoint.ts';
import { createOnce } from '#platform/http/idempotency.ts';
import { listResponse, respondWithPages } from '#platform/http/list-query.ts';
import { pageParameters } from '#platform/http/pagination.ts';
import { createAuditContext } from '#platform/privacy/audit-trail.ts';
import { listNotes, writeNote } from '../notes.ts';
import { CustomerNote, NoteForm, NoteParams } from '../schemas.ts';

export const getAdminCustomersIdNotes = ({ db }: Pick<Deps, 'db' | 'clock'>) =>
  endpoint('GET /admin/customers/:id/notes', {
    access: { scope: 'operator', role: 'viewer' },
    id: 'listCustomerNotes',
    summary: 'List notes about a customer',
    description: 'Notes of staff users, newest first. Erasing the customer deletes them.',
    params: NoteParams,
    notFound: CUSTOMER_NOT_FOUND,
    query: Type.Object(pageParameters()),
    responses: listResponse('A page of notes.', CustomerNote),
    async handler(request, reply) {
      const id = await findCustomerId(db, request.params.id);
      if (id === undefined) throw request.notFound();
      return respondWithPages({ request, reply }, (range) => listNotes(db, id, range), {
        item: CustomerNote,
        path: `/admin/customers/${id}/notes`,
        render: (rows) => rows,
      });
    },
  });

export const postAdminCustomersIdNotes = ({ db, clock }: Pick<Deps, 'db' | 'clock'>) =>
  endpoint('POST /admin/customers/:id/notes', {
    access: { scope: 'operator', role: CUSTOMER_ROLES },
    id: 'writeCustomerNote',
    summary: 'Create a note about a customer',
    description:
      'For staff users only: the customer does not see the note, and the customer’s data export does not contain it.',
    params: NoteParams,
    notFound: CUSTOMER_NOT_FOUND,
    idempotent: true,
    body: NoteForm,
    responses: {
      201: { description: 'The note.', schema: CustomerNote },
    },
    problems: [customerErased],
    async handler(request, reply) {
      const id = await findCustomerId(db, request.params.id);
      if (id === undefined) throw request.notFound();
      const now = clock.now();
      const auditContext = createAuditContext(request, now);
      const { text } = request.body;
      const createNote = async (tx: CustomerTx) => {
        const note = await writeNote(tx, id, text, auditContext);
        if (!note) throw request.notFound();
        return note;
      };
      const fingerprint = [id, text];
      return createOnce(forCustomer(db, id), { request, reply, now }, createNote, fingerprint);
    },
  });
