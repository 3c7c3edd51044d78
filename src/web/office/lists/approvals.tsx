import { listScreen } from '../list.tsx';
import { Money, moment, Status } from '../parts.tsx';
import { APPROVAL, APPROVAL_KIND } from './names.ts';

export const approvals = listScreen({
  path: '/aprovacoes',
  title: 'Aprovações',
  call: 'listApprovals',
  filters: [
    { name: 'status', label: 'Situação', choices: APPROVAL },
    { name: 'kind', label: 'O quê', choices: APPROVAL_KIND },
    { name: 'from', label: 'De', kind: 'day' },
    { name: 'to', label: 'Até', kind: 'day' },
  ],
  columns: [
    { title: 'O quê', show: ({ kind }) => APPROVAL_KIND[kind] },
    { title: 'Situação', show: ({ status }) => <Status of={status} names={APPROVAL} /> },
    { title: 'Valor', isNumber: true, show: ({ amount }) => (amount === null ? '' : <Money of={amount} />) },
    { title: 'Sobre', show: ({ subject }) => subject },
    { title: 'Pedida por', show: ({ asked_by }) => asked_by.name },
    moment('Pedida', 'asked_at'),
    { title: 'Decidida por', show: ({ decided_by }) => decided_by?.name ?? '' },
  ],
  open: ({ id }) => `/aprovacoes/${id}`,
  empty: 'Nada espera uma segunda pessoa.',
});
