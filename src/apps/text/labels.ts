/** Labels of values of the API that several apps show. */
export const MEMBER_ROLE_LABELS = { owner: 'Responsável', clerk: 'Caixa' } as const;
export const CHANNEL_LABELS = {
  whatsapp: 'WhatsApp',
  sms: 'SMS',
  email: 'E-mail',
  push: 'Notificação',
} as const;
export const STATEMENT_LINE_LABELS = {
  sale: 'Venda',
  fee: 'Tarifa',
  return: 'Devolução',
  return_fee: 'Tarifa devolvida',
  payout: 'Repasse',
  payout_failed: 'Repasse que o banco devolveu',
} as const;
