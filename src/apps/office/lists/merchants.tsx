import { plural } from '../../text/format.ts';
import { percentage, statusBadge, text } from '../columns.tsx';
import { choiceFilter, searchFilter } from '../filters.ts';
import { defineListScreen } from '../list.tsx';
import { createMerchant } from '../merchant-acts.tsx';
import { YES_NO_LABELS } from './labels.ts';

export const merchants = defineListScreen({
  path: '/lojas',
  title: 'Lojas',
  call: 'listMerchantForStaff',
  filters: [
    searchFilter('Nome'),
    { name: 'category', label: 'Categoria (endereço)' },
    choiceFilter('listed', 'No site', YES_NO_LABELS),
  ],
  columns: [
    text('Loja', 'name'),
    text('Endereço', 'slug'),
    text('Categoria', 'category'),
    { title: 'Cidade', render: ({ city, state }) => [city, state].filter(Boolean).join(', ') },
    statusBadge('No site', 'listed', YES_NO_LABELS),
    percentage('Juros por semana', 'plan.weekly_rate_percent'),
    percentage('Taxa', 'plan.merchant_fee_percent'),
    {
      title: 'Repasse em',
      isNumber: true,
      render: ({ plan }) => plural(plan.payout_days, 'dia útil', 'dias úteis'),
      csvField: 'plan_payout_days',
      formatForCsv: (cell) => plural(Number(cell), 'dia útil', 'dias úteis'),
    },
  ],
  defaultOrderLabel: 'Por nome',
  rowHref: ({ slug }) => `/lojas/${slug}`,
  acts: [createMerchant],
});
