import { day, moment, money, person, state, text } from '../columns.tsx';
import { between, byCustomer, byMerchant, byReference, choice, search, status } from '../filters.ts';
import { listScreen } from '../list.tsx';
import { Code } from '../parts.tsx';
import { AGE, PURCHASE, YES_NO } from './names.ts';

export const purchases = listScreen({
  path: '/compras',
  title: 'Compras',
  call: 'listCheckoutsOfAll',
  filters: [
    search('Cliente, loja, compra ou referência'),
    status(PURCHASE),
    choice('days_late', 'Dias de atraso', AGE),
    byMerchant,
    byCustomer,
    byReference,
    choice('written_off', 'Baixada', YES_NO),
    ...between,
  ],
  columns: [
    { title: 'Compra', show: ({ hash }) => <Code>{hash.slice(0, 8)}</Code>, field: 'hash' },
    person('Cliente', 'customer_name'),
    text('Loja', 'merchant.name'),
    state('Situação', 'status', PURCHASE),
    money('Financiado', 'amounts.financed'),
    money('Pago', 'amounts.paid'),
    money('A pagar hoje', 'amounts.total_due'),
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
