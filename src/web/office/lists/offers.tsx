import { listScreen } from '../list.tsx';
import { Code, moment, money, Status } from '../parts.tsx';
import { OFFER } from './names.ts';

export const offers = listScreen({
  path: '/ofertas',
  title: 'Ofertas',
  call: 'listOffersOfAll',
  filters: [
    { name: 'status', label: 'Situação', choices: OFFER },
    { name: 'merchant', label: 'Loja (endereço)' },
    { name: 'customer', label: 'Cliente (id ou telefone)' },
    { name: 'reference', label: 'Referência da loja' },
    { name: 'from', label: 'De', kind: 'day' },
    { name: 'to', label: 'Até', kind: 'day' },
  ],
  columns: [
    { title: 'Oferta', show: ({ id }) => <Code>{id.slice(-8)}</Code> },
    { title: 'Loja', show: ({ merchant }) => merchant.name },
    { title: 'Situação', show: ({ status }) => <Status of={status} names={OFFER} /> },
    money('Valor', 'amount'),
    { title: 'Semanas', isNumber: true, show: ({ installments }) => installments },
    { title: 'Descrição', show: ({ description }) => description ?? '' },
    moment('Feita', 'created_at'),
    moment('Vence', 'expires_at'),
  ],
  open: ({ id }) => `/ofertas/${id}`,
});
