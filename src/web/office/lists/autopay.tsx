import { listScreen } from '../list.tsx';
import { day, maskedName, moment, money, Status } from '../parts.tsx';
import { AUTOPAY, ENDED_BY } from './names.ts';

export const autopay = listScreen({
  path: '/autorizacoes',
  title: 'Autorizações de débito',
  call: 'listAutopay',
  filters: [
    { name: 'status', label: 'Situação', choices: AUTOPAY },
    { name: 'customer', label: 'Cliente (id ou telefone)' },
    { name: 'from', label: 'De', kind: 'day' },
    { name: 'to', label: 'Até', kind: 'day' },
  ],
  columns: [
    { title: 'Cliente', show: ({ customer_name }) => maskedName(customer_name) },
    { title: 'Situação', show: ({ status }) => <Status of={status} names={AUTOPAY} /> },
    money('Maior débito', 'largest'),
    day('Até', 'ends_on'),
    moment('Pedida', 'created_at'),
    { title: 'Encerrada por', show: ({ ended_by }) => ENDED_BY[ended_by as keyof typeof ENDED_BY] ?? '' },
  ],
  open: ({ checkout_hash }) => `/compras/${checkout_hash}`,
});
