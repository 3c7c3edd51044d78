import { listScreen } from '../list.tsx';
import { Code, maskedName, moment, money, Status } from '../parts.tsx';
import { REFUND } from './names.ts';

export const refunds = listScreen({
  path: '/estornos',
  title: 'Estornos',
  call: 'listPixRefundItems',
  filters: [
    { name: 'status', label: 'Situação', choices: REFUND },
    { name: 'customer', label: 'Cliente (id ou telefone)' },
    { name: 'checkout', label: 'Compra (código)' },
    { name: 'from', label: 'De', kind: 'day' },
    { name: 'to', label: 'Até', kind: 'day' },
  ],
  columns: [
    { title: 'Estorno', show: ({ id }) => <Code>{id.slice(-8)}</Code> },
    { title: 'Cliente', show: ({ customer_name }) => maskedName(customer_name) },
    { title: 'Situação', show: ({ status }) => <Status of={status} names={REFUND} /> },
    money('Valor', 'value'),
    { title: 'Tentativas', isNumber: true, show: ({ tries }) => tries },
    { title: 'Motivo', show: ({ reason }) => reason ?? '' },
    moment('Pedido', 'created_at'),
  ],
  open: ({ end_to_end_id }) => `/pagamentos/${end_to_end_id}`,
});
