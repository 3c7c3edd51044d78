import { addFaq } from '../catalog.tsx';
import { number, statusBadge, text } from '../columns.tsx';
import { choiceFilter, searchFilter } from '../filters.ts';
import { defineListScreen } from '../list.tsx';
import { YES_NO_LABELS } from './labels.ts';

export const faq = defineListScreen({
  path: '/perguntas',
  title: 'Perguntas',
  call: 'listFaqEntryForStaff',
  filters: [
    searchFilter('Texto'),
    { name: 'topic', label: 'Assunto' },
    choiceFilter('listed', 'No site', YES_NO_LABELS),
  ],
  columns: [
    text('Pergunta', 'question'),
    text('Assunto', 'topic'),
    number('Posição', 'position'),
    statusBadge('No site', 'listed', YES_NO_LABELS),
  ],
  rowHref: ({ id }) => `/perguntas/${id}`,
  acts: [addFaq],
});
