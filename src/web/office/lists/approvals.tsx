import { moment, money, named, state, text } from '../columns.tsx';
import { between, choice, search, status } from '../filters.ts';
import { listScreen } from '../list.tsx';
import { APPROVAL, APPROVAL_KIND } from './names.ts';

export const approvals = listScreen({
  path: '/aprovacoes',
  title: 'Aprovações',
  call: 'listApprovals',
  filters: [
    search('Cliente, loja, compra ou pagamento'),
    status(APPROVAL),
    choice('kind', 'O quê', APPROVAL_KIND),
    ...between,
  ],
  columns: [
    named('O quê', 'kind', APPROVAL_KIND),
    state('Situação', 'status', APPROVAL),
    money('Valor', 'amount'),
    text('Sobre', 'subject'),
    text('Pedida por', 'asked_by.name'),
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
