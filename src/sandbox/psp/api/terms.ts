import { parseReaisText } from '#core/values/money.ts';
import type { Terms } from '../store/charges.ts';
import { CNPJ_PATTERN, CPF_PATTERN, isLineOfLength, isPixKey } from './list-query.ts';
import { OBJECT_INVALID, Violations } from './protocol.ts';

type Json = Record<string, unknown>;
type Payer = NonNullable<Terms['devedor']>;

const DEFAULT_EXPIRATION_SECONDS = 86_400;
const MAX_INT32 = 2 ** 31 - 1;

/**
 * Returns the terms, or throws all their violations. Unknown fields are dropped. The check digits of a CPF are not verified,
 * because most examples of the standard are invalid.
 */
export function parseTerms(body: unknown, ownsKey: (key: string) => boolean): Terms {
  const violations = new Violations('CobOperacaoInvalida');
  const input = asObject(body) ?? {};
  const terms: Terms = {
    calendario: parseCalendar(input, violations),
    valor: parseAmounts(input, violations),
    chave: parseKey(input, violations, ownsKey),
    ...parseOptionalPayer(input, violations),
    ...parsePayerTexts(input, violations),
  };
  violations.throwIfAny();
  return terms;
}

function parseCalendar(input: Json, violations: Violations): Terms['calendario'] {
  const calendar = asObject(input.calendario);
  if (!calendar) {
    violations.add('calendario', OBJECT_INVALID);
    return { expiracao: DEFAULT_EXPIRATION_SECONDS };
  }
  const { expiracao = DEFAULT_EXPIRATION_SECONDS } = calendar;
  if (!isInt32(expiracao)) violations.addInvalidField('calendario.expiracao', expiracao);
  else if (expiracao <= 0)
    violations.add('calendario.expiracao', (name) => `O campo ${name} é igual ou menor que zero.`, expiracao);
  return { expiracao: expiracao as number };
}

function parseAmounts(input: Json, violations: Violations): Terms['valor'] {
  const { original, modalidadeAlteracao, retirada } = asObject(input.valor) ?? {};
  const cents = typeof original === 'string' ? parseReaisText(original) : null;
  // Zero is allowed if the payer chooses the amount.
  if (cents === null) violations.addInvalidField('valor.original', original);
  else if (cents === 0 && modalidadeAlteracao !== 1)
    violations.add('valor.original', (name) => `O campo ${name} é zero.`, original);
  if (modalidadeAlteracao !== undefined && modalidadeAlteracao !== 0 && modalidadeAlteracao !== 1)
    violations.addInvalidField('valor.modalidadeAlteracao', modalidadeAlteracao);
  if (retirada !== undefined)
    violations.add('valor.retirada', 'Pix Saque e Pix Troco não são oferecidos por este PSP.');
  return {
    original: String(original),
    ...(modalidadeAlteracao !== undefined && { modalidadeAlteracao: modalidadeAlteracao as number }),
  };
}

function parseKey(input: Json, violations: Violations, ownsKey: (key: string) => boolean): string {
  const { chave } = input;
  if (!isPixKey(chave)) violations.addInvalidField('chave', chave);
  else if (!ownsKey(chave))
    violations.add(
      'chave',
      (name) => `O campo ${name} corresponde a uma conta que não pertence a este usuário recebedor.`,
      chave,
    );
  return String(chave);
}

function parseOptionalPayer({ devedor }: Json, violations: Violations): { devedor?: Payer } {
  if (devedor === undefined || devedor === null) return {};
  const payer = parsePayer(devedor, { maxNameLength: 200 });
  if (!payer) violations.add('devedor', OBJECT_INVALID);
  return payer ? { devedor: payer } : {};
}

export function parsePayer(value: unknown, { maxNameLength }: { maxNameLength: number }): Payer | null {
  const { cpf, cnpj, nome } = asObject(value) ?? {};
  if (!isLineOfLength(nome, 1, maxNameLength)) return null;
  if (cnpj === undefined && isText(cpf, CPF_PATTERN)) return { cpf, nome };
  return cpf === undefined && isText(cnpj, CNPJ_PATTERN) ? { cnpj, nome } : null;
}

function parsePayerTexts(input: Json, violations: Violations) {
  const { solicitacaoPagador, infoAdicionais } = input;
  if (solicitacaoPagador !== undefined && !isLineOfLength(solicitacaoPagador, 0, 140))
    violations.addInvalidField('solicitacaoPagador', solicitacaoPagador);
  const items = infoAdicionais === undefined ? [] : infoAdicionais;
  const isValid =
    Array.isArray(items) &&
    items.length <= 50 &&
    items.every((item) => isLineOfLength(item?.nome, 1, 50) && isLineOfLength(item?.valor, 1, 200));
  if (!isValid) violations.add('infoAdicionais', OBJECT_INVALID);
  return {
    ...(solicitacaoPagador !== undefined && { solicitacaoPagador: String(solicitacaoPagador) }),
    ...(isValid && items.length > 0 && { infoAdicionais: items.map(({ nome, valor }) => ({ nome, valor })) }),
  };
}

export const asObject = (value: unknown): Json | null =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Json) : null;

const isInt32 = (value: unknown): value is number =>
  Number.isInteger(value) && Math.abs(value as number) <= MAX_INT32;

const isText = (value: unknown, pattern: RegExp): value is string =>
  typeof value === 'string' && pattern.test(value);
