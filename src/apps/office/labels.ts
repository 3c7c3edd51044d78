/**
 * Portuguese labels of the values of the staff API. A table named after a resource alone, such as `OFFER_LABELS`, has its statuses.
 *
 * `Labels` is the type of tables that are indexed with any text. The keys of the other tables are checked where they are used.
 */
export type Labels = Readonly<Record<string, string>>;

export const ROLE_LABELS = {
  viewer: 'Leitura',
  content: 'Conteúdo',
  support: 'Atendimento',
  risk: 'Risco',
  finance: 'Financeiro',
  admin: 'Administração',
} as const;
export const PURCHASE_LABELS = { open: 'Em dia', overdue: 'Em atraso', paid: 'Quitada' };
/** Ranges of days late. */
export const LATENESS_LABELS = {
  '1-7': '1 a 7 dias',
  '8-30': '8 a 30 dias',
  '31-90': '31 a 90 dias',
  '90+': 'mais de 90 dias',
};
export const CUSTOMER_LABELS = {
  active: 'Ativo',
  locked: 'Bloqueado',
  erased: 'Apagado',
  overdue: 'Em atraso',
};
export const CHARGE_LABELS = {
  pending: 'Esperando',
  paid: 'Paga',
  expired: 'Expirada',
  cancelled: 'Cancelada',
};
export const CHARGE_TYPE_LABELS = {
  settle: 'Quitar',
  settle_with_penalty: 'Quitar com multa',
  settle_partial: 'Pagar uma parte',
  extend: 'Prorrogar',
};
export const ORPHAN_LABELS = {
  open: 'Sem dono',
  asked: 'Estorno pedido',
  processing: 'Estornando',
  returned: 'Estornado',
};
export const REFUND_LABELS = {
  asked: 'Pedido',
  processing: 'Em andamento',
  returned: 'Devolvido',
  failed: 'Recusado, outro foi feito',
  given_up: 'Precisa de alguém',
  credited: 'Creditado',
  overtaken: 'Superado',
};
export const BANK_REASON_LABELS = {
  MED_FRAUDE: 'Devolução por fraude, pedida pelo banco (MED)',
  MED_OPERACIONAL: 'Devolução por falha do banco (MED)',
  MED_PIX_AUTOMATICO: 'Devolução do Pix Automático, pedida pelo banco (MED)',
};
export const PAYOUT_LABELS = { pending: 'A pagar', paid: 'Pago', failed: 'Falhou' };
export const OFFER_LABELS = {
  pending: 'Esperando',
  accepted: 'Aceita',
  declined: 'Recusada',
  expired: 'Expirada',
  cancelled: 'Cancelada',
};
export const APPROVAL_LABELS = {
  waiting: 'Esperando',
  approved: 'Aprovada',
  refused: 'Recusada',
  failed: 'Não pôde ser feita',
  expired: 'Expirada',
};
export const APPROVAL_KIND_LABELS: Labels = {
  orphan_refund: 'Estorno de pagamento sem dono',
  write_off: 'Baixa por perda',
  cashback_adjustment: 'Ajuste de cashback',
  payout: 'Repasse',
  limit: 'Limite',
  payout_account: 'Conta de repasse',
  credit_policy: 'Política de crédito',
  payment_move: 'Pagamento movido de parcela',
  return: 'Devolução com estorno',
  merchant_owner: 'Responsável de loja',
  staff_role: 'Papel na equipe',
};
export const DECISION_OUTCOME_LABELS = { approved: 'Aprovado', review: 'Em análise', declined: 'Recusado' };
export const DECISION_MOMENT_LABELS = {
  signup: 'Cadastro',
  accept: 'Compra',
  growth: 'Aumento',
  late: 'Atraso',
  review: 'Pedido do cliente',
};
export const EVENT_LABELS: Labels = {
  'checkout.created': 'Compra feita',
  'checkout.paid': 'Compra quitada',
  'checkout.overdue': 'Compra em atraso',
  'checkout.returned': 'Devolução',
  'installment.paid': 'Parcela paga',
  'installment.overdue': 'Parcela em atraso',
  'installment.extended': 'Parcela prorrogada',
  'installment.overpaid': 'Parcela paga a mais',
  'installment.payment_changed': 'Pagamento da parcela mudou',
  'installment.reopened': 'Parcela reaberta',
  'pix.created': 'Cobrança feita',
  'pix.paid': 'PIX recebido',
  'pix.expired': 'Cobrança expirada',
  'pix.refunded': 'PIX devolvido',
  'pix.moved': 'Pagamento movido',
  'autopay.activated': 'Débito automático ligado',
  'autopay.ended': 'Débito automático encerrado',
  'autopay.failed': 'Débito automático falhou',
  'cashback.changed': 'Cashback mudou',
  'offer.created': 'Oferta feita',
  'offer.claimed': 'Oferta aberta pelo cliente',
  'offer.accepted': 'Oferta aceita',
  'credit.review': 'Crédito em análise',
  'credit.decided': 'Crédito decidido',
};
/** Facts that the rules and signals of a credit policy can test. */
export const POLICY_FACT_LABELS: Labels = {
  age_years: 'Idade, em anos',
  account_days: 'Dias de conta',
  bureau_score: 'Pontuação no bureau',
  bureau_cpf_irregular: 'CPF irregular',
  days_late: 'Dias de atraso agora',
  worst_days_late: 'Maior atraso em um ano, em dias',
  refusals_month: 'Recusas em 30 dias',
  merchant_loss_percent: 'Perda da loja, em %',
  offers_hour: 'Compras em uma hora',
  signups_address_day: 'Cadastros do mesmo endereço em um dia',
  signups_network_day: 'Cadastros da mesma rede em um dia',
  signups_device: 'CPFs no mesmo aparelho',
  referral_ring: 'Convites em sequência',
  former_member: 'Já foi da loja',
  young_buyers_day: 'Clientes novos na loja em um dia',
};
/** Facts that a credit decision is based on. */
export const FACT_LABELS: Labels = {
  ...POLICY_FACT_LABELS,
  limit: 'Limite antes, em reais',
  owed: 'Devido, em reais',
  limit_before_late: 'Limite antes do atraso, em reais',
  growth_days: 'Dias desde o último aumento oferecido',
  cause: 'Motivo da nova decisão',
  paid_on_time: 'Compras pagas em dia',
  paid_amount: 'Pago por elas, em reais',
  amount: 'Compra, em reais',
  merchant: 'Loja',
  owed_at_merchant: 'Devido na loja, em reais',
  person: 'O que disse uma pessoa',
};
/** Reasons of a credit decision: the facts that were decisive, or one of these. */
const REASON_LABELS: Labels = {
  ...FACT_LABELS,
  first_limit: 'Primeiro limite, igual para todos',
  within_policy: 'Dentro da política',
  merchant_cap: 'Acima do limite da loja',
  asked_by_customer: 'O cliente pediu uma pessoa',
  approved_by_person: 'Uma pessoa aprovou',
  declined_by_person: 'Uma pessoa recusou',
  set_by_hand: 'Limite dado por uma pessoa',
};
export const getReasonLabel = (code: string): string =>
  code.endsWith('_unknown')
    ? `${getReasonLabel(code.replace(/_unknown$/, ''))}: não se sabe`
    : (REASON_LABELS[code] ?? code);
export const YES_NO_LABELS = { true: 'Sim', false: 'Não' };
export const DISCREPANCY_LABELS = {
  paid_without_payment: 'Cobrança paga sem pagamento',
  end_to_end_id_reused: 'Id de PIX repetido',
  unreadable_payment: 'Pagamento ilegível',
};
export const LEAD_KIND_LABELS = { partner: 'Quer ser parceiro', contact: 'Contato' };
export const LEAD_LABELS = { new: 'Novo', handled: 'Atendido' };
export const POST_LABELS = { draft: 'Rascunho', scheduled: 'Agendado', published: 'Publicado' };
export const CASHBACK_KIND_LABELS = {
  earned: 'Ganho',
  referral: 'Convite',
  redeemed: 'Usado',
  expired: 'Expirado',
  reversed: 'Desfeito',
  adjusted: 'Ajustado',
};
export const REFERRAL_LABELS = {
  registered: 'Cadastrado',
  held: 'Esperando decisão',
  rewarded: 'Premiado',
  refused: 'Recusado',
  expired: 'Expirado',
};
export const RETURN_LABELS = { waiting: 'Esperando', made: 'Feita', refused: 'Recusada' };
export const DELIVERY_LABELS = { pending: 'Esperando', delivered: 'Entregue', failed: 'Falhou' };
export const WEBHOOK_LABELS = { enabled: 'Ligado', disabled: 'Desligado' };
export const MESSAGE_LABELS = {
  queued: 'Na fila',
  retrying: 'Tentando',
  sent: 'Enviada',
  delivered: 'Entregue',
  read: 'Lida',
  failed: 'Falhou',
  withdrawn: 'Retirada',
};
export const AUTOPAY_LABELS = {
  pending: 'Esperando',
  active: 'Ligado',
  rejected: 'Recusado',
  expired: 'Expirado',
  ended: 'Encerrado',
};
export const AUTOPAY_ENDED_BY_LABELS = {
  customer: 'Cliente',
  payer: 'Pagador, no banco',
  bank: 'Banco',
  service: 'Semana',
};
export const DEBIT_LABELS = {
  scheduled: 'Agendado',
  trying: 'Tentando',
  paid: 'Pago',
  failed: 'Falhou',
  withdrawn: 'Retirado',
};
const SCOPE_LABELS: Labels = {
  public: 'Catálogo e contatos',
  wallet: 'Carteira dos clientes',
  merchant: 'Servidor de uma loja',
  till: 'Balcão',
  operator: 'Equipe',
};
export const formatScopes = (scopes: readonly string[]): string =>
  scopes.map((scope) => SCOPE_LABELS[scope] ?? scope).join(', ');

/** Labels of the values that error messages of the API quote, such as 'waiting'. If tables have the same key, the last one wins. */
export const QUOTED_VALUE_LABELS: Labels = {
  ...APPROVAL_LABELS,
  ...OFFER_LABELS,
  ...CHARGE_LABELS,
  ...PAYOUT_LABELS,
  ...DECISION_OUTCOME_LABELS,
  ...ROLE_LABELS,
};
