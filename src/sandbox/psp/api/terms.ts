import { parseReaisText } from '#core/money.ts';
import type { Terms } from '../store/charges.ts';
import { CNPJ, CPF, isLine, isPixKey } from './names.ts';
import { OBJECT_AGAINST_SCHEMA, Violations } from './problem.ts';

type Json = Record<string, unknown>;
type Payer = NonNullable<Terms['devedor']>;

const DEFAULT_EXPIRATION_SECONDS = 86_400;
const MAX_INT32 = 2 ** 31 - 1;

/**
 * Returns the terms, or throws everything that is wrong with them. Unknown fields are dropped. The check digits of a CPF are
 * not verified: most of the standard's own examples would fail.
 */
export function checkTerms(body: unknown, ownsKey: (key: string) => boolean): Terms {
  const wrong = new Violations('CobOperacaoInvalida');
  const asked = object(body) ?? {};
  const terms: Terms = {
    calendario: calendar(asked, wrong),
    valor: amounts(asked, wrong),
    chave: key(asked, wrong, ownsKey),
    ...payer(asked, wrong),
    ...messages(asked, wrong),
  };
  wrong.throwIfAny();
  return terms;
}

function calendar(asked: Json, wrong: Violations): Terms['calendario'] {
  const given = object(asked.calendario);
  if (!given) {
    wrong.add('calendario', OBJECT_AGAINST_SCHEMA);
    return { expiracao: DEFAULT_EXPIRATION_SECONDS };
  }
  const { expiracao = DEFAULT_EXPIRATION_SECONDS } = given;
  if (!isInt32(expiracao)) wrong.schema('calendario.expiracao', expiracao);
  else if (expiracao <= 0)
    wrong.add('calendario.expiracao', (name) => `O campo ${name} é igual ou menor que zero.`, expiracao);
  return { expiracao: expiracao as number };
}

function amounts(asked: Json, wrong: Violations): Terms['valor'] {
  const { original, modalidadeAlteracao, retirada } = object(asked.valor) ?? {};
  const cents = typeof original === 'string' ? parseReaisText(original) : null;
  // Zero is allowed if the payer may choose the amount.
  if (cents === null) wrong.schema('valor.original', original);
  else if (cents === 0 && modalidadeAlteracao !== 1)
    wrong.add('valor.original', (name) => `O campo ${name} é zero.`, original);
  if (modalidadeAlteracao !== undefined && modalidadeAlteracao !== 0 && modalidadeAlteracao !== 1)
    wrong.schema('valor.modalidadeAlteracao', modalidadeAlteracao);
  if (retirada !== undefined)
    wrong.add('valor.retirada', 'Pix Saque e Pix Troco não são oferecidos por este PSP.');
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

function payer({ devedor }: Json, wrong: Violations): { devedor?: Payer } {
  if (devedor === undefined || devedor === null) return {};
  const read = readPayer(devedor, 200);
  if (!read) wrong.add('devedor', OBJECT_AGAINST_SCHEMA);
  return read ? { devedor: read } : {};
}

/** null: without a name, or with other than one document. */
export function readPayer(value: unknown, longestName: number): Payer | null {
  const { cpf, cnpj, nome } = object(value) ?? {};
  if (!isLine(nome, 1, longestName)) return null;
  if (cnpj === undefined && isText(cpf, CPF)) return { cpf, nome };
  return cpf === undefined && isText(cnpj, CNPJ) ? { cnpj, nome } : null;
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
  if (!good) wrong.add('infoAdicionais', OBJECT_AGAINST_SCHEMA);
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
