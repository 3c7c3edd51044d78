import { code, moment, money, named, person, state } from '../columns.tsx';
import { between, byCheckout, byCustomer, choice, search, status } from '../filters.ts';
import { listScreen } from '../list.tsx';
import { CHARGE, CHARGE_TYPE } from './names.ts';

export const charges = listScreen({
  path: '/cobrancas',
  title: 'Cobranças',
  call: 'listPixCharges',
  filters: [
    search('Cliente, txid ou compra'),
    status(CHARGE),
    choice('type', 'Tipo', CHARGE_TYPE),
    byCustomer,
    byCheckout,
    ...between,
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
