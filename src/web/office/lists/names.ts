/** What states are called in the office. */
export const PURCHASE = { open: 'Em dia', overdue: 'Em atraso', paid: 'Quitada' };
export const AGE = {
  '1-7': '1 a 7 dias',
  '8-30': '8 a 30 dias',
  '31-90': '31 a 90 dias',
  '90+': 'mais de 90 dias',
};
/** Purchases that are late by so many days. */
export const lateFor = (age: keyof typeof AGE) => `/compras?${new URLSearchParams({ days_late: age })}`;
/** The days of a week, as lists are filtered by them. */
export const daysOfWeek = (monday: string): string => {
  const sunday = new Date(Date.parse(`${monday}T12:00:00Z`) + 6 * 86_400_000).toISOString().slice(0, 10);
  return `from=${monday}&to=${sunday}`;
};
export const shortWeek = (monday: string): string => `${monday.slice(8, 10)}/${monday.slice(5, 7)}`;
export const CUSTOMER = { active: 'Ativo', locked: 'Bloqueado', erased: 'Apagado', overdue: 'Em atraso' };
export const CHARGE = { pending: 'Esperando', paid: 'Paga', expired: 'Expirada', cancelled: 'Cancelada' };
export const CHARGE_TYPE = {
  settle: 'Quitar',
  settle_with_penalty: 'Quitar com multa',
  settle_partial: 'Pagar uma parte',
  extend: 'Prorrogar',
};
export const ORPHAN = {
  open: 'Sem dono',
  asked: 'Estorno pedido',
  processing: 'Estornando',
  returned: 'Estornado',
};
export const REFUND = {
  asked: 'Pedido',
  processing: 'Em andamento',
  returned: 'Devolvido',
  failed: 'Recusado, outro foi feito',
  given_up: 'Precisa de alguém',
  credited: 'Creditado',
  overtaken: 'Superado',
};
export const PAYOUT = { pending: 'A pagar', paid: 'Pago', failed: 'Falhou' };
export const OFFER = {
  pending: 'Esperando',
  accepted: 'Aceita',
  declined: 'Recusada',
  expired: 'Expirada',
  cancelled: 'Cancelada',
};
export const APPROVAL = {
  waiting: 'Esperando',
  approved: 'Aprovada',
  refused: 'Recusada',
  failed: 'Não pôde ser feita',
  expired: 'Expirada',
};
export const APPROVAL_KIND = {
  orphan_refund: 'Estorno de pagamento sem dono',
  write_off: 'Baixa por perda',
  cashback_adjustment: 'Ajuste de cashback',
  payout: 'Repasse',
  limit: 'Limite',
  payout_account: 'Conta de repasse',
  credit_policy: 'Política de crédito',
  payment_move: 'Pagamento movido de parcela',
};
export const OUTCOME = { approved: 'Aprovado', review: 'Em análise', declined: 'Recusado' };
export const MOMENT = {
  signup: 'Cadastro',
  accept: 'Compra',
  growth: 'Aumento',
  late: 'Atraso',
  review: 'Pedido do cliente',
};
/** What happened to a purchase. */
export const EVENT: Readonly<Record<string, string>> = {
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
/** What decisions are made by. */
export const FACT: Readonly<Record<string, string>> = {
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
  limit: 'Limite antes, em reais',
  owed: 'Devido, em reais',
  paid_on_time: 'Compras pagas em dia',
  paid_amount: 'Pago por elas, em reais',
  amount: 'Compra, em reais',
  merchant: 'Loja',
  owed_at_merchant: 'Devido na loja, em reais',
  person: 'O que disse uma pessoa',
};
const REASON: Readonly<Record<string, string>> = {
  ...FACT,
  first_limit: 'Primeiro limite, igual para todos',
  within_policy: 'Dentro da política',
  merchant_cap: 'Acima do limite da loja',
  asked_by_customer: 'O cliente pediu uma pessoa',
  approved_by_person: 'Uma pessoa aprovou',
  declined_by_person: 'Uma pessoa recusou',
  set_by_hand: 'Limite dado por uma pessoa',
};
/** Why something was decided so, from its code. */
export const reasonOf = (code: string): string =>
  code.endsWith('_unknown')
    ? `${reasonOf(code.replace(/_unknown$/, ''))}: não se sabe`
    : (REASON[code] ?? code);
export const YES_NO = { true: 'Sim', false: 'Não' };
export const LEAD_KIND = { partner: 'Quer ser parceiro', contact: 'Contato' };
export const LEAD = { new: 'Novo', handled: 'Atendido' };
export const POST = { draft: 'Rascunho', scheduled: 'Agendado', published: 'Publicado' };
export const CASHBACK = {
  earned: 'Ganho',
  referral: 'Convite',
  redeemed: 'Usado',
  expired: 'Expirado',
  reversed: 'Desfeito',
  adjusted: 'Ajustado',
};
export const RETURN = { waiting: 'Esperando', made: 'Feita', refused: 'Recusada' };
export const DELIVERY = { pending: 'Esperando', delivered: 'Entregue', failed: 'Falhou' };
export const WEBHOOK = { enabled: 'Ligado', disabled: 'Desligado' };
export const MESSAGE = {
  queued: 'Na fila',
  retrying: 'Tentando',
  sent: 'Enviada',
  delivered: 'Entregue',
  read: 'Lida',
  failed: 'Falhou',
  withdrawn: 'Retirada',
};
export const TEMPLATE = {
  offer: 'Oferta de compra',
  offer_accepted: 'Compra aceita',
  reminder: 'Lembrete de parcela',
  payment_received: 'Pagamento recebido',
  extended: 'Parcela prorrogada',
  returned: 'Devolução',
  autopay_failed: 'Débito automático falhou',
  cashback_expiring: 'Cashback a expirar',
  credit_answer: 'Resposta sobre o crédito',
  new_session: 'Nova entrada na conta',
  password_changed: 'Nova senha',
  phone_changed: 'Troca de telefone',
  login_code: 'Código de acesso',
};
export const CHANNEL = { whatsapp: 'WhatsApp', sms: 'SMS', email: 'E-mail', push: 'Notificação' };
export const AUTOPAY = {
  pending: 'Esperando',
  active: 'Ligado',
  rejected: 'Recusado',
  expired: 'Expirado',
  ended: 'Encerrado',
};
export const ENDED_BY = { customer: 'Cliente', payer: 'Pagador, no banco', bank: 'Banco', service: 'Semana' };
export const DEBIT = {
  scheduled: 'Agendado',
  trying: 'Tentando',
  paid: 'Pago',
  failed: 'Falhou',
  withdrawn: 'Retirado',
};
/** What a key may be used for. */
const SCOPE: Readonly<Record<string, string>> = {
  public: 'Catálogo e contatos',
  wallet: 'Carteira dos clientes',
  merchant: 'Servidor de uma loja',
  till: 'Balcão',
  operator: 'Equipe',
};
export const scopesInWords = (scopes: readonly string[]): string =>
  scopes.map((scope) => SCOPE[scope] ?? scope).join(', ');
