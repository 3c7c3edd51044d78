import { day, labelled, maskedPerson, money, statusBadge, timestamp } from '../columns.tsx';
import { customerFilter, dateRangeFilters, searchFilter, statusFilter } from '../filters.ts';
import { defineListScreen } from '../list.tsx';
import { AUTOPAY_LABELS, ENDED_BY_LABELS } from './labels.ts';

export const autopay = defineListScreen({
  path: '/autorizacoes',
  title: 'Autorizações de débito',
  call: 'listAutopay',
  filters: [
    searchFilter('Cliente ou compra'),
    statusFilter(AUTOPAY_LABELS),
    customerFilter,
    ...dateRangeFilters,
  ],
  columns: [
    maskedPerson('Cliente', 'customer_name'),
    statusBadge('Situação', 'status', AUTOPAY_LABELS),
    money('Maior débito', 'largest'),
    day('Até', 'ends_on'),
    timestamp('Pedida', 'created_at'),
    labelled('Encerrada por', 'ended_by', ENDED_BY_LABELS),
  ],
  rowHref: ({ checkout_hash }) => `/compras/${checkout_hash}`,
});
