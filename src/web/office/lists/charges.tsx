import { listScreen } from '../list.tsx';
import { Code, maskedName, moment, money, Status } from '../parts.tsx';
import { CHARGE, CHARGE_TYPE } from './names.ts';

export const charges = listScreen({
  path: '/cobrancas',
  title: 'Cobranças',
  call: 'listPixCharges',
  filters: [
    { name: 'status', label: 'Situação', choices: CHARGE },
    { name: 'type', label: 'Tipo', choices: CHARGE_TYPE },
    { name: 'customer', label: 'Cliente (id ou telefone)' },
    { name: 'checkout', label: 'Compra (código)' },
    { name: 'from', label: 'De', kind: 'day' },
    { name: 'to', label: 'Até', kind: 'day' },
  ],
  columns: [
    { title: 'Txid', show: ({ txid }) => <Code>{txid}</Code> },
    { title: 'Cliente', show: ({ customer_name }) => maskedName(customer_name) },
    { title: 'Situação', show: ({ status }) => <Status of={status} names={CHARGE} /> },
    { title: 'Tipo', show: ({ type }) => CHARGE_TYPE[type] },
    money('Valor', 'value'),
    moment('Criada', 'created_at'),
    moment('Paga', 'paid_at'),
  ],
  open: ({ checkout_hash }) => `/compras/${checkout_hash}`,
});
