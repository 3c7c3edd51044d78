import { listScreen } from '../list.tsx';
import { Status } from '../parts.tsx';
import { YES_NO } from './names.ts';

export const faq = listScreen({
  path: '/perguntas',
  title: 'Perguntas',
  call: 'listFaqEntryForStaff',
  filters: [
    { name: 'q', label: 'Texto' },
    { name: 'topic', label: 'Assunto' },
    { name: 'listed', label: 'No site', choices: YES_NO },
  ],
  columns: [
    { title: 'Pergunta', show: ({ question }) => question },
    { title: 'Assunto', show: ({ topic }) => topic },
    { title: 'Posição', isNumber: true, show: ({ position }) => position },
    { title: 'No site', show: ({ listed }) => <Status of={String(listed)} names={YES_NO} /> },
  ],
  open: ({ id }) => `/perguntas/${id}`,
  actions: [{ href: '/perguntas/nova', text: 'Nova pergunta', call: 'createFaqEntry' }],
});
