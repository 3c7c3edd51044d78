import { addFaq } from '../catalog.tsx';
import { number, state, text } from '../columns.tsx';
import { choice, search } from '../filters.ts';
import { listScreen } from '../list.tsx';
import { YES_NO } from './names.ts';

export const faq = listScreen({
  path: '/perguntas',
  title: 'Perguntas',
  call: 'listFaqEntryForStaff',
  filters: [search('Texto'), { name: 'topic', label: 'Assunto' }, choice('listed', 'No site', YES_NO)],
  columns: [
    text('Pergunta', 'question'),
    text('Assunto', 'topic'),
    number('Posição', 'position'),
    state('No site', 'listed', YES_NO),
  ],
  open: ({ id }) => `/perguntas/${id}`,
  acts: [addFaq],
});
