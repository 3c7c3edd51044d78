import { day, money, number, person, state, text } from '../columns.tsx';
import { between, byCustomer, search, status } from '../filters.ts';
import { listScreen } from '../list.tsx';
import { DEBIT } from './names.ts';

export const debits = listScreen({
  path: '/debitos',
  title: 'Débitos automáticos',
  call: 'listDebits',
  filters: [search('Cliente ou compra'), status(DEBIT), byCustomer, ...between],
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
