import { labelled, maskedPerson, money, number, statusBadge, timestamp } from '../columns.tsx';
import { approveDecision, declineDecision } from '../decision.tsx';
import { choiceFilter, customerFilter, dateRangeFilters, searchFilter } from '../filters.ts';
import { defineListScreen } from '../list.tsx';
import { DECISION_MOMENT_LABELS, getReasonLabel, OUTCOME_LABELS } from './labels.ts';

const isClosed = ({ outcome }: { outcome: string }) => outcome !== 'review' && 'Nada: não está em análise';

export const decisions = defineListScreen({
  path: '/decisoes',
  title: 'Decisões de crédito',
  call: 'listCreditDecisions',
  filters: [
    searchFilter('Cliente'),
    choiceFilter('outcome', 'Situação', OUTCOME_LABELS),
    choiceFilter('moment', 'Quando', DECISION_MOMENT_LABELS),
    customerFilter,
    ...dateRangeFilters,
  ],
  columns: [
    maskedPerson('Cliente', 'customer_name'),
    statusBadge('Situação', 'outcome', OUTCOME_LABELS),
    labelled('Quando', 'moment', DECISION_MOMENT_LABELS),
    {
      title: 'Por quê',
      render: ({ reasons }) => reasons.map(getReasonLabel).join('; '),
      csvField: 'reasons',
      formatForCsv: (cell) => cell.split(';').map(getReasonLabel).join('; '),
    },
    money('Limite', 'limit'),
    number('Política', 'policy_version'),
    timestamp('Decidida', 'decided_at'),
  ],
  rowHref: ({ id }) => `/decisoes/${id}`,
  bulk: {
    idOf: ({ id }) => id,
    labelOf: ({ id, moment }) => `${DECISION_MOMENT_LABELS[moment]} ${id.slice(-8)}`,
    acts: [
      {
        act: approveDecision,
        describeEffect: () => 'Fica aprovada',
        explainIneligible: isClosed,
        alreadyDoneCodes: ['decision_closed'],
      },
      {
        act: declineDecision,
        describeEffect: () => 'Fica recusada',
        explainIneligible: isClosed,
        alreadyDoneCodes: ['decision_closed'],
      },
    ],
  },
  emptyText: 'Nada espera uma pessoa.',
});
