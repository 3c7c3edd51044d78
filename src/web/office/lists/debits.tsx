import { listScreen } from '../list.tsx';
import { Money, maskedName, OnDay, Status } from '../parts.tsx';
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
    { title: 'Vencimento', show: ({ due_on }) => <OnDay day={due_on} /> },
    { title: 'Cliente', show: ({ customer_name }) => maskedName(customer_name) },
    { title: 'Situação', show: ({ status }) => <Status of={status} names={DEBIT} /> },
    { title: 'Valor', isNumber: true, show: ({ value }) => <Money of={value} /> },
    { title: 'Tentativas', isNumber: true, show: ({ tries }) => String(tries) },
    { title: 'Última tentativa', show: ({ attempt_on }) => <OnDay day={attempt_on} /> },
    { title: 'O que o banco disse', show: ({ reason }) => reason ?? '' },
  ],
  open: ({ checkout_hash }) => `/compras/${checkout_hash}`,
});
