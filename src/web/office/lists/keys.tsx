import { listScreen } from '../list.tsx';
import { code, moment, text, When } from '../parts.tsx';
import { scopesInWords } from './names.ts';

export const keys = listScreen({
  path: '/chaves',
  title: 'Chaves',
  call: 'listKeys',
  filters: [
    { name: 'q', label: 'Texto' },
    { name: 'partner', label: 'Parceiro (id ou nome)' },
  ],
  columns: [
    code('Chave', 'hint'),
    { title: 'Parceiro', show: ({ partner }) => partner.name, field: 'partner_name' },
    text('Para quê', 'label'),
    {
      title: 'Alcance',
      show: ({ scopes }) => scopesInWords(scopes),
      field: 'scopes',
      inFile: (cell) => scopesInWords(cell.split(';')),
    },
    text('Loja', 'merchant'),
    moment('Último uso', 'last_used_at'),
    {
      title: 'Encerrada',
      show: ({ revoked_at }) => (revoked_at ? <When at={revoked_at} /> : ''),
      field: 'revoked_at',
    },
  ],
  open: ({ id }) => `/chaves/${id}`,
  actions: [{ href: '/chaves/nova', text: 'Nova chave', call: 'createKey' }],
});
