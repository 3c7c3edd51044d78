import { maskedPerson, money, statusBadge, text, timestamp } from '../columns.tsx';
import { choiceFilter, customerFilter, dateRangeFilters, searchFilter } from '../filters.ts';
import { defineListScreen } from '../list.tsx';
import { CASHBACK_LABELS } from './labels.ts';

export const cashback = defineListScreen({
  path: '/cashback',
  title: 'Cashback',
  call: 'listCashbackOfAll',
  filters: [
    searchFilter('Cliente ou compra'),
    choiceFilter('kind', 'Tipo', CASHBACK_LABELS),
    customerFilter,
    ...dateRangeFilters,
  ],
  columns: [
    maskedPerson('Cliente', 'customer_name'),
    statusBadge('Tipo', 'kind', CASHBACK_LABELS),
    money('Valor', 'amount'),
    money('Saldo depois', 'balance_after'),
    text('Descrição', 'description'),
    timestamp('Quando', 'occurred_at'),
  ],
  rowHref: ({ customer_id }) => `/clientes/${customer_id}`,
});
