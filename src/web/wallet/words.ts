import { ConnectionError, isProblem, type ProblemCode, type ProblemError } from '#client';
import { inReais } from '../site/format.ts';
import type { Faults } from './visit.ts';

type Said = { field?: string; text: string | ((problem: ProblemError) => string) };

const reais = (value: unknown) => (typeof value === 'number' ? inReais(value) : 'outro valor');

/** "40 segundos", "3 minutos" */
export function wait(ms: number | undefined): string {
  const seconds = Math.max(1, Math.ceil((ms ?? 60_000) / 1000));
  if (seconds < 90) return seconds === 1 ? '1 segundo' : `${seconds} segundos`;
  return `${Math.ceil(seconds / 60)} minutos`;
}

/** What the pages say where the service refuses, and beside which field. Anything else is said in the service's own words. */
const WORDS: Partial<Record<ProblemCode, Said>> = {
  login_locked: {
    field: 'password',
    text: ({ retryAfterMs }) =>
      `Foram muitas tentativas. Entre com um código agora, ou espere ${wait(retryAfterMs)} para tentar a senha de novo.`,
  },
  otp_too_soon: {
    text: ({ retryAfterMs }) =>
      `Um código acabou de ser enviado. Espere ${wait(retryAfterMs)} para pedir outro.`,
  },
  phone_not_supported: {
    field: 'phone',
    text: 'Só enviamos códigos para celulares do Brasil, com DDD e o 9 na frente.',
  },
  rate_limited: {
    text: ({ retryAfterMs }) =>
      `Foram muitos pedidos seguidos. Espere ${wait(retryAfterMs)} e tente de novo.`,
  },
  phone_registered: { text: 'Este celular já tem conta. Entre com o código que acabou de receber.' },
  cpf_registered: {
    field: 'cpf',
    text: 'Este CPF já tem conta, com outro celular. Entre com ele, ou fale com a gente se o número mudou.',
  },
  underage: { field: 'birth_date', text: 'A conta é para quem já fez 18 anos.' },
  password_too_common: {
    field: 'password',
    text: 'Esta senha é fácil de adivinhar. Junte duas ou três palavras que só você ligaria.',
  },
  referral_code_unknown: {
    field: 'referral_code',
    text: 'Este convite não existe. Confira as letras, ou deixe em branco.',
  },
  not_registered: {
    field: 'phone',
    text: 'Este celular ainda não tem conta. Crie a sua, leva dois minutos.',
  },
  amount_changed: {
    text: ({ body }) =>
      `O valor mudou desde que você abriu esta página: agora são ${reais(body.value)}. Nada foi cobrado. Confira e confirme de novo.`,
  },
  charge_replaced: {
    text: 'Enquanto este código era gerado, você pediu outro valor. Nada foi cobrado. Use o código mais novo, ou peça de novo.',
  },
  penalty_due: {
    text: 'A parcela venceu, e agora há multa e juros. O total de hoje está abaixo. Nada foi cobrado.',
  },
  installment_paid: { text: 'Esta parcela já está paga. Não é preciso pagar de novo.' },
  extension_limit: {
    text: 'Esta parcela já foi prorrogada o máximo de vezes. Dá para pagar tudo ou uma parte.',
  },
  nothing_to_charge: { text: 'Não há o que cobrar por isso. Pague a parcela.' },
  too_many_charges: {
    text: 'Foram gerados códigos demais para esta parcela hoje. Pague um dos que já existem, ou volte amanhã.',
  },
  psp_unavailable: {
    text: 'O banco que gera o PIX não respondeu. Nada foi cobrado. Espere um minuto e tente de novo.',
  },
  value_out_of_range: { field: 'value', text: 'Escolha um valor dentro do que aparece acima do campo.' },
  value_required: { field: 'value', text: 'Escreva quanto quer pagar.' },
  no_cashback: { field: 'cashback', text: 'Você não tem cashback disponível agora.' },
  offer_expired: { text: 'Esta oferta venceu. Peça outra na loja: nada foi cobrado.' },
  offer_closed: { text: 'Esta oferta já foi respondida ou retirada pela loja.' },
  customer_overdue: {
    text: 'Há parcela atrasada. Assim que tudo estiver em dia, você pode aceitar esta oferta, que continua esperando.',
  },
  credit_limit_exceeded: {
    text: ({ body }) =>
      `A compra passa do seu limite: há ${reais(body.available)} livres. Pagar parcelas libera limite, e a oferta continua esperando.`,
  },
  customer_locked: { text: 'A sua conta está bloqueada. Fale com a gente.' },
  too_many_installments: { field: 'installments', text: 'A loja não oferece tantas semanas.' },
  not_found: { text: 'Isto não existe mais, ou não é desta conta.' },
  unavailable: {
    text: 'Estamos fora do ar por um instante. Nada se perdeu: espere um minuto e tente de novo.',
  },
};

/** What is said of a field that is not well-formed. */
const FIELDS: Record<string, string> = {
  phone: 'Confira o celular, com DDD: (11)\u00a098765-0001.',
  password: 'A senha tem de 8 a 200 letras, números ou sinais.',
  code: 'O código tem seis números.',
  name: 'Escreva o seu nome completo.',
  cpf: 'Confira o CPF: os números não fecham.',
  birth_date: 'Escreva a data assim: 31/05/1990.',
  email: 'Confira o e-mail: falta alguma parte, como em nome@exemplo.com.br.',
  referral_code: 'Confira o convite, ou deixe em branco.',
  value: 'Escreva o valor assim: 20 ou 20,00.',
};

const AWAY = 'Não conseguimos falar com o sistema agora. Nada se perdeu: espere um minuto e tente de novo.';

/** `own`: what a form says of some codes in its own way. */
export function faultOf(error: unknown, own: Partial<Record<ProblemCode, Said>> = {}): Faults {
  if (error instanceof ConnectionError) return { form: AWAY };
  if (!isProblem(error))
    return { form: 'Algo deu errado do nosso lado. Nada foi cobrado. Tente de novo daqui a pouco.' };
  const said = own[error.code as ProblemCode] ?? WORDS[error.code as ProblemCode];
  if (said) {
    const text = typeof said.text === 'string' ? said.text : said.text(error);
    return { [said.field ?? 'form']: text };
  }
  const faults: Faults = {};
  for (const { pointer, message } of error.errors) {
    const name = pointer.slice(1);
    faults[name in FIELDS ? name : 'form'] = FIELDS[name] ?? message;
  }
  if (Object.keys(faults).length > 0) return faults;
  return { form: error.status >= 500 ? AWAY : error.message };
}

/** Of what is missing before the service is even asked. */
export const missing = (name: string): string => FIELDS[name] ?? 'Falta preencher.';
