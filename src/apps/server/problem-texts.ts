import { isProblem, type ProblemCode, type ProblemError } from '#client';
import { formatReais } from '../text/format.ts';
import type { FieldErrors } from './submitted-form.ts';
import { isUnreachable } from './transport.ts';

type Text = string | ((problem: ProblemError) => string);
/** A text without a field is about the whole form. */
type ProblemText = Text | { field: string; text: Text };

const formatAmount = (value: unknown) => (typeof value === 'number' ? formatReais(value) : 'outro valor');

/** Formats a wait, such as "40 segundos" or "3 minutos". An unknown wait is a minute. */
export function formatWait(ms: number | undefined): string {
  const seconds = Math.max(1, Math.ceil((ms ?? 60_000) / 1000));
  if (seconds < 90) return seconds === 1 ? '1 segundo' : `${seconds} segundos`;
  return `${Math.ceil(seconds / 60)} minutos`;
}

/** The pages' text for a problem code, and the field it belongs to. For other codes the pages show the service's own text. */
const PROBLEM_TEXTS: Partial<Record<ProblemCode, ProblemText>> = {
  login_locked: {
    field: 'password',
    text: ({ retryAfterMs }) =>
      `Muitas tentativas seguidas. Entre agora com um código ou espere ${formatWait(retryAfterMs)} para tentar a senha de novo.`,
  },
  otp_too_soon: ({ retryAfterMs }) =>
    `Um código acabou de ser enviado. Espere ${formatWait(retryAfterMs)} para pedir outro.`,
  phone_not_supported: {
    field: 'phone',
    text: 'Só enviamos códigos para celulares do Brasil, com DDD e o 9 na frente.',
  },
  rate_limited: ({ retryAfterMs }) =>
    `Muitas tentativas em pouco tempo. Espere ${formatWait(retryAfterMs)} e tente de novo.`,
  phone_registered: 'Este celular já tem conta. Entre com o código que acabou de receber.',
  cpf_registered: {
    field: 'cpf',
    text: 'Já existe uma conta com este CPF, em outro celular. Entre com aquele número ou, se ele mudou, fale com a gente.',
  },
  underage: { field: 'birth_date', text: 'É preciso ter 18 anos ou mais para criar uma conta.' },
  password_too_common: {
    field: 'password',
    text: 'Esta senha é fácil de adivinhar. Use duas ou três palavras que só você juntaria.',
  },
  referral_code_unknown: {
    field: 'referral_code',
    text: 'Não encontramos este convite. Confira o código ou deixe em branco.',
  },
  not_registered: {
    field: 'phone',
    text: 'Este celular ainda não tem conta. Crie a sua em dois minutos.',
  },
  code_wrong: { field: 'code', text: 'Código incorreto ou vencido. Confira os números ou peça outro.' },
  phone_taken: 'Este celular já é de outra conta.',
  no_phone_change: 'Não há troca de celular pendente.',
  amount_changed: ({ body }) =>
    `O valor mudou desde que você abriu esta página: agora são ${formatAmount(body.value)}. Nada foi cobrado. Confira e confirme de novo.`,
  charge_replaced:
    'Você pediu outro valor enquanto este código era gerado. Nada foi cobrado. Use o código mais novo ou gere outro.',
  penalty_due:
    'A parcela venceu e agora tem multa e juros. Nada foi cobrado. Confira abaixo o total de hoje.',
  installment_paid: 'Esta parcela já está paga. Não é preciso pagar de novo.',
  extension_limit: 'Esta parcela já foi prorrogada o máximo de vezes. Dá para pagar tudo ou uma parte.',
  nothing_to_charge: 'Não é preciso prorrogar: não há nada a cobrar. Pague a parcela.',
  too_many_charges:
    'Foram gerados códigos demais para esta parcela hoje. Pague um dos que já foram gerados ou volte amanhã.',
  psp_unavailable:
    'O banco que gera o PIX não respondeu. Nada foi cobrado. Espere um minuto e tente de novo.',
  value_out_of_range: { field: 'value', text: 'Escolha um valor entre o mínimo e o máximo indicados acima.' },
  value_required: { field: 'value', text: 'Escreva quanto quer pagar.' },
  no_cashback: { field: 'cashback', text: 'Você não tem cashback disponível agora.' },
  offer_expired: 'Esta oferta venceu. Nada foi cobrado. Se ainda quiser comprar, peça outra na loja.',
  offer_claimed:
    'Outra pessoa já começou a pagar esta compra. Se foi você com outro celular, entre com ele. Se não, peça outro código na loja.',
  too_many_attempts: ({ retryAfterMs }) =>
    `Muitos códigos errados em pouco tempo. Espere ${formatWait(retryAfterMs)} ou abra o link da loja.`,
  offer_closed: 'Esta oferta já foi respondida ou cancelada pela loja.',
  customer_overdue:
    'Você tem parcela atrasada. Assim que estiver tudo em dia, poderá aceitar esta oferta; ela continua valendo até o prazo.',
  credit_limit_exceeded: ({ body }) =>
    `Esta compra passa do seu limite: o disponível é ${formatAmount(body.available)}. Cada parcela paga libera limite, e a oferta continua valendo até o prazo.`,
  credit_review:
    'Uma pessoa vai analisar esta compra. A oferta continua valendo, e a resposta chega por mensagem: depois é só aceitar de novo.',
  nothing_offered: 'Esta oferta de limite não está mais disponível.',
  cashback_owed: ({ body }) =>
    `Parte do cashback que você usou foi cancelada, e faltam ${formatAmount(body.owed)}. Pagando em dia as parcelas em aberto, o cashback que você ganhar cobre a diferença, e você volta a comprar.`,
  customer_locked: 'Sua conta está bloqueada. Fale com a gente.',
  too_many_installments: { field: 'installments', text: 'A loja não oferece tantas semanas.' },
  // Without a range, the amount is too small for the number of installments, and the service's text says so.
  amount_out_of_range: ({ body, message }) =>
    body.min_amount === undefined
      ? message
      : `A loja vende de ${formatAmount(body.min_amount)} a ${formatAmount(body.max_amount)} por compra.`,
  amount_over_limit: ({ body }) => `Você vende até ${formatAmount(body.max)}. Chame quem responde pela loja.`,
  merchant_owes: 'A loja está devendo à Semana por devoluções. Assim que isso se acertar, volta a vender.',
  merchant_unlisted: 'A loja não está vendendo com a Semana no momento.',
  too_many_offers: 'Este celular já recebeu ofertas demais hoje. Mostre o QR code em vez de enviar.',
  reference_reused: {
    field: 'reference',
    text: 'Já existe uma venda com este número de pedido. Confira, ou use outro.',
  },
  role_missing: 'Isto é só para quem responde pela loja.',
  last_owner: 'É a única pessoa responsável pela loja. Torne outra responsável primeiro.',
  member_exists: { field: 'phone', text: 'Este celular já faz parte da equipe.' },
  checkout_returned: 'Esta venda já foi devolvida por inteiro.',
  return_waiting: 'Uma devolução desta venda já espera a confirmação da Semana.',
  own_merchant: 'Quem trabalha na loja não compra nela com a Semana.',
  not_found: 'Não encontramos o que você pediu nesta conta.',
  unavailable: 'Estamos fora do ar no momento. Nada se perdeu: espere um minuto e tente de novo.',
};

export const INVALID_DATE_TEXT = 'Esta data não existe. Confira o dia e o mês.';

const INVALID_FIELD_TEXTS: Record<string, string> = {
  phone: 'Confira o celular, com DDD: (11)\u00a098765-0001.',
  password: 'A senha precisa ter de 8 a 200 caracteres.',
  code: 'O código tem 6 números.',
  name: 'Escreva nome e sobrenome, como no documento.',
  cpf: 'CPF inválido. Confira os números.',
  birth_date: 'Escreva a data assim: 31/05/1990.',
  email: 'E-mail incompleto. Exemplo: nome@exemplo.com.br.',
  referral_code: 'Confira o código do convite ou deixe em branco.',
  value: 'Escreva o valor assim: 20 ou 20,00.',
};

const UNAVAILABLE_TEXT = 'O sistema não respondeu. Nada se perdeu: espere um minuto e tente de novo.';

/** `formTexts` replaces the texts of some codes for one form. */
export function toFieldErrors(
  error: unknown,
  formTexts: Partial<Record<ProblemCode, ProblemText>> = {},
): FieldErrors {
  if (isUnreachable(error)) return { form: UNAVAILABLE_TEXT };
  if (!isProblem(error))
    return { form: 'Algo deu errado do nosso lado. Nada foi cobrado. Tente de novo daqui a pouco.' };
  const code = error.code as ProblemCode;
  const problemText = formTexts[code] ?? PROBLEM_TEXTS[code];
  if (problemText) {
    const { field, text } =
      typeof problemText === 'object' ? problemText : { field: 'form', text: problemText };
    return { [field]: typeof text === 'string' ? text : text(error) };
  }
  const fieldErrors: FieldErrors = {};
  for (const { pointer, message } of error.errors) {
    const name = pointer.slice(1);
    const text = INVALID_FIELD_TEXTS[name];
    if (text) fieldErrors[name] = text;
    else fieldErrors.form = message;
  }
  if (Object.keys(fieldErrors).length > 0) return fieldErrors;
  return { form: error.status >= 500 ? UNAVAILABLE_TEXT : error.message };
}

/** Returns the text for a field that is missing or invalid, before the service is called. */
export const getInvalidFieldText = (name: string): string => INVALID_FIELD_TEXTS[name] ?? 'Falta preencher.';
