import { listScreen } from '../list.tsx';
import { Code, maskedName, moment, money } from '../parts.tsx';

export const payments = listScreen({
  path: '/pagamentos',
  title: 'Pagamentos',
  call: 'listPixPaymentItems',
  filters: [
    { name: 'end_to_end_id', label: 'Id do PIX (E…)' },
    { name: 'customer', label: 'Cliente (id ou telefone)' },
    { name: 'checkout', label: 'Compra (código)' },
    { name: 'from', label: 'De', kind: 'day' },
    { name: 'to', label: 'Até', kind: 'day' },
  ],
  columns: [
    { title: 'PIX', show: ({ end_to_end_id }) => <Code>{end_to_end_id}</Code> },
    { title: 'Cliente', show: ({ customer_name }) => maskedName(customer_name) },
    money('Valor', 'value'),
    money('Devolvido', 'refunded'),
    { title: 'Atribuído à mão', show: ({ assigned }) => (assigned ? 'Sim' : 'Não') },
    moment('Pago', 'paid_at'),
  ],
  open: ({ end_to_end_id }) => `/pagamentos/${end_to_end_id}`,
});
