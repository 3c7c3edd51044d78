import { plural } from '../../text/format.ts';
import { share, state, text } from '../columns.tsx';
import { choice, search } from '../filters.ts';
import { listScreen } from '../list.tsx';
import { create } from '../merchant-acts.tsx';
import { YES_NO } from './names.ts';

export const merchants = listScreen({
  path: '/lojas',
  title: 'Lojas',
  call: 'listMerchantForStaff',
  filters: [
    search('Nome'),
    { name: 'category', label: 'Categoria (endereço)' },
    choice('listed', 'No site', YES_NO),
  ],
  columns: [
    text('Loja', 'name'),
    text('Endereço', 'slug'),
    text('Categoria', 'category'),
    { title: 'Cidade', show: ({ city, state }) => [city, state].filter(Boolean).join(', ') },
    state('No site', 'listed', YES_NO),
    share('Juros por semana', 'plan.weekly_rate_percent'),
    share('Taxa', 'plan.merchant_fee_percent'),
    {
      title: 'Repasse em',
      isNumber: true,
      show: ({ plan }) => plural(plan.payout_days, 'dia útil', 'dias úteis'),
      field: 'plan_payout_days',
      inFile: (cell) => plural(Number(cell), 'dia útil', 'dias úteis'),
    },
  ],
  order: 'Por nome',
  open: ({ slug }) => `/lojas/${slug}`,
  acts: [create],
});
