import { listScreen } from '../list.tsx';
import { Code, moment, money, Status } from '../parts.tsx';
import { RETURN } from './names.ts';

export const returns = listScreen({
  path: '/devolucoes',
  title: 'Devoluções que esperaram',
  call: 'listReturnsThatWaited',
  filters: [
    { name: 'status', label: 'Situação', choices: RETURN },
    { name: 'merchant', label: 'Loja (endereço)' },
    { name: 'from', label: 'De', kind: 'day' },
    { name: 'to', label: 'Até', kind: 'day' },
  ],
  columns: [
    { title: 'Compra', show: ({ checkout_hash }) => <Code>{checkout_hash.slice(0, 8)}</Code> },
    { title: 'Loja', show: ({ merchant }) => merchant.name },
    { title: 'Situação', show: ({ status }) => <Status of={status} names={RETURN} /> },
    money('Valor', 'amount'),
    { title: 'Motivo', show: ({ reason }) => reason },
    moment('Pedida', 'asked_at'),
  ],
  open: ({ id }) => `/devolucoes/${id}`,
});
