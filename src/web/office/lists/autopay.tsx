import { listScreen } from '../list.tsx';
import { day, moment, money, named, person, state } from '../parts.tsx';
import { AUTOPAY, ENDED_BY } from './names.ts';

export const autopay = listScreen({
  path: '/autorizacoes',
  title: 'Autorizações de débito',
  call: 'listAutopay',
  filters: [
    { name: 'q', label: 'Cliente ou compra' },
    { name: 'status', label: 'Situação', choices: AUTOPAY },
    { name: 'customer', label: 'Cliente (id ou telefone)', kind: 'linked' },
    { name: 'from', label: 'De', kind: 'day' },
    { name: 'to', label: 'Até', kind: 'day' },
  ],
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
