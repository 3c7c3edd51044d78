import { code, moment, money, person, state } from '../columns.tsx';
import { between, byCheckout, byCustomer, search } from '../filters.ts';
import { listScreen } from '../list.tsx';
import { YES_NO } from './names.ts';

export const payments = listScreen({
  path: '/pagamentos',
  title: 'Pagamentos',
  call: 'listPixPaymentItems',
  filters: [
    search('Cliente, id do PIX, txid ou compra'),
    { name: 'end_to_end_id', label: 'Id do PIX (E…)', kind: 'linked' },
    byCustomer,
    byCheckout,
    ...between,
  ],
  columns: [
    code('PIX', 'end_to_end_id'),
    person('Cliente', 'customer_name'),
    money('Valor', 'value'),
    money('Devolvido', 'refunded'),
    state('Atribuído à mão', 'assigned', YES_NO),
    moment('Pago', 'paid_at'),
  ],
  open: ({ end_to_end_id }) => `/pagamentos/${end_to_end_id}`,
});
