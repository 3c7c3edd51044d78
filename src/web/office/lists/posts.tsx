import { listScreen } from '../list.tsx';
import { text, When } from '../parts.tsx';
import { POST } from './names.ts';

export const posts = listScreen({
  path: '/posts',
  title: 'Posts',
  call: 'listPostForStaff',
  filters: [
    { name: 'q', label: 'Texto' },
    { name: 'status', label: 'Situação', choices: POST },
  ],
  columns: [
    text('Título', 'title'),
    text('Autor', 'author'),
    { title: 'Etiquetas', show: ({ tags }) => tags.join(', '), field: 'tags' },
    {
      title: 'Publicado',
      show: ({ published_at }) => (published_at ? <When at={published_at} /> : 'rascunho'),
      field: 'published_at',
    },
  ],
  open: ({ slug }) => `/posts/${slug}`,
  actions: [{ href: '/posts/novo', text: 'Escrever post', call: 'createPost' }],
});
