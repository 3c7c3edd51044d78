import { listScreen } from '../list.tsx';
import { moment } from '../parts.tsx';

export const partners = listScreen({
  path: '/parceiros',
  title: 'Parceiros',
  call: 'listPartners',
  filters: [{ name: 'q', label: 'Nome' }],
  columns: [
    { title: 'Nome', show: ({ name }) => name },
    { title: 'Chaves', isNumber: true, show: ({ keys }) => keys },
    moment('Desde', 'created_at'),
  ],
  open: ({ id }) => `/chaves?partner=${id}`,
  actions: [{ href: '/parceiros/novo', text: 'Novo parceiro', call: 'createPartner' }],
});
