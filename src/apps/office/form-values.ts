import { type Day, startOfDay } from '#core/values/day.ts';
import { HOUR_MS, MINUTE_MS } from '#core/values/duration.ts';
import { FieldError, type SubmittedForm } from '../server/submitted-form.ts';

/** The text of each of these fields. */
export const pickFields = <Name extends string>(form: SubmittedForm, ...names: Name[]) =>
  Object.fromEntries(names.map((name) => [name, form.text(name)])) as Record<Name, string>;

/** Like `pickFields`, without empty fields. */
export const pickFilledFields = <Name extends string>(
  form: SubmittedForm,
  ...names: Name[]
): Partial<Record<Name, string>> => pickFields(form, ...names.filter((name) => form.text(name)));

/** Parses an amount in reais: 1.234,56 or 1234.56. Returns NaN for a blank or invalid amount. */
export function parseAmount(text = ''): number {
  const digits = text.trim().replace(/^R\$\s*/, '');
  if (digits === '') return Number.NaN;
  return Number(/^-?\d+\.\d{1,2}$/.test(digits) ? digits : digits.replaceAll('.', '').replace(',', '.'));
}

/** Like `parseAmount`, but a blank or invalid amount is an error of this field: the service would take it for a missing one. */
export function requireAmount(field: string, text: string | undefined): number {
  const amount = parseAmount(text);
  if (Number.isNaN(amount)) throw new FieldError(field, 'Informe um número, como 1.234,56.');
  return amount;
}
export const readAmount = (form: SubmittedForm, name: string): number => requireAmount(name, form.text(name));

/** Reads words that are separated by line breaks, spaces or commas. */
export const readWords = (form: SubmittedForm, name: string): string[] =>
  form
    .text(name)
    .split(/[\s,]+/)
    .filter(Boolean);

/** Reads a local time of São Paulo. Returns null if the field is empty. */
export function readInstant(form: SubmittedForm, name: string): string | null {
  const [day = '', time = ''] = form.text(name).split('T');
  if (!day) return null;
  const [hours = 0, minutes = 0] = time.split(':').map(Number);
  return new Date(startOfDay(day as Day) + hours * HOUR_MS + minutes * MINUTE_MS).toISOString();
}
