import { percent, plural } from '../../ui/format.ts';
import { listScreen } from '../list.tsx';
import { Status } from '../parts.tsx';
import { YES_NO } from './names.ts';

export const merchants = listScreen({
  path: '/lojas',
  title: 'Lojas',
  call: 'listMerchantForStaff',
  filters: [
    { name: 'q', label: 'Nome' },
    { name: 'category', label: 'Categoria (endereço)' },
    { name: 'listed', label: 'No site', choices: YES_NO },
  ],
  columns: [
    { title: 'Loja', show: ({ name }) => name },
    { title: 'Endereço', show: ({ slug }) => slug },
    { title: 'Categoria', show: ({ category }) => category },
    { title: 'Cidade', show: ({ city, state }) => [city, state].filter(Boolean).join(', ') },
    { title: 'No site', show: ({ listed }) => <Status of={String(listed)} names={YES_NO} /> },
    { title: 'Juros por semana', isNumber: true, show: ({ plan }) => percent(plan.weekly_rate_percent) },
    { title: 'Taxa', isNumber: true, show: ({ plan }) => percent(plan.merchant_fee_percent) },
    {
      title: 'Repasse em',
      isNumber: true,
      show: ({ plan }) => plural(plan.payout_days, 'dia útil', 'dias úteis'),
    },
  ],
  open: ({ slug }) => `/lojas/${slug}`,
  actions: [{ href: '/lojas/nova', text: 'Nova loja', call: 'createMerchant' }],
});
