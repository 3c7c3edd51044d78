import { code, labelled, maskedPerson, money, statusBadge, timestamp } from '../columns.tsx';
import {
  checkoutFilter,
  choiceFilter,
  customerFilter,
  dateRangeFilters,
  searchFilter,
  statusFilter,
} from '../filters.ts';
import { defineListScreen } from '../list.tsx';
import { CHARGE_LABELS, CHARGE_TYPE_LABELS } from './labels.ts';

export const charges = defineListScreen({
  path: '/cobrancas',
  title: 'Cobranças',
  call: 'listPixCharges',
  filters: [
    searchFilter('Cliente, txid ou compra'),
    statusFilter(CHARGE_LABELS),
    choiceFilter('type', 'Tipo', CHARGE_TYPE_LABELS),
    customerFilter,
    checkoutFilter,
    ...dateRangeFilters,
  ],
  columns: [
    code('Txid', 'txid'),
    maskedPerson('Cliente', 'customer_name'),
    statusBadge('Situação', 'status', CHARGE_LABELS),
    labelled('Tipo', 'type', CHARGE_TYPE_LABELS),
    money('Valor', 'value'),
    timestamp('Criada', 'created_at'),
    timestamp('Paga', 'paid_at'),
  ],
  rowHref: ({ checkout_hash }) => `/compras/${checkout_hash}`,
});
