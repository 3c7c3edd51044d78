import { code, moment, text } from '../columns.tsx';
import { search } from '../filters.ts';
import { addKey } from '../keys.tsx';
import { listScreen } from '../list.tsx';
import { scopesInWords } from './names.ts';

export const keys = listScreen({
  path: '/chaves',
  title: 'Chaves',
  call: 'listKeys',
  filters: [search('Texto'), { name: 'partner', label: 'Parceiro (id ou nome)' }],
  columns: [
    code('Chave', 'hint'),
    text('Parceiro', 'partner.name'),
    text('Para quê', 'label'),
    {
      title: 'Alcance',
      show: ({ scopes }) => scopesInWords(scopes),
      field: 'scopes',
      inFile: (cell) => scopesInWords(cell.split(';')),
    },
    text('Loja', 'merchant'),
    moment('Último uso', 'last_used_at'),
    moment('Encerrada', 'revoked_at', ''),
  ],
  open: ({ id }) => `/chaves/${id}`,
  acts: [addKey],
});
