import { day, moment, money, state, text } from '../columns.tsx';
import { between, byMerchant, search, status } from '../filters.ts';
import { listScreen } from '../list.tsx';
import { createPayouts, failed, paid, returnFile } from '../money-out.tsx';
import { Code } from '../parts.tsx';
import { PAYOUT } from './names.ts';

const isClosed = ({ status }: { status: string }) => status !== 'pending' && 'Nada: já foi encerrado';

export const payouts = listScreen({
  path: '/repasses',
  title: 'Repasses',
  call: 'listPayouts',
  filters: [search('Loja, repasse ou referência'), status(PAYOUT), byMerchant, ...between],
  columns: [
    { title: 'Repasse', show: ({ id }) => <Code>{id.slice(-8)}</Code>, field: 'id' },
    text('Loja', 'merchant_name'),
    state('Situação', 'status', PAYOUT),
    money('Valor', 'amount'),
    day('Para o dia', 'due_on'),
    text('Chave PIX', 'pix_key', 'falta'),
    moment('Feito', 'created_at'),
    moment('Pago', 'paid_at'),
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
  acts: [createPayouts, returnFile],
});
