import { listScreen } from '../list.tsx';
import { code, moment, money, person, state } from '../parts.tsx';
import { YES_NO } from './names.ts';

export const payments = listScreen({
  path: '/pagamentos',
  title: 'Pagamentos',
  call: 'listPixPaymentItems',
  filters: [
    { name: 'q', label: 'Cliente, id do PIX, txid ou compra' },
    { name: 'end_to_end_id', label: 'Id do PIX (E…)', kind: 'linked' },
    { name: 'customer', label: 'Cliente (id ou telefone)', kind: 'linked' },
    { name: 'checkout', label: 'Compra (código)', kind: 'linked' },
    { name: 'from', label: 'De', kind: 'day' },
    { name: 'to', label: 'Até', kind: 'day' },
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
