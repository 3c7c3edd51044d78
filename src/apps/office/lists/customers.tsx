import { MESSAGE_TITLES } from '#core/values/message-titles.ts';
import type { Item } from '#staff-client';
import { CHANNEL_LABELS } from '../../text/labels.ts';
import { lockCustomer, unlockCustomer } from '../customer-actions.tsx';
import { approveDecision, declineDecision } from '../decision.tsx';
import * as labels from '../labels.ts';
import { defineListScreen } from '../list.tsx';
import { NoWrap, StatusBadge, toMaskedName, toMaskedPhone } from '../tables.tsx';

const getCustomerStatus = ({ erased_at, locked_at, overdue }: Item<'listCustomers'>) => {
  if (erased_at) return 'erased';
  if (locked_at) return 'locked';
  return overdue.amount > 0 ? 'overdue' : 'active';
};

export const customers = defineListScreen({
  path: '/clientes',
  title: 'Clientes',
  operation: 'listCustomers',
  searchLabel: 'Nome, ou parte dele',
  labels: { status: labels.CUSTOMER_LABELS },
  columns: [
    'name',
    'phone',
    'cpf',
    {
      title: 'Situação',
      render: (row) => <StatusBadge status={getCustomerStatus(row)} labels={labels.CUSTOMER_LABELS} />,
    },
    'credit.limit',
    'credit.used',
    'overdue.amount',
    'overdue.since',
    'created_at',
  ],
  cells: {
    name: ({ name }) => <NoWrap>{toMaskedName(name)}</NoWrap>,
    phone: ({ phone }) => <NoWrap>{toMaskedPhone(phone)}</NoWrap>,
    cpf: ({ cpf }) => <NoWrap>{cpf}</NoWrap>,
  },
  titles: { created_at: 'Cadastro' },
  rowHref: ({ id }) => `/clientes/${id}`,
  bulk: {
    getId: ({ id }) => id,
    getLabel: ({ name, phone }) => `${toMaskedName(name)} ${toMaskedPhone(phone)}`,
    actions: [
      {
        action: lockCustomer,
        describeEffect: () => 'Sai de todos os aparelhos e não entra mais',
        explainIneligible: ({ erased_at, locked_at }) =>
          (erased_at !== null && 'Nada: dados apagados') || (locked_at !== null && 'Nada: já está bloqueado'),
      },
      {
        action: unlockCustomer,
        describeEffect: ({ locked_at }) =>
          locked_at ? 'Volta a entrar' : 'Senhas e códigos errados deixam de contar',
        explainIneligible: ({ erased_at }) => erased_at !== null && 'Nada: dados apagados',
      },
    ],
  },
});

export const purchases = defineListScreen({
  path: '/compras',
  title: 'Compras',
  operation: 'listCheckoutsOfAll',
  searchLabel: 'Cliente, loja, compra ou referência',
  labels: { status: labels.PURCHASE_LABELS, days_late: labels.LATENESS_LABELS },
  columns: [
    'hash',
    'customer_name',
    'merchant.name',
    'status',
    'amounts.financed',
    'amounts.paid',
    'amounts.total_due',
    {
      title: 'Parcelas',
      isNumber: true,
      render: ({ installments_paid, installments_total }) => `${installments_paid}/${installments_total}`,
    },
    'next_due_on',
    'purchased_at',
  ],
  titles: {
    'amounts.total_due': 'Para quitar',
    next_due_on: 'Próxima',
    purchased_at: 'Comprada',
    written_off: 'Baixada', // a filter
  },
  rowHref: ({ hash }) => `/compras/${hash}`,
});

export const offers = defineListScreen({
  path: '/ofertas',
  title: 'Ofertas',
  operation: 'listOffersOfAll',
  searchLabel: 'Cliente, loja, oferta ou referência',
  labels: { status: labels.OFFER_LABELS },
  columns: [
    'id',
    'merchant.name',
    'status',
    'amount',
    'installments',
    'description',
    'created_at',
    'expires_at',
  ],
  titles: { id: 'Oferta', installments: 'Semanas', created_at: 'Feita', expires_at: 'Vence' },
  rowHref: ({ id }) => `/ofertas/${id}`,
});

export const returns = defineListScreen({
  path: '/devolucoes',
  title: 'Devoluções que esperaram',
  operation: 'listReturnsThatWaited', // for an approval by staff
  searchLabel: 'Cliente, loja ou compra',
  labels: { status: labels.RETURN_LABELS },
  columns: ['checkout_hash', 'merchant.name', 'status', 'amount', 'reason', 'asked_at'],
  titles: { checkout_hash: 'Compra', asked_at: 'Pedida' },
  rowHref: ({ id }) => `/devolucoes/${id}`,
});

export const messages = defineListScreen({
  path: '/mensagens',
  title: 'Mensagens',
  operation: 'listStaffMessages',
  searchLabel: 'Cliente',
  labels: { status: labels.MESSAGE_LABELS, channel: CHANNEL_LABELS, template: MESSAGE_TITLES },
  columns: ['title', 'customer_name', 'status', 'channel', 'reason', 'created_at', 'sent_at'],
  cells: {
    title: ({ title, step: dayOffset }) => (dayOffset === null ? title : `${title} (${dayOffset})`),
  },
  titles: { title: 'Mensagem', template: 'Mensagem', created_at: 'Escrita', sent_at: 'Enviada' }, // template: a filter
  rowHref: ({ customer_id }) => `/clientes/${customer_id}`,
});

const explainClosedDecision = ({ outcome }: { outcome: string }) =>
  outcome !== 'review' && 'Nada: não está em análise';

export const decisions = defineListScreen({
  path: '/decisoes',
  title: 'Decisões de crédito',
  operation: 'listCreditDecisions',
  searchLabel: 'Cliente',
  labels: { outcome: labels.DECISION_OUTCOME_LABELS, moment: labels.DECISION_MOMENT_LABELS },
  columns: [
    'customer_name',
    'outcome',
    'moment',
    {
      title: 'Por quê',
      render: ({ reasons }) => reasons.map(labels.getReasonLabel).join('; '),
      csvField: 'reasons',
      formatForCsv: (cell) => cell.split(';').map(labels.getReasonLabel).join('; '),
    },
    'limit',
    'policy_version',
    'decided_at',
  ],
  titles: { outcome: 'Situação', moment: 'Quando', policy_version: 'Política', decided_at: 'Decidida' },
  rowHref: ({ id }) => `/decisoes/${id}`,
  bulk: {
    getId: ({ id }) => id,
    getLabel: ({ id, moment }) => `${labels.DECISION_MOMENT_LABELS[moment]} ${id.slice(-8)}`,
    actions: [
      {
        action: approveDecision,
        describeEffect: () => 'Fica aprovada',
        explainIneligible: explainClosedDecision,
        alreadyDoneCodes: ['decision_closed'],
      },
      {
        action: declineDecision,
        describeEffect: () => 'Fica recusada',
        explainIneligible: explainClosedDecision,
        alreadyDoneCodes: ['decision_closed'],
      },
    ],
  },
  emptyText: 'Nada espera uma pessoa.',
});
