import { isProblem } from '#client';
import { formatWait } from '../server/problem-texts.ts';
import { FieldError, type FieldErrors } from '../server/submitted-form.ts';
import { isUnreachable } from '../server/transport.ts';
import { getFieldLabel } from './field-labels.ts';
import { ROLE_LABELS } from './labels.ts';

/**
 * Turns an error into texts for a form with these fields. The staff API already answers in Portuguese. An error about a field of
 * the form is shown beside it, every other error above the form.
 */
export function toOfficeFieldErrors(error: unknown, fields: readonly string[] = []): FieldErrors {
  if (isUnreachable(error)) return { form: 'O sistema não respondeu. Nada foi feito. Tente de novo.' };
  if (error instanceof FieldError) return { [error.field]: error.message };
  if (!isProblem(error)) return { form: 'Algo deu errado do nosso lado. Tente de novo daqui a pouco.' };
  if (error.retryAfterMs !== undefined && error.status === 429)
    return { form: `Muitas tentativas. Espere ${formatWait(error.retryAfterMs)} e tente de novo.` };
  const fieldErrors: FieldErrors = {};
  for (const { pointer, message } of error.errors) {
    const name = pointer.slice(1);
    if (fields.includes(name)) fieldErrors[name] = toScreenText(message);
    else fieldErrors.form = `${getPointerLabel(name)}: ${toScreenText(message)}`;
  }
  return Object.keys(fieldErrors).length > 0 ? fieldErrors : { form: translateRoles(error.message) };
}

/** Texts of the API that name values, patterns and parameters of the API, and what a screen says instead. */
const SCREEN_TEXTS: ReadonlyArray<[pattern: RegExp, text: string]> = [
  [/deve ser um destes: .*/, 'não é uma das opções'],
  [/deve seguir o padrão .*/, 'não está no formato esperado'],
  [/não é um campo conhecido.*/, 'não existe'],
  [/passa de (\d+) linhas: .*/, 'passa de $1 linhas: use filtros'],
];

export const toScreenText = (text: string): string =>
  SCREEN_TEXTS.reduce((result, [pattern, replacement]) => result.replace(pattern, replacement), text);

/** Returns the label of the field that a pointer such as policy/rules/age or events/1 names. */
function getPointerLabel(pointer: string): string {
  const field = pointer.split('/').findLast((segment) => !/^\d+$/.test(segment)) ?? pointer;
  return getFieldLabel(field);
}

/** Replaces quoted role names in a text of the staff API with the labels that the office uses. */
export const translateRoles = (text: string): string =>
  text.replace(/'(\w+)'/g, (quoted, role: string) => ROLE_LABELS[role as keyof typeof ROLE_LABELS] ?? quoted);

export const isSessionEnded = (error: unknown): boolean =>
  isProblem(error) && ['session_ended', 'second_factor_missing', 'api_key_missing'].includes(error.code);
