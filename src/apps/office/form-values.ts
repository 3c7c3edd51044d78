import { type Day, startOfDay } from '#core/values/day.ts';
import { HOUR_MS, MINUTE_MS } from '#core/values/duration.ts';
import { type BodyField, getBodyFields, getMethod, type OperationId } from '#staff-client';
import { FieldError, type SubmittedForm } from '../server/submitted-form.ts';
import { parsePhone } from '../text/format.ts';

/** Picks the texts of these fields. */
export const pickFields = <Name extends string>(form: SubmittedForm, ...names: Name[]) =>
  Object.fromEntries(names.map((name) => [name, form.readText(name)])) as Record<Name, string>;

/** Like `pickFields`, without empty fields. */
export const pickFilledFields = <Name extends string>(
  form: SubmittedForm,
  ...names: Name[]
): Partial<Record<Name, string>> => pickFields(form, ...names.filter((name) => form.readText(name)));

/** Parses a number or an amount in reais: 1.234,56, 1234.56 or R$ 10. Returns NaN for a blank or invalid text. */
export function parseDecimal(text = ''): number {
  const input = text.trim().replace(/^R\$\s*/, '');
  if (input === '') return Number.NaN;
  return Number(/^-?\d+\.\d{1,2}$/.test(input) ? input : input.replaceAll('.', '').replace(',', '.'));
}

/** Like `parseDecimal`, but throws for a blank or invalid text. JSON would send NaN as null, which the service treats as omitted. */
export function requireDecimal(field: string, text: string | undefined): number {
  const number = parseDecimal(text);
  if (Number.isNaN(number)) throw createNumberError(field);
  return number;
}
const createNumberError = (field: string) => new FieldError(field, 'Informe um número, como 1.234,56.');

export const readDecimal = (form: SubmittedForm, name: string): number =>
  requireDecimal(name, form.readText(name));

/** Reads a local time of São Paulo, such as `2026-11-19T14:30`, as an instant in UTC. Returns null if the field is empty. */
export function readInstant(form: SubmittedForm, name: string): string | null {
  const [day = '', time = ''] = form.readText(name).split('T');
  if (!day) return null;
  const [hours = 0, minutes = 0] = time.split(':').map(Number);
  return new Date(startOfDay(day as Day) + hours * HOUR_MS + minutes * MINUTE_MS).toISOString();
}

/**
 * Returns the value to send for a blank field, or undefined if the body must omit it. A `fieldPath` such as `plan/max_amount` is a field of
 * an inner object. An update clears an optional field by sending it empty, except the reason, which is not part of the record. Throws for a
 * number that cannot be empty.
 */
function getBlankValue(fieldPath: string, field: BodyField, { isUpdate }: { isUpdate: boolean }) {
  if (field.nullable) return null;
  if (field.optional && (!isUpdate || fieldPath === 'reason')) return undefined;
  if (field.type === 'number' || field.type === 'amount') throw createNumberError(fieldPath);
  return field.type === 'list' ? [] : '';
}

/** Readers by the type of the field. */
const VALUE_READERS: Record<BodyField['type'], (form: SubmittedForm, fieldPath: string) => unknown> = {
  text: (form, fieldPath) => form.readText(fieldPath),
  number: readDecimal,
  amount: readDecimal,
  boolean: (form, fieldPath) => form.readText(fieldPath) === 'true',
  instant: readInstant,
  phone: (form, fieldPath) => parsePhone(form.readText(fieldPath)),
  // The items are separated by commas or line breaks.
  list: (form, fieldPath) =>
    form
      .readText(fieldPath)
      .split(/[,\n]/)
      .map((item) => item.trim())
      .filter(Boolean),
};

/** Builds the body of an operation from the fields of its schema that the form has. */
export function readBody(operation: OperationId, form: SubmittedForm): Record<string, unknown> {
  const body: Record<string, unknown> = {};
  for (const [fieldPath, field] of Object.entries(getBodyFields(operation))) {
    if (form.readAllValues(fieldPath).length === 0) continue;
    const value =
      form.readText(fieldPath) === ''
        ? getBlankValue(fieldPath, field, { isUpdate: getMethod(operation) === 'PATCH' })
        : VALUE_READERS[field.type](form, fieldPath);
    if (value === undefined) continue;
    const [name = '', innerName] = fieldPath.split('/');
    body[name] = innerName === undefined ? value : { ...(body[name] as object), [innerName]: value };
  }
  return body;
}
