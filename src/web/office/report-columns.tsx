import { CHANNEL, CHARGE_TYPE, MESSAGE } from './lists/names.ts';
import { day, money, named, number, share, state, text } from './parts.tsx';

// What reports show, in their tables and in their files.

export const STATUSES = {
  open: 'Em dia',
  overdue: 'Em atraso',
  paid: 'Quitadas',
  returned: 'Devolvidas',
} as const;
export const INCOME = {
  interest: 'Juros das compras',
  penalties: 'Multas e juros de atraso',
  extensions: 'Prorrogações',
  merchant_fees: 'Taxas das lojas',
  cashback: 'Cashback dado',
  losses: 'Perdas',
  total: 'Total',
} as const;

export const PORTFOLIO = [
  named('Situação', 'figures', { ...STATUSES, total: 'Total' }),
  number('Compras', 'purchases'),
  money('Financiado', 'financed'),
  money('Pago', 'paid'),
  money('Em aberto', 'outstanding'),
  money('Baixado, em aberto', 'written_off_outstanding'),
];
export const COHORTS = [
  day('Semana de', 'week'),
  number('Compras', 'purchases'),
  money('Financiado', 'financed'),
  money('Pago', 'paid'),
  share('Pago, %', 'paid_percent'),
  money('Devolvido', 'returned'),
  money('Em aberto', 'outstanding'),
  money('Em atraso', 'overdue'),
  share('Em atraso, %', 'overdue_percent'),
  money('Baixado', 'written_off'),
];
export const PIX = [
  named('Tipo', 'type', CHARGE_TYPE),
  number('Feitas', 'made'),
  number('Pagas', 'paid'),
  share('Conversão', 'paid_percent'),
  money('Valor pago', 'paid_value'),
];
export const MERCHANTS = [
  text('Loja', 'name'),
  money('Devido', 'owed'),
  money('Vencido', 'due'),
  money('Em repasses', 'in_payouts'),
];
export const AUTOPAY = [
  { title: 'Tentativa', show: (row: { try: number }) => `${row.try}ª`, field: 'try' },
  number('Tentados', 'tried'),
  number('Pagos', 'paid'),
  share('Pagos, %', 'paid_percent'),
  money('Valor pago', 'paid_value'),
];
export const REFUSALS = [
  text('Código', 'code'),
  text('O que diz', 'words'),
  number('Débitos', 'debits'),
  number('Sem pagamento no fim', 'failed'),
];
export const MESSAGES = [
  named('Canal', 'channel', CHANNEL),
  state('Situação', 'status', MESSAGE),
  text('Motivo', 'reason'),
  number('Mensagens', 'messages'),
];
const stepInWords = (step: number): string => {
  if (step === 0) return 'No vencimento';
  const days = Math.abs(step) === 1 ? '1 dia' : `${Math.abs(step)} dias`;
  return step < 0 ? `${days} antes` : `${days} de atraso`;
};
export const REMINDERS = [
  {
    title: 'Lembrete',
    show: ({ step }: { step: number }) => stepInWords(step),
    field: 'step',
    inFile: (cell: string) => stepInWords(Number(cell)),
  },
  number('Parcelas', 'reminded'),
  number('Pagas em 24 horas', 'paid_within_a_day'),
  share('Pagas, %', 'percent'),
];
