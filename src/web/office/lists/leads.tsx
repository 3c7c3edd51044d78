import { moment, named, person, state, text } from '../columns.tsx';
import { handled } from '../content.tsx';
import { between, choice, search, status } from '../filters.ts';
import { listScreen } from '../list.tsx';
import { maskedName } from '../parts.tsx';
import { LEAD, LEAD_KIND } from './names.ts';

export const leads = listScreen({
  path: '/contatos',
  title: 'Contatos',
  call: 'listLeads',
  filters: [status(LEAD), choice('kind', 'Tipo', LEAD_KIND), search('Texto'), ...between],
  columns: [
    person('Nome', 'name'),
    named('Tipo', 'kind', LEAD_KIND),
    state('Situação', 'status', LEAD),
    text('Empresa', 'company'),
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
