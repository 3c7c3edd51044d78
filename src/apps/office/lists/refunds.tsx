import { maskedPerson, money, number, statusBadge, text, timestamp } from '../columns.tsx';
import { checkoutFilter, customerFilter, dateRangeFilters, searchFilter, statusFilter } from '../filters.ts';
import { defineListScreen } from '../list.tsx';
import { Code } from '../parts.tsx';
import { REFUND_LABELS } from './labels.ts';

export const refunds = defineListScreen({
  path: '/estornos',
  title: 'Estornos',
  call: 'listPixRefundItems',
  filters: [
    searchFilter('Cliente, id do PIX ou estorno'),
    statusFilter(REFUND_LABELS),
    customerFilter,
    checkoutFilter,
    ...dateRangeFilters,
  ],
  columns: [
    { title: 'Estorno', render: ({ id }) => <Code>{id.slice(-8)}</Code>, csvField: 'id' },
    maskedPerson('Cliente', 'customer_name'),
    statusBadge('Situação', 'status', REFUND_LABELS),
    money('Valor', 'value'),
    number('Tentativas', 'tries'),
    text('Motivo', 'reason'),
    timestamp('Pedido', 'created_at'),
  ],
  rowHref: ({ end_to_end_id }) => `/pagamentos/${end_to_end_id}`,
});
