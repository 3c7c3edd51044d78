import { moment, money, number, state, text } from '../columns.tsx';
import { between, byCustomer, byMerchant, byReference, search, status } from '../filters.ts';
import { listScreen } from '../list.tsx';
import { Code } from '../parts.tsx';
import { OFFER } from './names.ts';

export const offers = listScreen({
  path: '/ofertas',
  title: 'Ofertas',
  call: 'listOffersOfAll',
  filters: [
    search('Cliente, loja, oferta ou referência'),
    status(OFFER),
    byMerchant,
    byCustomer,
    byReference,
    ...between,
  ],
  columns: [
    { title: 'Oferta', show: ({ id }) => <Code>{id.slice(-8)}</Code>, field: 'id' },
    text('Loja', 'merchant.name'),
    state('Situação', 'status', OFFER),
    money('Valor', 'amount'),
    number('Semanas', 'installments'),
    text('Descrição', 'description'),
    moment('Feita', 'created_at'),
    moment('Vence', 'expires_at'),
  ],
  open: ({ id }) => `/ofertas/${id}`,
});
