import { listScreen } from '../list.tsx';
import { Code, moment, When } from '../parts.tsx';

export const keys = listScreen({
  path: '/chaves',
  title: 'Chaves',
  call: 'listKeys',
  filters: [
    { name: 'q', label: 'Texto' },
    { name: 'partner', label: 'Parceiro (id ou nome)' },
  ],
  columns: [
    { title: 'Chave', show: ({ hint }) => <Code>{hint}</Code> },
    { title: 'Parceiro', show: ({ partner }) => partner.name },
    { title: 'Para quê', show: ({ label }) => label },
    { title: 'Alcance', show: ({ scopes }) => scopes.join(', ') },
    { title: 'Loja', show: ({ merchant }) => merchant ?? '' },
    moment('Último uso', 'last_used_at'),
    { title: 'Encerrada', show: ({ revoked_at }) => (revoked_at ? <When at={revoked_at} /> : '') },
  ],
  open: ({ id, partner }) => `/chaves/${id}?partner=${partner.id}`,
  actions: [{ href: '/chaves/nova', text: 'Nova chave', call: 'createKey' }],
});
