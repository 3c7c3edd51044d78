import { listScreen } from '../list.tsx';
import { Code, moment, money, number, person, state, text } from '../parts.tsx';
import { REFUND } from './names.ts';

export const refunds = listScreen({
  path: '/estornos',
  title: 'Estornos',
  call: 'listPixRefundItems',
  filters: [
    { name: 'q', label: 'Cliente, id do PIX ou estorno' },
    { name: 'status', label: 'Situação', choices: REFUND },
    { name: 'customer', label: 'Cliente (id ou telefone)', kind: 'linked' },
    { name: 'checkout', label: 'Compra (código)', kind: 'linked' },
    { name: 'from', label: 'De', kind: 'day' },
    { name: 'to', label: 'Até', kind: 'day' },
  ],
  columns: [
    { title: 'Estorno', show: ({ id }) => <Code>{id.slice(-8)}</Code>, field: 'id' },
    person('Cliente', 'customer_name'),
    state('Situação', 'status', REFUND),
    money('Valor', 'value'),
    number('Tentativas', 'tries'),
    text('Motivo', 'reason'),
    moment('Pedido', 'created_at'),
  ],
  open: ({ end_to_end_id }) => `/pagamentos/${end_to_end_id}`,
});
