import { listScreen } from '../list.tsx';
import { day, maskedName, money, Status } from '../parts.tsx';
import { DEBIT } from './names.ts';

export const debits = listScreen({
  path: '/debitos',
  title: 'Débitos automáticos',
  call: 'listDebits',
  filters: [
    { name: 'status', label: 'Situação', choices: DEBIT },
    { name: 'customer', label: 'Cliente (id ou telefone)' },
    { name: 'from', label: 'De', kind: 'day' },
    { name: 'to', label: 'Até', kind: 'day' },
  ],
  columns: [
    day('Vencimento', 'due_on'),
    { title: 'Cliente', show: ({ customer_name }) => maskedName(customer_name) },
    { title: 'Situação', show: ({ status }) => <Status of={status} names={DEBIT} /> },
    money('Valor', 'value'),
    { title: 'Tentativas', isNumber: true, show: ({ tries }) => String(tries) },
    day('Última tentativa', 'attempt_on'),
    { title: 'O que o banco disse', show: ({ reason }) => reason ?? '' },
  ],
  open: ({ checkout_hash }) => `/compras/${checkout_hash}`,
});
