import { day, money, statusBadge, text, timestamp } from '../columns.tsx';
import { dateRangeFilters, merchantFilter, searchFilter, statusFilter } from '../filters.ts';
import { defineListScreen } from '../list.tsx';
import { createPayouts, importReturnFile, markFailed, markPaid } from '../money-out.tsx';
import { Code } from '../parts.tsx';
import { PAYOUT_LABELS } from './labels.ts';

const isClosed = ({ status }: { status: string }) => status !== 'pending' && 'Nada: já foi encerrado';

export const payouts = defineListScreen({
  path: '/repasses',
  title: 'Repasses',
  call: 'listPayouts',
  filters: [
    searchFilter('Loja, repasse ou referência'),
    statusFilter(PAYOUT_LABELS),
    merchantFilter,
    ...dateRangeFilters,
  ],
  columns: [
    { title: 'Repasse', render: ({ id }) => <Code>{id.slice(-8)}</Code>, csvField: 'id' },
    text('Loja', 'merchant_name'),
    statusBadge('Situação', 'status', PAYOUT_LABELS),
    money('Valor', 'amount'),
    day('Para o dia', 'due_on'),
    text('Chave PIX', 'pix_key', 'falta'),
    timestamp('Feito', 'created_at'),
    timestamp('Pago', 'paid_at'),
  ],
  rowHref: ({ id }) => `/repasses/${id}`,
  bulk: {
    idOf: ({ id }) => id,
    labelOf: ({ merchant_name }) => merchant_name,
    acts: [
      {
        act: markPaid,
        describeEffect: () => 'Fica pago',
        explainIneligible: isClosed,
        alreadyDoneCodes: ['payout_closed'],
      },
      {
        act: markFailed,
        describeEffect: () => 'O valor volta a ser devido',
        explainIneligible: isClosed,
        alreadyDoneCodes: ['payout_closed'],
      },
    ],
  },
  acts: [createPayouts, importReturnFile],
});
