import { moment, money, number, person, state, text } from '../columns.tsx';
import { between, byCheckout, byCustomer, search, status } from '../filters.ts';
import { listScreen } from '../list.tsx';
import { Code } from '../parts.tsx';
import { REFUND } from './names.ts';

export const refunds = listScreen({
  path: '/estornos',
  title: 'Estornos',
  call: 'listPixRefundItems',
  filters: [search('Cliente, id do PIX ou estorno'), status(REFUND), byCustomer, byCheckout, ...between],
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
