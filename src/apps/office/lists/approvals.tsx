import { labelled, money, statusBadge, text, timestamp } from '../columns.tsx';
import { choiceFilter, dateRangeFilters, searchFilter, statusFilter } from '../filters.ts';
import { defineListScreen } from '../list.tsx';
import { APPROVAL_KIND_LABELS, APPROVAL_LABELS } from './labels.ts';

export const approvals = defineListScreen({
  path: '/aprovacoes',
  title: 'Aprovações',
  call: 'listApprovals',
  filters: [
    searchFilter('Cliente, loja, compra ou pagamento'),
    statusFilter(APPROVAL_LABELS),
    choiceFilter('kind', 'O quê', APPROVAL_KIND_LABELS),
    ...dateRangeFilters,
  ],
  columns: [
    labelled('O quê', 'kind', APPROVAL_KIND_LABELS),
    statusBadge('Situação', 'status', APPROVAL_LABELS),
    money('Valor', 'amount'),
    {
      title: 'Sobre',
      render: ({ subject }) => subject.name ?? subject.id,
      csvField: 'subject_name',
    },
    text('Pedida por', 'asked_by.name'),
    timestamp('Pedida', 'asked_at'),
    {
      title: 'Decidida por',
      render: ({ decided_by }) => decided_by?.name ?? '',
      csvField: 'decided_by',
      formatForCsv: (cell) => /"name":"([^"]*)"/.exec(cell)?.[1] ?? cell,
    },
  ],
  rowHref: ({ id }) => `/aprovacoes/${id}`,
  emptyText: 'Nada espera uma segunda pessoa.',
});
