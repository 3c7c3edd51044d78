import { code, money, statusBadge, timestamp } from '../columns.tsx';
import { dateRangeFilters, searchFilter, statusFilter } from '../filters.ts';
import { defineListScreen } from '../list.tsx';
import { refundOrphan } from '../money-in.tsx';
import { Money } from '../parts.tsx';
import { ORPHAN_LABELS } from './labels.ts';

export const orphans = defineListScreen({
  path: '/sem-dono',
  title: 'Pagamentos sem dono',
  call: 'listPixOrphans',
  filters: [searchFilter('Id do PIX ou txid'), statusFilter(ORPHAN_LABELS), ...dateRangeFilters],
  columns: [
    code('PIX', 'end_to_end_id'),
    statusBadge('Situação', 'status', ORPHAN_LABELS),
    money('Valor', 'value'),
    code('Txid', 'txid'),
    timestamp('Pago', 'paid_at'),
    timestamp('Encontrado', 'found_at'),
  ],
  rowHref: ({ end_to_end_id }) => `/sem-dono/${end_to_end_id}`,
  bulk: {
    idOf: ({ end_to_end_id }) => end_to_end_id,
    labelOf: ({ end_to_end_id }) => end_to_end_id,
    acts: [
      {
        act: refundOrphan,
        describeEffect: ({ value }) => (
          <>
            Volta a quem pagou: <Money amount={value} />
          </>
        ),
        explainIneligible: ({ status }) => status !== 'open' && 'Nada: já tem destino',
        alreadyDoneCodes: ['orphan_closed'],
      },
    ],
  },
  emptyText: 'Todo o dinheiro que chegou tem dono.',
});
