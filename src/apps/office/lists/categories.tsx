import { addCategory } from '../catalog.tsx';
import { text } from '../columns.tsx';
import { searchFilter } from '../filters.ts';
import { defineListScreen } from '../list.tsx';

export const categories = defineListScreen({
  path: '/categorias',
  title: 'Categorias',
  call: 'listCategoryForStaff',
  filters: [searchFilter('Nome')],
  columns: [text('Categoria', 'name'), text('Endereço', 'slug')],
  rowHref: ({ slug }) => `/categorias/${slug}`,
  acts: [addCategory],
});
