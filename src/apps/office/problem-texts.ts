import { isProblem } from '#client';
import { formatWait } from '../server/problem-texts.ts';
import { FieldError, type FieldErrors } from '../server/submitted-form.ts';
import { isUnreachable } from '../server/transport.ts';
import { findFieldLabel } from './field-labels.ts';
import { QUOTED_VALUE_LABELS } from './labels.ts';

/**
 * Turns an error into texts for a form with these fields. The staff API already responds in Portuguese. An error about a field of
 * the form is shown beside that field, every other error (`form`) above the form.
 */
export function toOfficeFieldErrors(error: unknown, fields: readonly string[] = []): FieldErrors {
  if (isUnreachable(error)) return { form: 'O sistema não respondeu. Nada foi feito. Tente de novo.' };
  if (error instanceof FieldError) return { [error.field]: error.message };
  if (!isProblem(error)) return { form: 'Algo deu errado do nosso lado. Tente de novo daqui a pouco.' };
  if (error.retryAfterMs !== undefined && error.status === 429)
    return { form: `Muitas tentativas. Espere ${formatWait(error.retryAfterMs)} e tente de novo.` };
  const fieldErrors: FieldErrors = {};
  for (const { pointer, message } of error.errors) {
    // The field can be the whole pointer (`owner/name`) or one of its parts, preferably the innermost.
    const names = [pointer.slice(1), ...pointer.split('/').toReversed()];
    const field = names.find((name) => fields.includes(name));
    const label = names.map(findFieldLabel).find((text) => text !== undefined);
    if (field) fieldErrors[field] = toScreenText(message);
    else fieldErrors.form = label ? `${label}: ${toScreenText(message)}` : toScreenText(message);
  }
  return Object.keys(fieldErrors).length > 0 ? fieldErrors : { form: translateValues(error.message) };
}

/** Texts of the API that name values, patterns and parameters of the API, and what a screen says instead. */
const SCREEN_TEXTS: ReadonlyArray<[pattern: RegExp, text: string]> = [
  [/deve ser um destes: .*/, 'não é uma das opções'],
  [/deve seguir o padrão .*/, 'não está no formato esperado'],
  [/não é um campo conhecido.*/, 'não existe'],
  [/passa de (\d+) linhas: .*/, 'passa de $1 linhas: use filtros'],
  // Quotes a name at the start, which `translateValues` then replaces.
  [/^([a-z_]+)(?=: )/, "'$1'"],
];

export const toScreenText = (text: string): string =>
  translateValues(
    SCREEN_TEXTS.reduce((result, [pattern, replacement]) => result.replace(pattern, replacement), text),
  );

/** Replaces quoted names of roles, values and fields of the API with the labels that the office uses. */
export const translateValues = (text: string): string =>
  text.replace(
    /'([a-z_]+)'/g,
    (quoted, name: string) => QUOTED_VALUE_LABELS[name] ?? findFieldLabel(name) ?? quoted,
  );

export const isSessionEnded = (error: unknown): boolean =>
  isProblem(error) && ['session_ended', 'second_factor_missing', 'api_key_missing'].includes(error.code);
