import { DAY_MS, MINUTE_MS } from '#core/values/duration.ts';
import { isMessageName, type MessageName } from '#core/values/message-titles.ts';
import { formatReais } from '#core/values/money.ts';
import { formatBrazilianDay } from '#platform/privacy/personal-data.ts';
import { shortenName, stripLinks } from './strip-links.ts';
import type { RenderContext, Template } from './template.ts';

/** Formats a day as `22/11`. */
const formatDay = (day: string) => formatBrazilianDay(day).slice(0, 5);

const dateTimeFormat = new Intl.DateTimeFormat('pt-BR', {
  timeZone: 'America/Sao_Paulo',
  day: '2-digit',
  month: '2-digit',
  hour: '2-digit',
  minute: '2-digit',
});

/** Whether the recipient can copy a code of about 200 characters out of the message. */
const canHoldPixCode = ({ channel }: RenderContext) => channel === 'whatsapp' || channel === 'email';

type ReminderData = {
  /** The latest step of the items, in days from the due day. */
  step: number;
  /** The installments, longest due first, with the amounts of the day on which the message is sent. */
  items: Array<{
    merchant: string;
    number: number;
    installmentCount: number;
    dueOn: string;
    owedCents: number;
    page: string;
    /** Whether the effective due day has passed. */
    isLate: boolean;
    /** Whether the bank debits the installment automatically. */
    isDebited: boolean;
  }>;
  /** Pays the first installment that is not debited automatically. */
  pixCode?: string;
};

type AutopayFailedData = {
  checkoutHash: string;
  /** The installment that the bank did not debit; null if the authorisation has ended at the bank. */
  installmentId: string | null;
  /** The bank's reason, in words. */
  reason: string | null;
  /** The following fields describe that installment, or the next outstanding one, at the time of sending. */
  merchant: string;
  number: number;
  installmentCount: number;
  dueOn: string;
  owedCents: number;
  isLate: boolean;
  pixCode?: string;
};

const buildInstallmentPage = ({ checkoutHash, number }: AutopayFailedData) =>
  `compras/${checkoutHash}/${number}`;

const haveSameDueDay = (items: ReminderData['items']) =>
  items.every(({ dueOn }) => dueOn === items[0]!.dueOn);

function renderReminderSubject({ step, items }: ReminderData): string {
  if (step > 0) return items.length > 1 ? 'Parcelas em atraso' : 'Parcela em atraso';
  if (!haveSameDueDay(items)) return 'Parcelas a vencer';
  return step === 0 ? 'Vence hoje' : `Vence em ${formatDay(items[0]!.dueOn)}`;
}

/** Renders when the installments are due, or that they are late. */
function renderDueState({ step, items }: ReminderData): string {
  if (step > 0) return items.every(({ isLate }) => isLate) ? 'em atraso' : 'em atraso e a vencer';
  if (!haveSameDueDay(items)) return 'a vencer';
  return step === 0 ? 'vence hoje' : `vence em ${formatDay(items[0]!.dueOn)}`;
}

/** Renders a line with the code to copy, if the channel can hold it. */
const renderPixLine = (
  { pixCode }: { pixCode?: string | undefined },
  context: RenderContext,
  labelSuffix = '',
) =>
  pixCode === undefined || !canHoldPixCode(context) ? '' : `\nPix copia e cola${labelSuffix}: ${pixCode}`;

/** The law (CDC art. 42-A) requires name, CNPJ and address of the creditor in every message that collects a debt. */
const renderCreditorLine = ({ creditor: { name, cnpj, address } }: RenderContext) =>
  `\nCredor: ${name}, CNPJ ${cnpj}, ${address}.`;

/** Infers the type of the data from the example. A template whose example lacks optional fields names the type. */
const defineTemplate = <Data>(template: Template<Data>): Template<Data> => template;

const SECURITY_NOTICE = { recipient: 'customer', isLegalNotice: true, ttlMs: 2 * DAY_MS } as const;
const CUSTOMER_NOTICE = { recipient: 'customer', isLegalNotice: false, ttlMs: 2 * DAY_MS } as const;

const SECURITY_HINT = 'Não foi você? Troque a senha e fale com a gente.';

export const TEMPLATES = {
  login_code: defineTemplate({
    recipient: 'phone',
    isLegalNotice: true,
    isUrgent: true,
    requiresUnlockedCustomer: true,
    channels: ['sms'],
    ttlMs: 5 * MINUTE_MS,
    subject: () => 'Seu código',
    // One SMS with accents has at most 70 characters.
    text: ({ code }) => `Semana: ${code} é o seu código. Vale 5 minutos. Não o diga a ninguém.`,
    code: ({ code }) => code,
    storedText: () => 'Código de acesso.',
    example: { code: '314159' },
  }),
  offer: defineTemplate({
    recipient: 'phone',
    isLegalNotice: false,
    requiresUnlockedCustomer: true,
    channels: ['sms'],
    ttlMs: 2 * DAY_MS,
    subject: ({ merchant }) => `Oferta de ${shortenName(merchant, 'uma loja')}`,
    text({ merchant, amountCents, installments, link }) {
      const installmentText =
        installments === 1 ? 'em 1 parcela' : `em até ${installments} parcelas semanais`;
      const offerText = `${shortenName(merchant, 'Uma loja')} oferece ${formatReais(amountCents)} ${installmentText}`;
      return `Semana: ${offerText}. Veja e responda em 2 dias: ${link}`;
    },
    link: ({ link }) => link,
    example: {
      offerId: 'off_01',
      merchant: 'Padaria Flor do Trigo',
      amountCents: 20_440,
      installments: 4,
      link: 'https://semana.example/carteira/ofertas/off_01',
    },
  }),
  offer_accepted: defineTemplate({
    ...CUSTOMER_NOTICE,
    isLegalNotice: true,
    subject: ({ merchant }) => `Sua compra em ${shortenName(merchant, 'uma loja')}`,
    text: ({ merchant, totalCents, installments, firstDueOn, checkoutHash }, { toWalletUrl }) =>
      `Semana: compra em ${shortenName(merchant, 'uma loja')} aceita: ${installments} × semanal, ${formatReais(totalCents)} no total, a ` +
      `primeira em ${formatDay(firstDueOn)}. Contrato e parcelas: ${toWalletUrl(`compras/${checkoutHash}`)}`,
    link: ({ checkoutHash }, { toWalletUrl }) => toWalletUrl(`compras/${checkoutHash}`),
    example: {
      merchant: 'Padaria Flor do Trigo',
      totalCents: 20_440,
      installments: 4,
      firstDueOn: '2026-11-22',
      checkoutHash: '3kTMd9vR2xYb7LqWn0PzAh',
    },
  }),
  reminder: defineTemplate<ReminderData>({
    recipient: 'customer',
    isLegalNotice: true,
    ttlMs: DAY_MS,
    subject: renderReminderSubject,
    text(data, context) {
      const { items, pixCode, step } = data;
      const lines = items.map(
        ({ merchant, number, installmentCount, dueOn, owedCents, isDebited }) =>
          `${shortenName(merchant, 'loja')} ${number}/${installmentCount} de ${formatDay(dueOn)}: ${formatReais(owedCents)}` +
          (isDebited ? ' (débito automático)' : ''),
      );
      const total = formatReais(items.reduce((sum, { owedCents }) => sum + owedCents, 0));
      const description = items.length === 1 ? lines[0]! : `${lines.join('; ')}. Total ${total}`;
      const pixLine = renderPixLine({ pixCode }, context, items.length > 1 ? ' da primeira' : '');
      const creditorLine = step > 0 ? renderCreditorLine(context) : '';
      const action = items.every(({ isDebited }) => isDebited)
        ? 'Será debitado pelo seu banco; tenha saldo. Veja em'
        : 'Pague em';
      return `Semana: ${renderDueState(data)}: ${description}. ${action} ${renderReminderLink(data, context)}${pixLine}${creditorLine}`;
    },
    link: renderReminderLink,
    code: ({ pixCode }) => pixCode,
    example: {
      step: 1,
      items: [
        {
          merchant: 'Padaria Flor do Trigo',
          number: 2,
          installmentCount: 4,
          dueOn: '2026-11-22',
          owedCents: 5_213,
          page: 'compras/3kTMd9vR2xYb7LqWn0PzAh/2',
          isLate: true,
          isDebited: false,
        },
      ],
      pixCode: '00020101021226800014br.gov.bcb.pix2558pix.example/qr/v2/3kTM5204000053039865802BR6304ABCD',
    },
  }),
  payment_received: defineTemplate({
    ...CUSTOMER_NOTICE,
    subject: () => 'Pagamento recebido',
    text: ({ amountCents, paidOn, page }, { toWalletUrl }) =>
      `Semana: recebemos ${formatReais(amountCents)} em ${formatDay(paidOn)}. Comprovante: ${toWalletUrl(page)}`,
    link: ({ page }, { toWalletUrl }) => toWalletUrl(page),
    example: { amountCents: 5_110, paidOn: '2026-11-22', page: 'compras/3kTMd9vR2xYb7LqWn0PzAh/2' },
  }),
  extended: defineTemplate({
    ...CUSTOMER_NOTICE,
    subject: () => 'Novo vencimento',
    text: ({ number, dueOn, page }, { toWalletUrl }) =>
      `Semana: a sua parcela ${number} agora vence em ${formatDay(dueOn)}. Veja: ${toWalletUrl(page)}`,
    link: ({ page }, { toWalletUrl }) => toWalletUrl(page),
    example: { number: 2, dueOn: '2026-11-29', page: 'compras/3kTMd9vR2xYb7LqWn0PzAh/2' },
  }),
  returned: defineTemplate({
    ...CUSTOMER_NOTICE,
    subject: () => 'Devolução registrada',
    text({ amountCents, refundedCents, isWhole, reason, checkoutHash }, { toWalletUrl }) {
      const description = isWhole
        ? 'a compra inteira foi devolvida'
        : `foram devolvidos ${formatReais(amountCents)} da compra`;
      const refund = refundedCents > 0 ? ` Voltam para você ${formatReais(refundedCents)}.` : '';
      const reasonText = reason ? ` Motivo: ${reason.replace(/\.$/, '')}.` : '';
      return `Semana: ${description}.${reasonText}${refund} Veja: ${toWalletUrl(`compras/${checkoutHash}`)}`;
    },
    link: ({ checkoutHash }, { toWalletUrl }) => toWalletUrl(`compras/${checkoutHash}`),
    example: {
      amountCents: 5_110,
      refundedCents: 0,
      isWhole: false,
      reason: 'não serviu',
      checkoutHash: '3kTMd9vR2xYb7LqWn0PzAh',
    },
  }),
  autopay_failed: defineTemplate<AutopayFailedData>({
    recipient: 'customer',
    isLegalNotice: true,
    // A long weekend may lie between a failed debit and the next hour in which messages are allowed.
    ttlMs: 5 * DAY_MS,
    subject: ({ installmentId }) =>
      installmentId === null ? 'Débito automático encerrado' : 'Parcela não debitada',
    text(data, context) {
      const { installmentId, merchant, number, installmentCount, dueOn, owedCents, isLate, reason } = data;
      const shop = shortenName(merchant, 'uma loja');
      const link = context.toWalletUrl(buildInstallmentPage(data));
      if (installmentId === null)
        return (
          `Semana: o débito automático da compra em ${shop} terminou no seu banco. As parcelas que faltam são pagas por ` +
          `código Pix; a próxima, de ${formatReais(owedCents)}, ${isLate ? 'venceu' : 'vence'} em ${formatDay(dueOn)}: ${link}`
        );
      const description = `o banco não debitou a parcela ${number}/${installmentCount} de ${shop}, de ${formatDay(dueOn)}`;
      const reasonText = reason === null ? '' : ` ${reason}`;
      const creditorLine = isLate ? renderCreditorLine(context) : '';
      return (
        `Semana: ${description}.${reasonText} Não será tentado de novo: pague ${formatReais(owedCents)} por Pix em ${link}` +
        `${renderPixLine(data, context)}${creditorLine}`
      );
    },
    link: (data, { toWalletUrl }) => toWalletUrl(buildInstallmentPage(data)),
    code: ({ pixCode }) => pixCode,
    example: {
      checkoutHash: '3kTMd9vR2xYb7LqWn0PzAh',
      installmentId: 'ins_01',
      reason: 'Não havia saldo na conta.',
      merchant: 'Padaria Flor do Trigo',
      number: 2,
      installmentCount: 4,
      dueOn: '2026-11-22',
      owedCents: 5_213,
      isLate: true,
      pixCode: '00020101021226800014br.gov.bcb.pix2558pix.example/qr/v2/3kTM5204000053039865802BR6304ABCD',
    },
  }),
  cashback_expiring: defineTemplate({
    ...CUSTOMER_NOTICE,
    subject: () => 'Seu cashback vai expirar',
    text: ({ amountCents, expiresOn }, { toWalletUrl }) =>
      `Semana: ${formatReais(amountCents)} de cashback valem só até ${formatDay(expiresOn)}. Use em uma parcela: ${toWalletUrl('cashback')}`,
    link: (_, { toWalletUrl }) => toWalletUrl('cashback'),
    example: { amountCents: 1_020, expiresOn: '2026-11-29' },
  }),
  password_changed: defineTemplate<Record<string, never>>({
    ...SECURITY_NOTICE,
    subject: () => 'Nova senha',
    text: () => `Semana: a senha da sua conta foi trocada. ${SECURITY_HINT}`,
    example: {},
  }),
  phone_changed: defineTemplate<{
    changeId: string;
    /** taken: another account has the new phone by now. */
    state: 'waiting' | 'done' | 'taken';
    /** The last digits of the new phone. */
    newEnd: string;
    /** When the change takes effect. */
    countsAt: string;
  }>({
    ...SECURITY_NOTICE,
    subject: () => 'Troca de telefone',
    // The reader may not be the owner of the new phone, so the text has only its last digits.
    text({ state, newEnd, countsAt }) {
      if (state === 'done')
        return `Semana: o celular da sua conta agora é o de final ${newEnd}. Não foi você? Fale com a gente.`;
      if (state === 'taken')
        return `Semana: o celular da sua conta não mudou: o de final ${newEnd} já é de outra conta.`;
      const request = `pediram para trocar o celular da sua conta pelo de final ${newEnd}`;
      const effectiveAt = dateTimeFormat.format(new Date(countsAt));
      return `Semana: ${request}. Vale em ${effectiveAt}. Não foi você? Entre na carteira e cancele.`;
    },
    example: { changeId: 'pch_01', state: 'waiting', newEnd: '4321', countsAt: '2026-11-16T12:00:00.000Z' },
  }),
  new_session: defineTemplate({
    ...SECURITY_NOTICE,
    subject: () => 'Entrada na sua conta',
    text: ({ at }) =>
      `Semana: entraram na sua conta de um lugar novo em ${dateTimeFormat.format(new Date(at))}. ${SECURITY_HINT}`,
    example: { at: '2026-11-15T12:00:00.000Z' },
  }),
  credit_answer: defineTemplate({
    ...CUSTOMER_NOTICE,
    isLegalNotice: true,
    subject: () => 'Seu pedido foi analisado',
    text: ({ isApproved }) =>
      isApproved
        ? 'Semana: uma pessoa analisou o seu pedido e aprovou. Veja na carteira.'
        : 'Semana: uma pessoa analisou o seu pedido e não aprovou. Veja o motivo na carteira.',
    example: { isApproved: true },
  }),
  payout_account_changed: defineTemplate<{
    merchantId: number;
    merchant: string;
    /** The last characters of the new Pix key. */
    keyEnd: string;
    /** When the change takes effect; null if it is in effect. */
    countsAt: string | null;
  }>({
    recipient: 'owner',
    isLegalNotice: true,
    ttlMs: 2 * DAY_MS,
    subject: () => 'Conta de repasse',
    // Contains only the last characters of the key, because the reader may no longer be an owner.
    text({ merchant, keyEnd, countsAt }) {
      const name = stripLinks(merchant) || 'sua loja';
      if (countsAt === null)
        return `Semana: os repasses de ${name} agora vão para a chave Pix de final ${keyEnd}. Não foi você? Fale com a gente.`;
      const request = `pediram para pagar os repasses de ${name} na chave Pix de final ${keyEnd}`;
      return `Semana: ${request}. Vale em ${dateTimeFormat.format(new Date(countsAt))}. Não foi você? Fale com a gente antes disso.`;
    },
    example: { merchantId: 1, merchant: 'Padaria Flor do Trigo', keyEnd: '4321', countsAt: null },
  }),
  payout_paid: defineTemplate<{ merchant: string; amountCents: number; reference: string | null }>({
    recipient: 'owner',
    isLegalNotice: false,
    ttlMs: 2 * DAY_MS,
    subject: () => 'Repasse pago',
    text({ merchant, amountCents, reference }) {
      const bankReference = reference === null ? '' : ` (${stripLinks(reference)})`;
      return `Semana: ${shortenName(merchant, 'a sua loja')} recebeu um repasse de ${formatReais(amountCents)}${bankReference}.`;
    },
    example: { merchant: 'Padaria Flor do Trigo', amountCents: 198_050, reference: 'TED 482913' },
  }),
} as const satisfies Record<MessageName, unknown>;

function renderReminderLink({ items }: ReminderData, { toWalletUrl }: RenderContext): string {
  return toWalletUrl(items.length === 1 ? items[0]!.page : '');
}

export type TemplateName = MessageName;
export type TemplateData<N extends TemplateName> = (typeof TEMPLATES)[N]['example'];

export const TEMPLATE_NAMES = Object.keys(TEMPLATES) as TemplateName[];
export const isTemplateName: (name: string) => name is TemplateName = isMessageName;
/** Returns the template for a name from the database, where the type of the data is unknown. */
export const getTemplate = (name: TemplateName): Template<unknown> => TEMPLATES[name] as Template<unknown>;
