import { day, maskedPerson, money, number, statusBadge, text } from '../columns.tsx';
import { customerFilter, dateRangeFilters, searchFilter, statusFilter } from '../filters.ts';
import { defineListScreen } from '../list.tsx';
import { DEBIT_LABELS } from './labels.ts';

export const debits = defineListScreen({
  path: '/debitos',
  title: 'Débitos automáticos',
  call: 'listDebits',
  filters: [
    searchFilter('Cliente ou compra'),
    statusFilter(DEBIT_LABELS),
    customerFilter,
    ...dateRangeFilters,
  ],
  columns: [
    day('Vencimento', 'due_on'),
    maskedPerson('Cliente', 'customer_name'),
    statusBadge('Situação', 'status', DEBIT_LABELS),
    money('Valor', 'value'),
    number('Tentativas', 'tries'),
    day('Última tentativa', 'attempt_on'),
    text('O que o banco disse', 'reason'),
  ],
  rowHref: ({ checkout_hash }) => `/compras/${checkout_hash}`,
});
