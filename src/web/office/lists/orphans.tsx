import { listScreen } from '../list.tsx';
import { refund } from '../money-in.tsx';
import { Code, Money, Status, When } from '../parts.tsx';
import { ORPHAN } from './names.ts';

export const orphans = listScreen({
  path: '/sem-dono',
  title: 'Pagamentos sem dono',
  call: 'listPixOrphans',
  filters: [
    { name: 'status', label: 'Situação', choices: ORPHAN },
    { name: 'from', label: 'De', kind: 'day' },
    { name: 'to', label: 'Até', kind: 'day' },
  ],
  columns: [
    { title: 'PIX', show: ({ end_to_end_id }) => <Code>{end_to_end_id}</Code> },
    { title: 'Situação', show: ({ status }) => <Status of={status} names={ORPHAN} /> },
    { title: 'Valor', isNumber: true, show: ({ value }) => <Money of={value} /> },
    { title: 'Txid', show: ({ txid }) => txid ?? '' },
    { title: 'Pago', show: ({ paid_at }) => <When at={paid_at} /> },
    { title: 'Encontrado', show: ({ found_at }) => <When at={found_at} /> },
  ],
  open: ({ end_to_end_id }) => `/sem-dono/${end_to_end_id}`,
  bulk: {
    idOf: ({ end_to_end_id }) => end_to_end_id,
    labelOf: ({ end_to_end_id }) => end_to_end_id,
    acts: [
      {
        act: refund,
        what: ({ value }) => (
          <>
            Volta a quem pagou: <Money of={value} />
          </>
        ),
        not: ({ status }) => status !== 'open' && 'Nada: já tem destino',
        already: ['orphan_closed'],
      },
    ],
  },
  empty: 'Todo o dinheiro que chegou tem dono.',
});
