import { Type } from 'typebox';
import { Personal } from '#platform/http/masking.ts';
import { Id, idOrPhone, StrictObject, Text, TextField, Timestamp } from '#platform/http/schemas.ts';

const list = Type.String({
  pattern: '^[a-z][A-Za-z]{2,59}$',
  description: 'Operation id of the list.',
  examples: ['listCustomers'],
});
const viewName = { description: 'Name of the view.', examples: ['Bloqueados'] };
const query = Type.String({
  maxLength: 1_000,
  pattern: '^[\\x21-\\x7e]*$',
  description: 'Filter and sort order as a query string, without page and without personal data.',
  examples: ['status=locked&sort=oldest'],
});

export const SavedView = Type.Object(
  { id: Id('vie'), list, name: Type.String(viewName), query, saved_at: Timestamp() },
  { $id: 'SavedView' },
);
export const ViewForm = StrictObject(
  { list, name: Text(60, viewName), query },
  {
    $id: 'SavedViewForm',
    examples: [{ list: 'listCustomers', name: 'Bloqueados', query: 'status=locked&sort=oldest' }],
  },
);
export const ViewParams = Type.Object({ id: Id('vie') });
export const ViewQuery = Type.Object({ list: Type.Optional(list) });

export const NoteParams = Type.Object({ id: idOrPhone({ description: 'Id or phone of the customer.' }) });
export const NoteForm = StrictObject(
  {
    text: Text(2_000, {
      description: 'Cannot be changed: a correction is another note.',
      examples: ['Ligou para combinar o pagamento de sexta.'],
    }),
  },
  { $id: 'CustomerNoteForm' },
);
export const CustomerNote = Type.Object(
  {
    id: Id('not'),
    text: Personal('text', {
      description: 'Masked below the role `support`.',
      examples: ['Ligou para combinar o pagamento de sexta.'],
    }),
    author: TextField(
      'Id of the staff user, or `command line` and the account on the machine.',
      'stf_01kfx3v9e2r4s6t8w0y2a4c6e8',
    ),
    author_name: Type.String({ examples: ['Marina Duarte'] }),
    written_at: Timestamp(),
  },
  { $id: 'CustomerNote' },
);
