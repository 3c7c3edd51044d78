import { moment, money, state, text } from '../columns.tsx';
import { between, byMerchant, search, status } from '../filters.ts';
import { listScreen } from '../list.tsx';
import { Code } from '../parts.tsx';
import { RETURN } from './names.ts';

export const returns = listScreen({
  path: '/devolucoes',
  title: 'Devoluções que esperaram',
  call: 'listReturnsThatWaited',
  filters: [search('Cliente, loja ou compra'), status(RETURN), byMerchant, ...between],
  columns: [
    {
      title: 'Compra',
      show: ({ checkout_hash }) => <Code>{checkout_hash.slice(0, 8)}</Code>,
      field: 'checkout_hash',
    },
    text('Loja', 'merchant.name'),
    state('Situação', 'status', RETURN),
    money('Valor', 'amount'),
    text('Motivo', 'reason'),
    moment('Pedida', 'asked_at'),
  ],
  open: ({ id }) => `/devolucoes/${id}`,
});
