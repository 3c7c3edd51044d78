import { moment, text } from '../columns.tsx';
import { writePost } from '../content.tsx';
import { search, status } from '../filters.ts';
import { listScreen } from '../list.tsx';
import { POST } from './names.ts';

export const posts = listScreen({
  path: '/posts',
  title: 'Posts',
  call: 'listPostForStaff',
  filters: [search('Texto'), status(POST)],
  columns: [
    text('Título', 'title'),
    text('Autor', 'author'),
    { title: 'Etiquetas', show: ({ tags }) => tags.join(', '), field: 'tags' },
    moment('Publicado', 'published_at', 'rascunho'),
  ],
  open: ({ slug }) => `/posts/${slug}`,
  acts: [writePost],
});
