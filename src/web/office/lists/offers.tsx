import { listScreen } from '../list.tsx';
import { Code, moment, money, number, state, text } from '../parts.tsx';
import { OFFER } from './names.ts';

export const offers = listScreen({
  path: '/ofertas',
  title: 'Ofertas',
  call: 'listOffersOfAll',
  filters: [
    { name: 'q', label: 'Cliente, loja, oferta ou referência' },
    { name: 'status', label: 'Situação', choices: OFFER },
    { name: 'merchant', label: 'Loja (endereço)', kind: 'linked' },
    { name: 'customer', label: 'Cliente (id ou telefone)', kind: 'linked' },
    { name: 'reference', label: 'Referência da loja', kind: 'linked' },
    { name: 'from', label: 'De', kind: 'day' },
    { name: 'to', label: 'Até', kind: 'day' },
  ],
  columns: [
    { title: 'Oferta', show: ({ id }) => <Code>{id.slice(-8)}</Code>, field: 'id' },
    { title: 'Loja', show: ({ merchant }) => merchant.name, field: 'merchant_name' },
    state('Situação', 'status', OFFER),
    money('Valor', 'amount'),
    number('Semanas', 'installments'),
    text('Descrição', 'description'),
    moment('Feita', 'created_at'),
    moment('Vence', 'expires_at'),
  ],
  open: ({ id }) => `/ofertas/${id}`,
});
