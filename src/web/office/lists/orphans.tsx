import { code, moment, money, state } from '../columns.tsx';
import { between, search, status } from '../filters.ts';
import { listScreen } from '../list.tsx';
import { refund } from '../money-in.tsx';
import { Money } from '../parts.tsx';
import { ORPHAN } from './names.ts';

export const orphans = listScreen({
  path: '/sem-dono',
  title: 'Pagamentos sem dono',
  call: 'listPixOrphans',
  filters: [search('Id do PIX ou txid'), status(ORPHAN), ...between],
  columns: [
    code('PIX', 'end_to_end_id'),
    state('Situação', 'status', ORPHAN),
    money('Valor', 'value'),
    code('Txid', 'txid'),
    moment('Pago', 'paid_at'),
    moment('Encontrado', 'found_at'),
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
