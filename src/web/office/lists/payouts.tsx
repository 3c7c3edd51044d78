import { listScreen } from '../list.tsx';
import { failed, paid } from '../money-out.tsx';
import { Code, Money, OnDay, Status, When } from '../parts.tsx';
import { PAYOUT } from './names.ts';

const isClosed = ({ status }: { status: string }) => status !== 'pending' && 'Nada: já foi encerrado';

export const payouts = listScreen({
  path: '/repasses',
  title: 'Repasses',
  call: 'listPayouts',
  filters: [
    { name: 'status', label: 'Situação', choices: PAYOUT },
    { name: 'merchant', label: 'Loja (endereço)' },
    { name: 'from', label: 'De', kind: 'day' },
    { name: 'to', label: 'Até', kind: 'day' },
  ],
  columns: [
    { title: 'Repasse', show: ({ id }) => <Code>{id.slice(-8)}</Code> },
    { title: 'Loja', show: ({ merchant_name }) => merchant_name },
    { title: 'Situação', show: ({ status }) => <Status of={status} names={PAYOUT} /> },
    { title: 'Valor', isNumber: true, show: ({ amount }) => <Money of={amount} /> },
    { title: 'Para o dia', show: ({ due_on }) => <OnDay day={due_on} /> },
    { title: 'Chave PIX', show: ({ pix_key }) => pix_key ?? 'falta' },
    { title: 'Feito', show: ({ created_at }) => <When at={created_at} /> },
    { title: 'Pago', show: ({ paid_at }) => <When at={paid_at} /> },
  ],
  open: ({ id }) => `/repasses/${id}`,
  bulk: {
    idOf: ({ id }) => id,
    labelOf: ({ merchant_name }) => merchant_name,
    acts: [
      { act: paid, what: () => 'Fica pago', not: isClosed, already: ['payout_closed'] },
      { act: failed, what: () => 'O valor volta a ser devido', not: isClosed, already: ['payout_closed'] },
    ],
  },
  actions: [{ href: '/repasses/novos', text: 'Fazer repasses', call: 'createPayouts' }],
});
