import { moment, number, text } from '../columns.tsx';
import { search } from '../filters.ts';
import { addPartner } from '../keys.tsx';
import { listScreen } from '../list.tsx';

export const partners = listScreen({
  path: '/parceiros',
  title: 'Parceiros',
  call: 'listPartners',
  filters: [search('Nome')],
  columns: [text('Nome', 'name'), number('Chaves', 'keys'), moment('Desde', 'created_at')],
  open: ({ id }) => `/chaves?partner=${id}`,
  acts: [addPartner],
});
