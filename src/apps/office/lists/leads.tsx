import { labelled, maskedPerson, statusBadge, text, timestamp } from '../columns.tsx';
import { markLeadHandled } from '../content.tsx';
import { choiceFilter, dateRangeFilters, searchFilter, statusFilter } from '../filters.ts';
import { defineListScreen } from '../list.tsx';
import { toMaskedName } from '../parts.tsx';
import { LEAD_KIND_LABELS, LEAD_LABELS } from './labels.ts';

export const leads = defineListScreen({
  path: '/contatos',
  title: 'Contatos',
  call: 'listLeads',
  filters: [
    statusFilter(LEAD_LABELS),
    choiceFilter('kind', 'Tipo', LEAD_KIND_LABELS),
    searchFilter('Texto'),
    ...dateRangeFilters,
  ],
  columns: [
    maskedPerson('Nome', 'name'),
    labelled('Tipo', 'kind', LEAD_KIND_LABELS),
    statusBadge('Situação', 'status', LEAD_LABELS),
    text('Empresa', 'company'),
    timestamp('Recebido', 'received_at'),
  ],
  rowHref: ({ id }) => `/contatos/${id}`,
  bulk: {
    idOf: ({ id }) => id,
    labelOf: ({ name }) => toMaskedName(name),
    acts: [
      {
        act: markLeadHandled,
        describeEffect: () => 'Sai da fila',
        explainIneligible: ({ status }) => status === 'handled' && 'Nada: já foi atendido',
      },
    ],
  },
  emptyText: 'Ninguém espera resposta.',
});
