import { listScreen } from '../list.tsx';
import { Code, Money, maskedName, Status, When } from '../parts.tsx';
import { CHARGE, CHARGE_TYPE } from './names.ts';

export const charges = listScreen({
  path: '/cobrancas',
  title: 'Cobranças',
  call: 'listPixCharges',
  filters: [
    { name: 'status', label: 'Situação', choices: CHARGE },
    { name: 'type', label: 'Tipo', choices: CHARGE_TYPE },
    { name: 'customer', label: 'Cliente (id ou telefone)' },
    { name: 'from', label: 'De', kind: 'day' },
    { name: 'to', label: 'Até', kind: 'day' },
  ],
  columns: [
    { title: 'Txid', show: ({ txid }) => <Code>{txid}</Code> },
    { title: 'Cliente', show: ({ customer_name }) => maskedName(customer_name) },
    { title: 'Situação', show: ({ status }) => <Status of={status} names={CHARGE} /> },
    { title: 'Tipo', show: ({ type }) => CHARGE_TYPE[type] },
    { title: 'Valor', isNumber: true, show: ({ value }) => <Money of={value} /> },
    { title: 'Criada', show: ({ created_at }) => <When at={created_at} /> },
    { title: 'Paga', show: ({ paid_at }) => <When at={paid_at} /> },
  ],
  open: ({ checkout_hash }) => `/compras/${checkout_hash}`,
});
