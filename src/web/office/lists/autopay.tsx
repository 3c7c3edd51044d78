import { day, moment, money, named, person, state } from '../columns.tsx';
import { between, byCustomer, search, status } from '../filters.ts';
import { listScreen } from '../list.tsx';
import { AUTOPAY, ENDED_BY } from './names.ts';

export const autopay = listScreen({
  path: '/autorizacoes',
  title: 'Autorizações de débito',
  call: 'listAutopay',
  filters: [search('Cliente ou compra'), status(AUTOPAY), byCustomer, ...between],
  columns: [
    person('Cliente', 'customer_name'),
    state('Situação', 'status', AUTOPAY),
    money('Maior débito', 'largest'),
    day('Até', 'ends_on'),
    moment('Pedida', 'created_at'),
    named('Encerrada por', 'ended_by', ENDED_BY),
  ],
  open: ({ checkout_hash }) => `/compras/${checkout_hash}`,
});
