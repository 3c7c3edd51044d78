import { listScreen } from '../list.tsx';
import { Money, moment, named, state, text } from '../parts.tsx';
import { APPROVAL, APPROVAL_KIND } from './names.ts';

export const approvals = listScreen({
  path: '/aprovacoes',
  title: 'Aprovações',
  call: 'listApprovals',
  filters: [
    { name: 'q', label: 'Cliente, loja, compra ou pagamento' },
    { name: 'status', label: 'Situação', choices: APPROVAL },
    { name: 'kind', label: 'O quê', choices: APPROVAL_KIND },
    { name: 'from', label: 'De', kind: 'day' },
    { name: 'to', label: 'Até', kind: 'day' },
  ],
  columns: [
    named('O quê', 'kind', APPROVAL_KIND),
    state('Situação', 'status', APPROVAL),
    {
      title: 'Valor',
      isNumber: true,
      show: ({ amount }) => (amount === null ? '' : <Money of={amount} />),
      field: 'amount',
    },
    text('Sobre', 'subject'),
    { title: 'Pedida por', show: ({ asked_by }) => asked_by.name, field: 'asked_by_name' },
    moment('Pedida', 'asked_at'),
    {
      title: 'Decidida por',
      show: ({ decided_by }) => decided_by?.name ?? '',
      field: 'decided_by',
      inFile: (cell) => /"name":"([^"]*)"/.exec(cell)?.[1] ?? cell,
    },
  ],
  open: ({ id }) => `/aprovacoes/${id}`,
  empty: 'Nada espera uma segunda pessoa.',
});
