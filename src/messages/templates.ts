import { DAY_MS, MINUTE_MS } from '#core/duration.ts';
import { spokenReais } from '#core/money.ts';
import { spokenDay } from '#platform/privacy/personal-data.ts';
import type { Template, Writing } from './template.ts';
import { withoutLinks } from './without-links.ts';

const LONGEST_NAME = 40;

/** A name that others chose, fit for a short text in our name: no links in it, and not too long. */
export function shortName(name: string, otherwise: string): string {
  const characters = [...(withoutLinks(name) || otherwise)];
  return characters.length > LONGEST_NAME
    ? `${characters.slice(0, LONGEST_NAME - 1).join('')}…`
    : characters.join('');
}

/** Amounts in parts are in centavos. */
const reais = spokenReais;
/** `22/11` */
const shortDay = (day: string) => spokenDay(day).slice(0, 5);

const when = new Intl.DateTimeFormat('pt-BR', {
  timeZone: 'America/Sao_Paulo',
  day: '2-digit',
  month: '2-digit',
  hour: '2-digit',
  minute: '2-digit',
});

/** Whether a code of some 200 characters can be copied out of the message. */
const holdsPixCode = ({ channel }: Writing) => channel === 'whatsapp' || channel === 'email';

type ReminderParts = {
  /** The latest of its steps: days from the due day. */
  step: number;
  /** What is due, the longest due first; amounts as of the day it is sent. */
  items: Array<{
    merchant: string;
    number: number;
    of: number;
    dueOn: string;
    owedCents: number;
    page: string;
    /** Past its effective due day; if left out, as the step says. */
    isLate?: boolean;
    /** It is debited by itself: nothing is to be paid by hand. */
    isDebited?: boolean;
  }>;
  /** Pays the first of those that are paid by hand. */
  pixCode?: string;
};

type AutopayFailedParts = {
  checkoutHash: string;
  /** What the bank did not debit; null: the authorisation has ended at the bank. */
  installmentId: string | null;
  /** What the bank said, in words. */
  reason: string | null;
  /** Of that installment, or of the next that is owed, as of the moment it is sent. */
  merchant: string;
  number: number;
  of: number;
  dueOn: string;
  owedCents: number;
  isLate: boolean;
  pixCode?: string;
};

const pageOf = ({ checkoutHash, number }: AutopayFailedParts) => `compras/${checkoutHash}/${number}`;

const isOneDay = (items: ReminderParts['items']) => items.every(({ dueOn }) => dueOn === items[0]!.dueOn);

/** The code to copy, where the channel can hold it. */
const pixLine = ({ pixCode }: { pixCode?: string | undefined }, writing: Writing, of = '') =>
  pixCode === undefined || !holdsPixCode(writing) ? '' : `\nPix copia e cola${of}: ${pixCode}`;

/** The parts are those of the example. Their type is written out where the example does not show all of it. */
const define = <Parts>(template: Template<Parts>): Template<Parts> => template;

const SECURITY = { to: 'customer', isLegal: true, lifeMs: 2 * DAY_MS } as const;
const NOTICE = { to: 'customer', isLegal: false, lifeMs: 2 * DAY_MS } as const;

const NOT_YOU = 'Não foi você? Troque a senha e fale com a gente.';

export const TEMPLATES = {
  login_code: define({
    title: 'código de acesso',
    to: 'phone',
    isLegal: true,
    isUrgent: true,
    isForActive: true,
    channels: ['sms'],
    lifeMs: 5 * MINUTE_MS,
    subject: () => 'Seu código',
    // At most 70 characters: with accents, that is the size of one SMS.
    text: ({ code }) => `Semana: ${code} é o seu código. Vale 5 minutos. Não o diga a ninguém.`,
    code: ({ code }) => code,
    kept: () => 'Código de acesso.',
    example: { code: '314159' },
  }),
  offer: define({
    title: 'oferta de compra',
    to: 'phone',
    isLegal: false,
    isForActive: true,
    channels: ['sms'],
    lifeMs: 2 * DAY_MS,
    subject: ({ merchant }) => `Oferta de ${shortName(merchant, 'uma loja')}`,
    text({ merchant, amountCents, installments, link }) {
      const times = installments === 1 ? 'em 1 parcela' : `em até ${installments} parcelas semanais`;
      const offered = `${shortName(merchant, 'Uma loja')} oferece ${reais(amountCents)} ${times}`;
      return `Semana: ${offered}. Veja e responda em 2 dias: ${link}`;
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
  offer_accepted: define({
    title: 'compra aceita',
    ...NOTICE,
    isLegal: true,
    subject: ({ merchant }) => `Sua compra em ${shortName(merchant, 'uma loja')}`,
    text: ({ merchant, totalCents, installments, firstDueOn, checkoutHash }, { walletPage }) =>
      `Semana: compra em ${shortName(merchant, 'uma loja')} aceita: ${installments} × semanal, ${reais(totalCents)} no total, a ` +
      `primeira em ${shortDay(firstDueOn)}. Contrato e parcelas: ${walletPage(`compras/${checkoutHash}`)}`,
    link: ({ checkoutHash }, { walletPage }) => walletPage(`compras/${checkoutHash}`),
    example: {
      merchant: 'Padaria Flor do Trigo',
      totalCents: 20_440,
      installments: 4,
      firstDueOn: '2026-11-22',
      checkoutHash: '3kTMd9vR2xYb7LqWn0PzAh',
    },
  }),
  reminder: define<ReminderParts>({
    title: 'lembrete de parcela',
    to: 'customer',
    isLegal: true,
    lifeMs: DAY_MS,
    subject: ({ step, items }) =>
      step > 0
        ? items.length > 1
          ? 'Parcelas em atraso'
          : 'Parcela em atraso'
        : !isOneDay(items)
          ? 'Parcelas a vencer'
          : step === 0
            ? 'Vence hoje'
            : `Vence em ${shortDay(items[0]!.dueOn)}`,
    text(parts, writing) {
      const { items, pixCode, step } = parts;
      const lines = items.map(
        ({ merchant, number, of, dueOn, owedCents, isDebited }) =>
          `${shortName(merchant, 'loja')} ${number}/${of} de ${shortDay(dueOn)}: ${reais(owedCents)}` +
          (isDebited ? ' (débito automático)' : ''),
      );
      const total = reais(items.reduce((sum, { owedCents }) => sum + owedCents, 0));
      const what = items.length === 1 ? lines[0]! : `${lines.join('; ')}. Total ${total}`;
      const isAllLate = items.every(({ isLate = true }) => isLate);
      const state =
        step > 0 && !isAllLate
          ? 'em atraso e a vencer'
          : step > 0
            ? 'em atraso'
            : !isOneDay(items)
              ? 'a vencer'
              : step === 0
                ? 'vence hoje'
                : `vence em ${shortDay(items[0]!.dueOn)}`;
      const { name, cnpj } = writing.creditor;
      const pay = pixLine({ pixCode }, writing, items.length > 1 ? ' da primeira' : '');
      const lender = step > 0 ? `\nCredor: ${name}, CNPJ ${cnpj}.` : '';
      const act = items.every(({ isDebited }) => isDebited)
        ? 'Será debitado pelo seu banco; tenha saldo. Veja em'
        : 'Pague em';
      return `Semana: ${state}: ${what}. ${act} ${linkOf(parts, writing)}${pay}${lender}`;
    },
    link: (parts, writing) => linkOf(parts, writing),
    code: ({ pixCode }) => pixCode,
    example: {
      step: 1,
      items: [
        {
          merchant: 'Padaria Flor do Trigo',
          number: 2,
          of: 4,
          dueOn: '2026-11-22',
          owedCents: 5_213,
          page: 'compras/3kTMd9vR2xYb7LqWn0PzAh/2',
        },
      ],
      pixCode: '00020101021226800014br.gov.bcb.pix2558pix.example/qr/v2/3kTM5204000053039865802BR6304ABCD',
    },
  }),
  payment_received: define({
    title: 'pagamento recebido',
    ...NOTICE,
    subject: () => 'Pagamento recebido',
    text: ({ amountCents, paidOn, page }, { walletPage }) =>
      `Semana: recebemos ${reais(amountCents)} em ${shortDay(paidOn)}. Comprovante: ${walletPage(page)}`,
    link: ({ page }, { walletPage }) => walletPage(page),
    example: {
      amountCents: 5_110,
      paidOn: '2026-11-22',
      page: 'compras/3kTMd9vR2xYb7LqWn0PzAh/2',
    },
  }),
  extended: define({
    title: 'parcela prorrogada',
    ...NOTICE,
    subject: () => 'Novo vencimento',
    text: ({ number, dueOn, page }, { walletPage }) =>
      `Semana: a sua parcela ${number} agora vence em ${shortDay(dueOn)}. Veja: ${walletPage(page)}`,
    link: ({ page }, { walletPage }) => walletPage(page),
    example: { number: 2, dueOn: '2026-11-29', page: 'compras/3kTMd9vR2xYb7LqWn0PzAh/2' },
  }),
  returned: define({
    title: 'devolução',
    ...NOTICE,
    subject: () => 'Devolução registrada',
    text({ amountCents, refundedCents, isWhole, checkoutHash }, { walletPage }) {
      const what = isWhole
        ? 'a compra inteira foi devolvida'
        : `foram devolvidos ${reais(amountCents)} da compra`;
      const back = refundedCents > 0 ? ` Voltam para você ${reais(refundedCents)}.` : '';
      return `Semana: ${what}.${back} Veja: ${walletPage(`compras/${checkoutHash}`)}`;
    },
    link: ({ checkoutHash }, { walletPage }) => walletPage(`compras/${checkoutHash}`),
    example: {
      amountCents: 5_110,
      refundedCents: 0,
      isWhole: false,
      checkoutHash: '3kTMd9vR2xYb7LqWn0PzAh',
    },
  }),
  autopay_failed: define<AutopayFailedParts>({
    title: 'débito automático falhou',
    to: 'customer',
    isLegal: true,
    // A long weekend may lie between a failed debit and the next hour in which messages are allowed.
    lifeMs: 5 * DAY_MS,
    subject: ({ installmentId }) =>
      installmentId === null ? 'Débito automático encerrado' : 'Parcela não debitada',
    text(parts, writing) {
      const { installmentId, merchant, number, of, dueOn, owedCents, isLate, reason } = parts;
      const shop = shortName(merchant, 'uma loja');
      const link = writing.walletPage(pageOf(parts));
      if (installmentId === null)
        return (
          `Semana: o débito automático da compra em ${shop} terminou no seu banco. As parcelas que faltam são pagas por ` +
          `código Pix; a próxima, de ${reais(owedCents)}, ${isLate ? 'venceu' : 'vence'} em ${shortDay(dueOn)}: ${link}`
        );
      const what = `o banco não debitou a parcela ${number}/${of} de ${shop}, de ${shortDay(dueOn)}`;
      const why = reason === null ? '' : ` ${reason}`;
      const { name, cnpj } = writing.creditor;
      const lender = isLate ? `\nCredor: ${name}, CNPJ ${cnpj}.` : '';
      return (
        `Semana: ${what}.${why} Não será tentado de novo: pague ${reais(owedCents)} por Pix em ${link}` +
        `${pixLine(parts, writing)}${lender}`
      );
    },
    link: (parts, { walletPage }) => walletPage(pageOf(parts)),
    code: ({ pixCode }) => pixCode,
    example: {
      checkoutHash: '3kTMd9vR2xYb7LqWn0PzAh',
      installmentId: 'ins_01',
      reason: 'Não havia saldo na conta.',
      merchant: 'Padaria Flor do Trigo',
      number: 2,
      of: 4,
      dueOn: '2026-11-22',
      owedCents: 5_213,
      isLate: true,
      pixCode: '00020101021226800014br.gov.bcb.pix2558pix.example/qr/v2/3kTM5204000053039865802BR6304ABCD',
    },
  }),
  cashback_expiring: define({
    title: 'cashback a expirar',
    ...NOTICE,
    subject: () => 'Seu cashback vai expirar',
    text: ({ amountCents, expiresOn }, { walletPage }) =>
      `Semana: ${reais(amountCents)} de cashback valem só até ${shortDay(expiresOn)}. Use em uma parcela: ${walletPage('cashback')}`,
    link: (_, { walletPage }) => walletPage('cashback'),
    example: { amountCents: 1_020, expiresOn: '2026-11-29' },
  }),
  password_changed: define<Record<string, never>>({
    title: 'nova senha',
    ...SECURITY,
    subject: () => 'Nova senha',
    text: () => `Semana: a senha da sua conta foi trocada. ${NOT_YOU}`,
    example: {},
  }),
  phone_changed: define<{
    changeId: string;
    state: 'waiting' | 'done' | 'taken';
    newEnd: string;
    countsAt: string;
  }>({
    title: 'troca de telefone',
    ...SECURITY,
    subject: () => 'Troca de telefone',
    // Of the new phone only the end: whoever reads this may not be its owner.
    text({ state, newEnd, countsAt }) {
      if (state === 'done')
        return `Semana: o celular da sua conta agora é o de final ${newEnd}. Não foi você? Fale com a gente.`;
      if (state === 'taken')
        return `Semana: o celular da sua conta não mudou: o de final ${newEnd} já é de outra conta.`;
      const asked = `pediram para trocar o celular da sua conta pelo de final ${newEnd}`;
      const at = when.format(new Date(countsAt));
      return `Semana: ${asked}. Vale em ${at}. Não foi você? Entre na carteira e cancele.`;
    },
    example: { changeId: 'pch_01', state: 'waiting', newEnd: '4321', countsAt: '2026-11-16T12:00:00.000Z' },
  }),
  new_session: define({
    title: 'nova entrada na conta',
    ...SECURITY,
    subject: () => 'Entrada na sua conta',
    text: ({ at }) =>
      `Semana: entraram na sua conta de um lugar novo em ${when.format(new Date(at))}. ${NOT_YOU}`,
    example: { at: '2026-11-15T12:00:00.000Z' },
  }),
  credit_answer: define({
    title: 'resposta sobre o crédito',
    ...NOTICE,
    isLegal: true,
    subject: () => 'Seu pedido foi analisado',
    text: ({ isApproved }) =>
      isApproved
        ? 'Semana: uma pessoa analisou o seu pedido e aprovou. Veja na carteira.'
        : 'Semana: uma pessoa analisou o seu pedido e não aprovou. Veja o motivo na carteira.',
    example: { isApproved: true },
  }),
  payout_account_changed: define<{
    merchantId: number;
    merchant: string;
    keyEnd: string;
    countsAt: string | null;
  }>({
    title: 'conta de repasse trocada',
    to: 'owner',
    isLegal: true,
    lifeMs: 2 * DAY_MS,
    subject: () => 'Conta de repasse',
    // Of the key only the end: whoever reads this may not be an owner any more.
    text({ merchant, keyEnd, countsAt }) {
      const name = withoutLinks(merchant) || 'sua loja';
      if (countsAt === null)
        return `Semana: os repasses de ${name} agora vão para a chave Pix de final ${keyEnd}. Não foi você? Fale com a gente.`;
      const asked = `pediram para pagar os repasses de ${name} na chave Pix de final ${keyEnd}`;
      return `Semana: ${asked}. Vale em ${when.format(new Date(countsAt))}. Não foi você? Fale com a gente antes disso.`;
    },
    example: { merchantId: 1, merchant: 'Padaria Flor do Trigo', keyEnd: '4321', countsAt: null },
  }),
  payout_paid: define<{ merchant: string; amountCents: number; reference: string | null }>({
    title: 'repasse pago',
    to: 'owner',
    isLegal: false,
    lifeMs: 2 * DAY_MS,
    subject: () => 'Repasse pago',
    text({ merchant, amountCents, reference }) {
      const bank = reference === null ? '' : ` (${withoutLinks(reference)})`;
      return `Semana: ${shortName(merchant, 'a sua loja')} recebeu um repasse de ${reais(amountCents)}${bank}.`;
    },
    example: { merchant: 'Padaria Flor do Trigo', amountCents: 198_050, reference: 'TED 482913' },
  }),
} as const;

function linkOf({ items }: ReminderParts, { walletPage }: Writing): string {
  return walletPage(items.length === 1 ? items[0]!.page : '');
}

export type TemplateName = keyof typeof TEMPLATES;
export type PartsOf<N extends TemplateName> = (typeof TEMPLATES)[N]['example'];

export const isTemplate = (name: string): name is TemplateName => Object.hasOwn(TEMPLATES, name);
/** By a name from the database; untyped parts. */
export const templateOf = (name: TemplateName): Template<unknown> => TEMPLATES[name] as Template<unknown>;
