import { listScreen } from '../list.tsx';
import { Code, day, Money, moment, person, state } from '../parts.tsx';
import { AGE, PURCHASE, YES_NO } from './names.ts';

export const purchases = listScreen({
  path: '/compras',
  title: 'Compras',
  call: 'listCheckoutsOfAll',
  filters: [
    { name: 'q', label: 'Cliente, loja, compra ou referência' },
    { name: 'status', label: 'Situação', choices: PURCHASE },
    { name: 'days_late', label: 'Dias de atraso', choices: AGE },
    { name: 'merchant', label: 'Loja (endereço)', kind: 'linked' },
    { name: 'customer', label: 'Cliente (id ou telefone)', kind: 'linked' },
    { name: 'reference', label: 'Referência da loja', kind: 'linked' },
    { name: 'written_off', label: 'Baixada', choices: YES_NO },
    { name: 'from', label: 'De', kind: 'day' },
    { name: 'to', label: 'Até', kind: 'day' },
  ],
  columns: [
    { title: 'Compra', show: ({ hash }) => <Code>{hash.slice(0, 8)}</Code>, field: 'hash' },
    person('Cliente', 'customer_name'),
    { title: 'Loja', show: ({ merchant }) => merchant.name, field: 'merchant_name' },
    state('Situação', 'status', PURCHASE),
    {
      title: 'Financiado',
      isNumber: true,
      show: ({ amounts }) => <Money of={amounts.financed} />,
      field: 'amounts_financed',
    },
    {
      title: 'Pago',
      isNumber: true,
      show: ({ amounts }) => <Money of={amounts.paid} />,
      field: 'amounts_paid',
    },
    {
      title: 'A pagar hoje',
      isNumber: true,
      show: ({ amounts }) => <Money of={amounts.total_due} />,
      field: 'amounts_total_due',
    },
    {
      title: 'Parcelas',
      isNumber: true,
      show: ({ installments_paid, installments_total }) => `${installments_paid}/${installments_total}`,
    },
    day('Próxima', 'next_due_on'),
    moment('Comprada', 'purchased_at'),
  ],
  open: ({ hash }) => `/compras/${hash}`,
});
