import { daysBetween, parseDay, saoPauloDay } from '#core/day.ts';
import { parseReaisText } from '#core/money.ts';
import type { Kind, Person, Terms } from '../charge-terms.ts';
import { checkDueDateAmounts } from './due-date-amounts.ts';
import { isLine, isPixKey } from './names.ts';
import { Violations } from './problem.ts';

export type { Terms };

type Json = Record<string, unknown>;

const DEFAULT_EXPIRATION_SECONDS = 86_400;
const DEFAULT_VALIDITY_DAYS = 30;
const MAX_INT32 = 2 ** 31 - 1;
/** A hundred years, to the due day and again after it: the calendar this bank reckons with has an end. */
const MOST_DAYS = 36_500;

type TermsContext = { kind: Kind; now: Date; ownsKey: (key: string) => boolean };

/**
 * The terms, or everything that is wrong with them. Fields nobody knows are dropped. The digits of a CPF are counted but
 * not checked: most of the standard's own examples would fail.
 */
export function checkTerms(body: unknown, { kind, now, ownsKey }: TermsContext): Terms {
  const wrong = new Violations(kind);
  const asked = object(body) ?? {};
  const terms: Terms = {
    calendario: kind === 'cob' ? immediateCalendar(asked, wrong) : dueDateCalendar(asked, wrong, now),
    valor: amounts(asked, kind, wrong),
    chave: key(asked, wrong, ownsKey),
    ...payer(asked, kind, wrong),
    ...messages(asked, wrong),
  };
  if (kind === 'cobv') checkDueDateAmounts(terms, wrong);
  wrong.throwIfAny(kind === 'cob' ? 'CobOperacaoInvalida' : 'CobVOperacaoInvalida');
  return terms;
}

function immediateCalendar(asked: Json, wrong: Violations): Terms['calendario'] {
  const calendar = object(asked.calendario);
  if (!calendar) {
    wrong.add('calendario', (name) => `O objeto ${name} não respeita o _schema_.`);
    return {};
  }
  const { expiracao = DEFAULT_EXPIRATION_SECONDS } = calendar;
  if (!isInt32(expiracao)) wrong.schema('calendario.expiracao', expiracao);
  else if (expiracao <= 0)
    wrong.add('calendario.expiracao', (name) => `O campo ${name} é igual ou menor que zero.`, expiracao);
  return { expiracao: expiracao as number };
}

function dueDateCalendar(asked: Json, wrong: Violations, now: Date): Terms['calendario'] {
  const { dataDeVencimento, validadeAposVencimento = DEFAULT_VALIDITY_DAYS } = object(asked.calendario) ?? {};
  const today = saoPauloDay(now.getTime());
  const due = parseDay(dataDeVencimento);
  if (due === null || daysBetween(today, due) > MOST_DAYS)
    wrong.schema('calendario.dataDeVencimento', dataDeVencimento);
  else if (due < today)
    wrong.add(
      'calendario.dataDeVencimento',
      (name) => `O campo ${name} é anterior à data de criação da cobrança.`,
      due,
    );
  if (!isInt32(validadeAposVencimento) || validadeAposVencimento > MOST_DAYS)
    wrong.schema('calendario.validadeAposVencimento', validadeAposVencimento);
  else if (validadeAposVencimento < 0)
    wrong.add(
      'calendario.validadeAposVencimento',
      (name) => `O campo ${name} é menor do que zero.`,
      validadeAposVencimento,
    );
  return {
    dataDeVencimento: due ?? '',
    validadeAposVencimento: validadeAposVencimento as number,
  };
}

function amounts(asked: Json, kind: Kind, wrong: Violations): Terms['valor'] {
  const { original, modalidadeAlteracao, multa, juros, abatimento, desconto, retirada } =
    object(asked.valor) ?? {};
  const cents = typeof original === 'string' ? parseReaisText(original) : null;
  // A payer who may choose the amount may be offered zero.
  if (cents === null) wrong.schema('valor.original', original);
  else if (cents === 0 && !(kind === 'cob' && modalidadeAlteracao === 1))
    wrong.add('valor.original', (name) => `O campo ${name} é zero.`, original);
  if (kind === 'cobv') {
    const given = { multa, juros, abatimento, desconto } as Partial<Terms['valor']>;
    const present = Object.entries(given).filter(([, value]) => value !== undefined && value !== null);
    return { original: String(original), ...Object.fromEntries(present) };
  }
  if (modalidadeAlteracao !== undefined && modalidadeAlteracao !== 0 && modalidadeAlteracao !== 1)
    wrong.schema('valor.modalidadeAlteracao', modalidadeAlteracao);
  if (retirada !== undefined)
    wrong.add('valor.retirada', () => 'Pix Saque e Pix Troco não são oferecidos por este PSP.');
  return {
    original: String(original),
    ...(modalidadeAlteracao !== undefined && { modalidadeAlteracao: modalidadeAlteracao as number }),
  };
}

function key(asked: Json, wrong: Violations, ownsKey: (key: string) => boolean): string {
  const { chave } = asked;
  if (!isPixKey(chave)) wrong.schema('chave', chave);
  else if (!ownsKey(chave))
    wrong.add(
      'chave',
      (name) => `O campo ${name} corresponde a uma conta que não pertence a este usuário recebedor.`,
      chave,
    );
  return String(chave);
}

const ADDRESS_LENGTHS: Record<string, number> = { email: 77, logradouro: 200, cidade: 200, uf: 2, cep: 8 };

function payer(asked: Json, kind: Kind, wrong: Violations): { devedor?: Person } {
  if ((asked.devedor === undefined || asked.devedor === null) && kind === 'cob') return {};
  const person = object(asked.devedor) ?? {};
  const { cpf, cnpj, nome } = person;
  const documented =
    (cpf !== undefined) !== (cnpj !== undefined) &&
    (cpf === undefined || isText(cpf, /^\d{11}$/)) &&
    (cnpj === undefined || isText(cnpj, /^[0-9A-Z]{14}$/));
  const named = isLine(nome, 1, 200);
  const addresses = Object.entries(kind === 'cobv' ? ADDRESS_LENGTHS : {}).flatMap(([name, most]) => {
    const value = person[name];
    if (value === undefined) return [];
    return [[name, value, isLine(value, 0, most)] as const];
  });
  if (!documented || !named || addresses.some(([, , good]) => !good))
    wrong.add('devedor', (name) => `O objeto ${name} não respeita o _schema_.`);
  const devedor = {
    ...(cpf !== undefined && { cpf }),
    ...(cnpj !== undefined && { cnpj }),
    nome,
    ...Object.fromEntries(addresses.map(([name, value]) => [name, value])),
  };
  return { devedor: devedor as Person };
}

function messages(asked: Json, wrong: Violations): Pick<Terms, 'solicitacaoPagador' | 'infoAdicionais'> {
  const { solicitacaoPagador, infoAdicionais } = asked;
  if (solicitacaoPagador !== undefined && !isLine(solicitacaoPagador, 0, 140))
    wrong.schema('solicitacaoPagador', solicitacaoPagador);
  const lines = infoAdicionais === undefined ? [] : infoAdicionais;
  const good =
    Array.isArray(lines) &&
    lines.length <= 50 &&
    lines.every((line) => isLine(line?.nome, 1, 50) && isLine(line?.valor, 1, 200));
  if (!good) wrong.add('infoAdicionais', (name) => `O objeto ${name} não respeita o _schema_.`);
  return {
    ...(solicitacaoPagador !== undefined && { solicitacaoPagador: String(solicitacaoPagador) }),
    ...(good && lines.length > 0 && { infoAdicionais: lines.map(({ nome, valor }) => ({ nome, valor })) }),
  };
}

export function object(value: unknown): Json | null {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Json) : null;
}

function isInt32(value: unknown): value is number {
  return Number.isInteger(value) && Math.abs(value as number) <= MAX_INT32;
}

function isText(value: unknown, form: RegExp): value is string {
  return typeof value === 'string' && form.test(value);
}
