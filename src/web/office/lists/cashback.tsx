import { listScreen } from '../list.tsx';
import { moment, money, person, state, text } from '../parts.tsx';
import { CASHBACK } from './names.ts';

export const cashback = listScreen({
  path: '/cashback',
  title: 'Cashback',
  call: 'listCashbackOfAll',
  filters: [
    { name: 'q', label: 'Cliente ou compra' },
    { name: 'kind', label: 'Tipo', choices: CASHBACK },
    { name: 'customer', label: 'Cliente (id ou telefone)', kind: 'linked' },
    { name: 'from', label: 'De', kind: 'day' },
    { name: 'to', label: 'Até', kind: 'day' },
  ],
  columns: [
    person('Cliente', 'customer_name'),
    state('Tipo', 'kind', CASHBACK),
    money('Valor', 'amount'),
    money('Saldo depois', 'balance_after'),
    text('Descrição', 'description'),
    moment('Quando', 'occurred_at'),
  ],
  open: ({ customer_id }) => `/clientes/${customer_id}`,
});
