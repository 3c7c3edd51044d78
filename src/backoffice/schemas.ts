import { Type } from 'typebox';
import { Personal } from '#platform/http/personal.ts';
import { Form, Id, idOrPhone, Text, Timestamp } from '#platform/http/schemas.ts';

const list = Type.String({
  pattern: '^[a-z][A-Za-z]{2,59}$',
  description: 'The operation of this document that lists.',
  examples: ['listCustomers'],
});
const called = { description: 'What the person calls it.', examples: ['Bloqueados'] };
const query = Type.String({
  maxLength: 1_000,
  pattern: '^[\\x21-\\x7e]*$',
  description: 'Filter and sorting, as in an address. Without page, and without what names a person.',
  examples: ['status=locked&sort=oldest'],
});

export const SavedView = Type.Object(
  { id: Id('vie'), list, name: Type.String(called), query, saved_at: Timestamp() },
  { $id: 'SavedView' },
);
export const ViewForm = Form(
  { list, name: Text(60, called), query },
  {
    $id: 'SavedViewForm',
    examples: [{ list: 'listCustomers', name: 'Bloqueados', query: 'status=locked&sort=oldest' }],
  },
);
export const ViewParams = Type.Object({ id: Id('vie') });
export const ViewQuery = Type.Object({ list: Type.Optional(list) });

export const NoteParams = Type.Object({ id: idOrPhone({ description: 'Id or phone.' }) });
export const NoteForm = Form(
  {
    text: Text(2_000, {
      description: 'Stays as it is written: a correction is another note.',
      examples: ['Ligou para combinar o pagamento de sexta.'],
    }),
  },
  { $id: 'CustomerNoteForm' },
);
export const CustomerNote = Type.Object(
  {
    id: Id('not'),
    text: Personal('text', {
      description: 'Masked below `support`.',
      examples: ['Ligou para combinar o pagamento de sexta.'],
    }),
    author: Type.String({
      description: 'Id of the person, or `command line` and the account on the machine.',
      examples: ['stf_01kfx3v9e2r4s6t8w0y2a4c6e8'],
    }),
    author_name: Type.String({ examples: ['Marina Duarte'] }),
    written_at: Timestamp(),
  },
  { $id: 'CustomerNote' },
);
