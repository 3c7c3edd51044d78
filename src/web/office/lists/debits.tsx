import { listScreen } from '../list.tsx';
import { day, money, number, person, state, text } from '../parts.tsx';
import { DEBIT } from './names.ts';

export const debits = listScreen({
  path: '/debitos',
  title: 'Débitos automáticos',
  call: 'listDebits',
  filters: [
    { name: 'q', label: 'Cliente ou compra' },
    { name: 'status', label: 'Situação', choices: DEBIT },
    { name: 'customer', label: 'Cliente (id ou telefone)', kind: 'linked' },
    { name: 'from', label: 'De', kind: 'day' },
    { name: 'to', label: 'Até', kind: 'day' },
  ],
  columns: [
    day('Vencimento', 'due_on'),
    person('Cliente', 'customer_name'),
    state('Situação', 'status', DEBIT),
    money('Valor', 'value'),
    number('Tentativas', 'tries'),
    day('Última tentativa', 'attempt_on'),
    text('O que o banco disse', 'reason'),
  ],
  open: ({ checkout_hash }) => `/compras/${checkout_hash}`,
});
