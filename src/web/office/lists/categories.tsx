import { addCategory } from '../catalog.tsx';
import { text } from '../columns.tsx';
import { search } from '../filters.ts';
import { listScreen } from '../list.tsx';

export const categories = listScreen({
  path: '/categorias',
  title: 'Categorias',
  call: 'listCategoryForStaff',
  filters: [search('Nome')],
  columns: [text('Categoria', 'name'), text('Endereço', 'slug')],
  open: ({ slug }) => `/categorias/${slug}`,
  acts: [addCategory],
});
