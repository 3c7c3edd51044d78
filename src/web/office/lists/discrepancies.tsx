import { code, moment, money, named } from '../columns.tsx';
import { listScreen } from '../list.tsx';

const KINDS = {
  paid_without_payment: 'Cobrança paga sem pagamento',
  end_to_end_id_reused: 'Id de PIX repetido',
  unreadable_payment: 'Pagamento ilegível',
};

export const discrepancies = listScreen({
  path: '/divergencias',
  title: 'Divergências com o banco',
  call: 'listPixDiscrepancies',
  filters: [],
  columns: [
    named('O quê', 'kind', KINDS),
    code('Txid', 'txid'),
    money('Valor', 'value'),
    moment('Encontrada', 'found_at'),
  ],
  open: ({ customer_id }) => `/clientes/${customer_id}`,
  empty: 'O banco e nós dizemos o mesmo.',
});
