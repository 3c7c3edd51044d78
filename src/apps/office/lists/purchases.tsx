import { day, maskedPerson, money, statusBadge, text, timestamp } from '../columns.tsx';
import {
  choiceFilter,
  customerFilter,
  dateRangeFilters,
  merchantFilter,
  referenceFilter,
  searchFilter,
  statusFilter,
} from '../filters.ts';
import { defineListScreen } from '../list.tsx';
import { Code } from '../parts.tsx';
import { LATENESS_LABELS, PURCHASE_LABELS, YES_NO_LABELS } from './labels.ts';

export const purchases = defineListScreen({
  path: '/compras',
  title: 'Compras',
  call: 'listCheckoutsOfAll',
  filters: [
    searchFilter('Cliente, loja, compra ou referência'),
    statusFilter(PURCHASE_LABELS),
    choiceFilter('days_late', 'Dias de atraso', LATENESS_LABELS),
    merchantFilter,
    customerFilter,
    referenceFilter,
    choiceFilter('written_off', 'Baixada', YES_NO_LABELS),
    ...dateRangeFilters,
  ],
  columns: [
    { title: 'Compra', render: ({ hash }) => <Code>{hash.slice(0, 8)}</Code>, csvField: 'hash' },
    maskedPerson('Cliente', 'customer_name'),
    text('Loja', 'merchant.name'),
    statusBadge('Situação', 'status', PURCHASE_LABELS),
    money('Financiado', 'amounts.financed'),
    money('Pago', 'amounts.paid'),
    money('Para quitar', 'amounts.total_due'),
    {
      title: 'Parcelas',
      isNumber: true,
      render: ({ installments_paid, installments_total }) => `${installments_paid}/${installments_total}`,
    },
    day('Próxima', 'next_due_on'),
    timestamp('Comprada', 'purchased_at'),
  ],
  rowHref: ({ hash }) => `/compras/${hash}`,
});
