/** What states are called in the office. */
export const PURCHASE = { open: 'Em dia', overdue: 'Em atraso', paid: 'Quitada' };
export const CUSTOMER = { active: 'Ativo', locked: 'Bloqueado', erased: 'Apagado', overdue: 'Em atraso' };
export const CHARGE = { pending: 'Esperando', paid: 'Paga', expired: 'Vencida', cancelled: 'Cancelada' };
export const CHARGE_TYPE = {
  settle: 'Quitar',
  settle_with_penalty: 'Quitar com multa',
  settle_partial: 'Parte',
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
  processing: 'Andando',
  returned: 'Devolvido',
  failed: 'Recusado',
  given_up: 'Desistido',
  credited: 'Creditado',
  overtaken: 'Superado',
};
export const PAYOUT = { pending: 'A pagar', paid: 'Pago', failed: 'Falhou' };
export const OFFER = {
  pending: 'Esperando',
  accepted: 'Aceita',
  declined: 'Recusada',
  expired: 'Vencida',
  cancelled: 'Cancelada',
};
export const APPROVAL = {
  waiting: 'Esperando',
  approved: 'Aprovada',
  refused: 'Recusada',
  failed: 'Não deu mais',
  expired: 'Vencida',
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
export const YES_NO = { true: 'Sim', false: 'Não' };
export const LEAD = { new: 'Novo', handled: 'Atendido' };
export const POST = { draft: 'Rascunho', scheduled: 'Agendado', published: 'Publicado' };
export const CASHBACK = {
  earned: 'Ganho',
  referral: 'Convite',
  redeemed: 'Usado',
  expired: 'Vencido',
  reversed: 'Desfeito',
  adjusted: 'Ajustado',
};
export const RETURN = { waiting: 'Esperando', made: 'Feita', refused: 'Recusada' };
export const WEBHOOK = { enabled: 'Ligado', disabled: 'Desligado' };
