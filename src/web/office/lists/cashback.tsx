import { listScreen } from '../list.tsx';
import { maskedName, moment, money, Status } from '../parts.tsx';
import { CASHBACK } from './names.ts';

export const cashback = listScreen({
  path: '/cashback',
  title: 'Cashback',
  call: 'listCashbackOfAll',
  filters: [
    { name: 'kind', label: 'Tipo', choices: CASHBACK },
    { name: 'customer', label: 'Cliente (id ou telefone)' },
    { name: 'from', label: 'De', kind: 'day' },
    { name: 'to', label: 'Até', kind: 'day' },
  ],
  columns: [
    { title: 'Cliente', show: ({ customer_name }) => maskedName(customer_name) },
    { title: 'Tipo', show: ({ kind }) => <Status of={kind} names={CASHBACK} /> },
    money('Valor', 'amount'),
    money('Saldo depois', 'balance_after'),
    { title: 'Descrição', show: ({ description }) => description },
    moment('Quando', 'occurred_at'),
  ],
  open: ({ customer_id }) => `/clientes/${customer_id}`,
});
