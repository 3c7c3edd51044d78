import { text, timestamp } from '../columns.tsx';
import { writePost } from '../content.tsx';
import { searchFilter, statusFilter } from '../filters.ts';
import { defineListScreen } from '../list.tsx';
import { POST_LABELS } from './labels.ts';

export const posts = defineListScreen({
  path: '/posts',
  title: 'Posts',
  call: 'listPostForStaff',
  filters: [searchFilter('Texto'), statusFilter(POST_LABELS)],
  columns: [
    text('Título', 'title'),
    text('Autor', 'author'),
    { title: 'Etiquetas', render: ({ tags }) => tags.join(', '), csvField: 'tags' },
    timestamp('Publicado', 'published_at', 'rascunho'),
  ],
  rowHref: ({ slug }) => `/posts/${slug}`,
  acts: [writePost],
});
