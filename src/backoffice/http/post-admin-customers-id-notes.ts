import { customerErased, findCustomerId, NO_CUSTOMER } from '#customers';
import { type CustomerTx, forCustomer } from '#platform/database/customer-transaction.ts';
import { endpoint } from '#platform/http/endpoint.ts';
import { createOnce, idempotency } from '#platform/http/idempotency.ts';
import { changeBy } from '#platform/privacy/trail.ts';
import type { Backoffice } from '../backoffice.ts';
import { writeNote } from '../notes.ts';
import { CustomerNote, NoteForm, NoteParams } from '../schemas.ts';

export const postAdminCustomersIdNotes = ({ db, clock }: Backoffice) =>
  endpoint('POST /admin/customers/:id/notes', {
    access: { scope: 'operator', role: 'support' },
    id: 'writeCustomerNote',
    summary: 'Write a note about a customer',
    description: 'For who works here: the customer does not see it, nor is it in what they export.',
    params: NoteParams,
    notFound: NO_CUSTOMER,
    headers: idempotency.header,
    body: NoteForm,
    answers: { 201: { description: 'The note.', schema: CustomerNote, headers: idempotency.replayed } },
    problems: [customerErased, ...idempotency.problems],
    async handler(request, reply) {
      const id = (await findCustomerId(db, request.params.id)) ?? '';
      const now = clock.now();
      const change = changeBy(request, now);
      const { text } = request.body;
      const work = async (tx: CustomerTx) => {
        const note = await writeNote(tx, id, text, change);
        if (!note) throw request.notFound();
        return note;
      };
      return createOnce(forCustomer(db, id), { request, reply, now }, work, [id, text]);
    },
  });
