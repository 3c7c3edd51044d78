import { listScreen } from '../list.tsx';
import { Code, moment, money, state, text } from '../parts.tsx';
import { RETURN } from './names.ts';

export const returns = listScreen({
  path: '/devolucoes',
  title: 'Devoluções que esperaram',
  call: 'listReturnsThatWaited',
  filters: [
    { name: 'q', label: 'Cliente, loja ou compra' },
    { name: 'status', label: 'Situação', choices: RETURN },
    { name: 'merchant', label: 'Loja (endereço)', kind: 'linked' },
    { name: 'from', label: 'De', kind: 'day' },
    { name: 'to', label: 'Até', kind: 'day' },
  ],
  columns: [
    {
      title: 'Compra',
      show: ({ checkout_hash }) => <Code>{checkout_hash.slice(0, 8)}</Code>,
      field: 'checkout_hash',
    },
    { title: 'Loja', show: ({ merchant }) => merchant.name, field: 'merchant_name' },
    state('Situação', 'status', RETURN),
    money('Valor', 'amount'),
    text('Motivo', 'reason'),
    moment('Pedida', 'asked_at'),
  ],
  open: ({ id }) => `/devolucoes/${id}`,
});
