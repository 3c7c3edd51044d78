import { code, labelled, money, timestamp } from '../columns.tsx';
import { defineListScreen } from '../list.tsx';

const KINDS = {
  paid_without_payment: 'Cobrança paga sem pagamento',
  end_to_end_id_reused: 'Id de PIX repetido',
  unreadable_payment: 'Pagamento ilegível',
};

export const discrepancies = defineListScreen({
  path: '/divergencias',
  title: 'Divergências com o banco',
  call: 'listPixDiscrepancies',
  filters: [],
  columns: [
    labelled('O quê', 'kind', KINDS),
    code('Txid', 'txid'),
    money('Valor', 'value'),
    timestamp('Encontrada', 'found_at'),
  ],
  rowHref: ({ customer_id }) => `/clientes/${customer_id}`,
  emptyText: 'O banco e nós dizemos o mesmo.',
});
