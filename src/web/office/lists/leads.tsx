import { handled } from '../content.tsx';
import { listScreen } from '../list.tsx';
import { maskedName, moment, Status } from '../parts.tsx';
import { LEAD } from './names.ts';

export const leads = listScreen({
  path: '/contatos',
  title: 'Contatos',
  call: 'listLeads',
  filters: [
    { name: 'status', label: 'Situação', choices: LEAD },
    { name: 'kind', label: 'Tipo' },
    { name: 'q', label: 'Texto' },
    { name: 'from', label: 'De', kind: 'day' },
    { name: 'to', label: 'Até', kind: 'day' },
  ],
  columns: [
    { title: 'Nome', show: ({ name }) => maskedName(name) },
    { title: 'Tipo', show: ({ kind }) => kind },
    { title: 'Situação', show: ({ status }) => <Status of={status} names={LEAD} /> },
    { title: 'Empresa', show: ({ company }) => company ?? '' },
    moment('Recebido', 'received_at'),
  ],
  open: ({ id }) => `/contatos/${id}`,
  bulk: {
    idOf: ({ id }) => id,
    labelOf: ({ name }) => maskedName(name),
    acts: [
      {
        act: handled,
        what: () => 'Sai da fila',
        not: ({ status }) => status === 'handled' && 'Nada: já foi atendido',
      },
    ],
  },
  empty: 'Ninguém espera resposta.',
});
