import { money, number, statusBadge, text, timestamp } from '../columns.tsx';
import {
  customerFilter,
  dateRangeFilters,
  merchantFilter,
  referenceFilter,
  searchFilter,
  statusFilter,
} from '../filters.ts';
import { defineListScreen } from '../list.tsx';
import { Code } from '../parts.tsx';
import { OFFER_LABELS } from './labels.ts';

export const offers = defineListScreen({
  path: '/ofertas',
  title: 'Ofertas',
  call: 'listOffersOfAll',
  filters: [
    searchFilter('Cliente, loja, oferta ou referência'),
    statusFilter(OFFER_LABELS),
    merchantFilter,
    customerFilter,
    referenceFilter,
    ...dateRangeFilters,
  ],
  columns: [
    { title: 'Oferta', render: ({ id }) => <Code>{id.slice(-8)}</Code>, csvField: 'id' },
    text('Loja', 'merchant.name'),
    statusBadge('Situação', 'status', OFFER_LABELS),
    money('Valor', 'amount'),
    number('Semanas', 'installments'),
    text('Descrição', 'description'),
    timestamp('Feita', 'created_at'),
    timestamp('Vence', 'expires_at'),
  ],
  rowHref: ({ id }) => `/ofertas/${id}`,
});
