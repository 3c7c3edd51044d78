import { number, text, timestamp } from '../columns.tsx';
import { searchFilter } from '../filters.ts';
import { defineListScreen } from '../list.tsx';
import { addPartner } from '../partners.tsx';

export const partners = defineListScreen({
  path: '/parceiros',
  title: 'Parceiros',
  call: 'listPartners',
  filters: [searchFilter('Nome')],
  columns: [text('Nome', 'name'), number('Chaves', 'keys'), timestamp('Desde', 'created_at')],
  rowHref: ({ id }) => `/chaves?partner=${id}`,
  acts: [addPartner],
});
