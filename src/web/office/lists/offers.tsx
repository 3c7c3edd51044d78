import { listScreen } from '../list.tsx';
import { Code, Money, Status, When } from '../parts.tsx';
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
    { title: 'Valor', isNumber: true, show: ({ amount }) => <Money of={amount} /> },
    { title: 'Semanas', isNumber: true, show: ({ installments }) => installments },
    { title: 'Descrição', show: ({ description }) => description ?? '' },
    { title: 'Feita', show: ({ created_at }) => <When at={created_at} /> },
    { title: 'Vence', show: ({ expires_at }) => <When at={expires_at} /> },
  ],
  open: ({ checkout_hash }) => (checkout_hash ? `/compras/${checkout_hash}` : undefined),
});
