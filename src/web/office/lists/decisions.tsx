import { moment, money, named, number, person, state } from '../columns.tsx';
import { approve, decline } from '../decision.tsx';
import { between, byCustomer, choice, search } from '../filters.ts';
import { listScreen } from '../list.tsx';
import { MOMENT, OUTCOME, reasonOf } from './names.ts';

const isClosed = ({ outcome }: { outcome: string }) => outcome !== 'review' && 'Nada: não está em análise';

export const decisions = listScreen({
  path: '/decisoes',
  title: 'Decisões de crédito',
  call: 'listCreditDecisions',
  filters: [
    search('Cliente'),
    choice('outcome', 'Situação', OUTCOME),
    choice('moment', 'Quando', MOMENT),
    byCustomer,
    ...between,
  ],
  columns: [
    person('Cliente', 'customer_name'),
    state('Situação', 'outcome', OUTCOME),
    named('Quando', 'moment', MOMENT),
    {
      title: 'Por quê',
      show: ({ reasons }) => reasons.map(reasonOf).join('; '),
      field: 'reasons',
      inFile: (cell) => cell.split(';').map(reasonOf).join('; '),
    },
    money('Limite', 'limit'),
    number('Política', 'policy_version'),
    moment('Decidida', 'decided_at'),
  ],
  open: ({ id }) => `/decisoes/${id}`,
  bulk: {
    idOf: ({ id }) => id,
    labelOf: ({ id, moment }) => `${MOMENT[moment]} ${id.slice(-8)}`,
    acts: [
      { act: approve, what: () => 'Fica aprovada', not: isClosed, already: ['decision_closed'] },
      { act: decline, what: () => 'Fica recusada', not: isClosed, already: ['decision_closed'] },
    ],
  },
  empty: 'Nada espera uma pessoa.',
});
