import { approveReward, refuseReward } from '../customer-actions.tsx';
import * as labels from '../labels.ts';
import { defineListScreen } from '../list.tsx';
import { refundOrphan } from '../money-in.tsx';
import { createPayouts, importBankFile, markPayoutFailed, markPayoutPaid } from '../money-out.tsx';
import { Money } from '../tables.tsx';

const buildCustomerHref = ({ customer_id }: { customer_id: string }) => `/clientes/${customer_id}`;
const buildPurchaseHref = ({ checkout_hash }: { checkout_hash: string }) => `/compras/${checkout_hash}`;
const buildPaymentHref = ({ end_to_end_id }: { end_to_end_id: string }) => `/pagamentos/${end_to_end_id}`;

export const payments = defineListScreen({
  path: '/pagamentos',
  title: 'Pagamentos',
  operation: 'listPixPaymentItems',
  searchLabel: 'Cliente, id do PIX, txid ou compra',
  columns: ['end_to_end_id', 'customer_name', 'value', 'refunded', 'assigned', 'paid_at'],
  titles: { end_to_end_id: 'PIX', paid_at: 'Pago' },
  rowHref: buildPaymentHref,
});

export const charges = defineListScreen({
  path: '/cobrancas',
  title: 'Cobranças',
  operation: 'listPixCharges',
  searchLabel: 'Cliente, txid ou compra',
  labels: { status: labels.CHARGE_LABELS, type: labels.CHARGE_TYPE_LABELS },
  columns: ['txid', 'customer_name', 'status', 'type', 'value', 'created_at', 'paid_at'],
  titles: { created_at: 'Criada', paid_at: 'Paga' },
  rowHref: buildPurchaseHref,
});

export const autopay = defineListScreen({
  path: '/autorizacoes',
  title: 'Autorizações de débito',
  operation: 'listAutopay',
  searchLabel: 'Cliente ou compra',
  labels: { status: labels.AUTOPAY_LABELS, ended_by: labels.AUTOPAY_ENDED_BY_LABELS },
  columns: ['customer_name', 'status', 'largest', 'ends_on', 'created_at', 'ended_by'],
  titles: { created_at: 'Pedida' },
  rowHref: buildPurchaseHref,
});

export const debits = defineListScreen({
  path: '/debitos',
  title: 'Débitos automáticos',
  operation: 'listDebits',
  searchLabel: 'Cliente ou compra',
  labels: { status: labels.DEBIT_LABELS },
  columns: ['due_on', 'customer_name', 'status', 'value', 'tries', 'attempt_on', 'reason'],
  titles: { due_on: 'Vencimento', reason: 'O que o banco disse' },
  rowHref: buildPurchaseHref,
});

export const orphans = defineListScreen({
  path: '/sem-dono',
  title: 'Pagamentos sem dono',
  operation: 'listPixOrphans',
  searchLabel: 'Id do PIX ou txid',
  labels: { status: labels.ORPHAN_LABELS },
  columns: ['end_to_end_id', 'status', 'value', 'txid', 'paid_at', 'found_at'],
  titles: { end_to_end_id: 'PIX', paid_at: 'Pago', found_at: 'Encontrado' },
  rowHref: ({ end_to_end_id }) => `/sem-dono/${end_to_end_id}`,
  bulk: {
    getId: ({ end_to_end_id }) => end_to_end_id,
    getLabel: ({ end_to_end_id }) => end_to_end_id,
    actions: [
      {
        action: refundOrphan,
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

export const refunds = defineListScreen({
  path: '/estornos',
  title: 'Estornos',
  operation: 'listPixRefundItems',
  searchLabel: 'Cliente, id do PIX ou estorno',
  labels: { status: labels.REFUND_LABELS, reason: labels.BANK_REASON_LABELS },
  columns: ['id', 'customer_name', 'status', 'value', 'tries', 'reason', 'created_at'],
  titles: { id: 'Estorno', created_at: 'Pedido' },
  rowHref: buildPaymentHref,
});

export const discrepancies = defineListScreen({
  path: '/divergencias',
  title: 'Divergências com o banco',
  operation: 'listPixDiscrepancies',
  labels: { kind: labels.DISCREPANCY_LABELS },
  columns: ['kind', 'txid', 'value', 'found_at'],
  titles: { kind: 'O quê', found_at: 'Encontrada' },
  rowHref: buildCustomerHref,
  emptyText: 'O banco e nós dizemos o mesmo.',
});

const explainClosedPayout = ({ status }: { status: string }) =>
  status !== 'pending' && 'Nada: já foi encerrado';

export const payouts = defineListScreen({
  path: '/repasses',
  title: 'Repasses',
  operation: 'listPayouts',
  searchLabel: 'Loja, repasse ou referência',
  labels: { status: labels.PAYOUT_LABELS },
  columns: ['id', 'merchant_name', 'status', 'amount', 'due_on', 'pix_key', 'created_at', 'paid_at'],
  emptyTexts: { pix_key: 'falta' },
  titles: { id: 'Repasse', created_at: 'Feito', paid_at: 'Pago' },
  rowHref: ({ id }) => `/repasses/${id}`,
  bulk: {
    getId: ({ id }) => id,
    getLabel: ({ merchant_name }) => merchant_name,
    actions: [
      {
        action: markPayoutPaid,
        describeEffect: () => 'Fica pago',
        explainIneligible: explainClosedPayout,
        alreadyDoneCodes: ['payout_closed'],
      },
      {
        action: markPayoutFailed,
        describeEffect: () => 'O valor volta a ser devido',
        explainIneligible: explainClosedPayout,
        alreadyDoneCodes: ['payout_closed'],
      },
    ],
  },
  actions: [createPayouts, importBankFile],
});

export const cashback = defineListScreen({
  path: '/cashback',
  title: 'Cashback',
  operation: 'listCashbackOfAll',
  searchLabel: 'Cliente ou compra',
  labels: { kind: labels.CASHBACK_KIND_LABELS },
  columns: ['customer_name', 'kind', 'amount', 'balance_after', 'description', 'occurred_at'],
  titles: { occurred_at: 'Quando' },
  rowHref: buildCustomerHref,
});

const explainDecidedReward = ({ status }: { status: string }) =>
  status !== 'held' && 'Nada: não espera uma decisão';

export const referrals = defineListScreen({
  path: '/convites',
  title: 'Convites',
  operation: 'listReferrals',
  labels: { status: labels.REFERRAL_LABELS },
  columns: ['referrer_id', 'invited_id', 'status', 'reward', 'invited_at', 'held_at', 'rewarded_at'],
  emptyTexts: { held_at: '', rewarded_at: '' },
  rowHref: ({ invited_id }) => `/clientes/${invited_id}`,
  bulk: {
    getId: ({ invited_id }) => invited_id,
    getLabel: ({ invited_id }) => invited_id.slice(-8),
    actions: [
      {
        action: approveReward,
        describeEffect: ({ promised }) => (
          <>
            Os dois ganham cashback: <Money amount={promised.referrer} /> e{' '}
            <Money amount={promised.invited} />
          </>
        ),
        explainIneligible: explainDecidedReward,
        alreadyDoneCodes: ['reward_not_held'],
      },
      {
        action: refuseReward,
        describeEffect: () => 'Ninguém ganha por este convite',
        explainIneligible: explainDecidedReward,
        alreadyDoneCodes: ['reward_not_held'],
      },
    ],
  },
});

export const approvals = defineListScreen({
  path: '/aprovacoes',
  title: 'Aprovações',
  operation: 'listApprovals',
  searchLabel: 'Cliente, loja, compra ou pagamento',
  labels: { status: labels.APPROVAL_LABELS, kind: labels.APPROVAL_KIND_LABELS },
  columns: [
    'kind',
    'status',
    'amount',
    'subject.name',
    'asked_by.name',
    'asked_at',
    {
      title: 'Decidida por',
      render: ({ decided_by }) => decided_by?.name ?? '',
      csvField: 'decided_by',
      formatForCsv: (cell) => /"name":"([^"]*)"/.exec(cell)?.[1] ?? cell, // the cell has the JSON of the staff user
    },
  ],
  cells: { 'subject.name': ({ subject }) => subject.name ?? subject.id },
  titles: { kind: 'O quê', 'subject.name': 'Sobre', 'asked_by.name': 'Pedida por', asked_at: 'Pedida' },
  rowHref: ({ id }) => `/aprovacoes/${id}`,
  emptyText: 'Nada espera uma segunda pessoa.',
});
