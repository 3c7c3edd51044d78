import { listScreen } from '../list.tsx';
import { code, moment, money, named, person, state } from '../parts.tsx';
import { CHARGE, CHARGE_TYPE } from './names.ts';

export const charges = listScreen({
  path: '/cobrancas',
  title: 'Cobranças',
  call: 'listPixCharges',
  filters: [
    { name: 'q', label: 'Cliente, txid ou compra' },
    { name: 'status', label: 'Situação', choices: CHARGE },
    { name: 'type', label: 'Tipo', choices: CHARGE_TYPE },
    { name: 'customer', label: 'Cliente (id ou telefone)', kind: 'linked' },
    { name: 'checkout', label: 'Compra (código)', kind: 'linked' },
    { name: 'from', label: 'De', kind: 'day' },
    { name: 'to', label: 'Até', kind: 'day' },
  ],
  columns: [
    code('Txid', 'txid'),
    person('Cliente', 'customer_name'),
    state('Situação', 'status', CHARGE),
    named('Tipo', 'type', CHARGE_TYPE),
    money('Valor', 'value'),
    moment('Criada', 'created_at'),
    moment('Paga', 'paid_at'),
  ],
  open: ({ checkout_hash }) => `/compras/${checkout_hash}`,
});
