import { moment, money, person, state, text } from '../columns.tsx';
import { between, byCustomer, choice, search } from '../filters.ts';
import { listScreen } from '../list.tsx';
import { CASHBACK } from './names.ts';

export const cashback = listScreen({
  path: '/cashback',
  title: 'Cashback',
  call: 'listCashbackOfAll',
  filters: [search('Cliente ou compra'), choice('kind', 'Tipo', CASHBACK), byCustomer, ...between],
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
