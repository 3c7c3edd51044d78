import { approve, decline } from '../decision.tsx';
import { listScreen } from '../list.tsx';
import { maskedName, moment, money, Status } from '../parts.tsx';
import { MOMENT, OUTCOME, reasonOf } from './names.ts';

const isClosed = ({ outcome }: { outcome: string }) => outcome !== 'review' && 'Nada: não está em análise';

export const decisions = listScreen({
  path: '/decisoes',
  title: 'Decisões de crédito',
  call: 'listCreditDecisions',
  filters: [
    { name: 'outcome', label: 'Situação', choices: OUTCOME },
    { name: 'moment', label: 'Quando', choices: MOMENT },
    { name: 'customer', label: 'Cliente (id ou telefone)' },
    { name: 'from', label: 'De', kind: 'day' },
    { name: 'to', label: 'Até', kind: 'day' },
  ],
  columns: [
    { title: 'Cliente', show: ({ customer_name }) => maskedName(customer_name) },
    { title: 'Situação', show: ({ outcome }) => <Status of={outcome} names={OUTCOME} /> },
    { title: 'Quando', show: ({ moment }) => MOMENT[moment] },
    { title: 'Por quê', show: ({ reasons }) => reasons.map(reasonOf).join('; ') },
    money('Limite', 'limit'),
    { title: 'Política', isNumber: true, show: ({ policy_version }) => policy_version },
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
