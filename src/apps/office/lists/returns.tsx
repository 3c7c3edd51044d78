import { money, statusBadge, text, timestamp } from '../columns.tsx';
import { dateRangeFilters, merchantFilter, searchFilter, statusFilter } from '../filters.ts';
import { defineListScreen } from '../list.tsx';
import { Code } from '../parts.tsx';
import { RETURN_LABELS } from './labels.ts';

export const returns = defineListScreen({
  path: '/devolucoes',
  title: 'Devoluções que esperaram',
  call: 'listReturnsThatWaited',
  filters: [
    searchFilter('Cliente, loja ou compra'),
    statusFilter(RETURN_LABELS),
    merchantFilter,
    ...dateRangeFilters,
  ],
  columns: [
    {
      title: 'Compra',
      render: ({ checkout_hash }) => <Code>{checkout_hash.slice(0, 8)}</Code>,
      csvField: 'checkout_hash',
    },
    text('Loja', 'merchant.name'),
    statusBadge('Situação', 'status', RETURN_LABELS),
    money('Valor', 'amount'),
    text('Motivo', 'reason'),
    timestamp('Pedida', 'asked_at'),
  ],
  rowHref: ({ id }) => `/devolucoes/${id}`,
});
