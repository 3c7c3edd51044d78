import { listScreen } from '../list.tsx';

export const categories = listScreen({
  path: '/categorias',
  title: 'Categorias',
  call: 'listCategoryForStaff',
  filters: [{ name: 'q', label: 'Nome' }],
  columns: [
    { title: 'Categoria', show: ({ name }) => name },
    { title: 'Endereço', show: ({ slug }) => slug },
  ],
  open: ({ slug }) => `/categorias/${slug}`,
  actions: [{ href: '/categorias/nova', text: 'Nova categoria', call: 'createCategory' }],
});
