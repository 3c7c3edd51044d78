import { listScreen } from '../list.tsx';
import { text } from '../parts.tsx';

export const categories = listScreen({
  path: '/categorias',
  title: 'Categorias',
  call: 'listCategoryForStaff',
  filters: [{ name: 'q', label: 'Nome' }],
  columns: [text('Categoria', 'name'), text('Endereço', 'slug')],
  open: ({ slug }) => `/categorias/${slug}`,
  actions: [{ href: '/categorias/nova', text: 'Nova categoria', call: 'createCategory' }],
});
