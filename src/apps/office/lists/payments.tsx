import { code, maskedPerson, money, statusBadge, timestamp } from '../columns.tsx';
import { checkoutFilter, customerFilter, dateRangeFilters, searchFilter } from '../filters.ts';
import { defineListScreen } from '../list.tsx';
import { YES_NO_LABELS } from './labels.ts';

export const payments = defineListScreen({
  path: '/pagamentos',
  title: 'Pagamentos',
  call: 'listPixPaymentItems',
  filters: [
    searchFilter('Cliente, id do PIX, txid ou compra'),
    { name: 'end_to_end_id', label: 'Id do PIX (E…)', kind: 'linked' },
    customerFilter,
    checkoutFilter,
    ...dateRangeFilters,
  ],
  columns: [
    code('PIX', 'end_to_end_id'),
    maskedPerson('Cliente', 'customer_name'),
    money('Valor', 'value'),
    money('Devolvido', 'refunded'),
    statusBadge('Atribuído à mão', 'assigned', YES_NO_LABELS),
    timestamp('Pago', 'paid_at'),
  ],
  rowHref: ({ end_to_end_id }) => `/pagamentos/${end_to_end_id}`,
});
