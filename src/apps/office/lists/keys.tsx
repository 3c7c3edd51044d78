import { code, text, timestamp } from '../columns.tsx';
import { searchFilter } from '../filters.ts';
import { defineListScreen } from '../list.tsx';
import { addKey } from '../partners.tsx';
import { formatScopes } from './labels.ts';

export const keys = defineListScreen({
  path: '/chaves',
  title: 'Chaves',
  call: 'listKeys',
  filters: [searchFilter('Texto'), { name: 'partner', label: 'Parceiro (id ou nome)' }],
  columns: [
    code('Chave', 'hint'),
    text('Parceiro', 'partner.name'),
    text('Para quê', 'label'),
    {
      title: 'Alcance',
      render: ({ scopes }) => formatScopes(scopes),
      csvField: 'scopes',
      formatForCsv: (cell) => formatScopes(cell.split(';')),
    },
    text('Loja', 'merchant'),
    timestamp('Último uso', 'last_used_at'),
    timestamp('Encerrada', 'revoked_at', ''),
  ],
  rowHref: ({ id }) => `/chaves/${id}`,
  acts: [addKey],
});
