import type { Bilingual } from '#core/values/bilingual.ts';
import { defineService } from '#platform/service.ts';
import { type Field, type FieldViolation, InvalidField } from './fields.ts';
import type { ImportKind } from './kinds.ts';
import type { Columns } from './read-records.ts';

const UNKNOWN_FIELD: Bilingual = { en: 'is not a known field', pt: 'não é um campo conhecido' };

export type CheckResult = { value: Record<string, unknown> } | { violations: FieldViolation[] };

/** The highest weekly rate of a plan, in percent. Purchases with a higher rate are refused. The credit module provides it. */
export type MaxPlanRate = () => number;
export const maxPlanRate = defineService<MaxPlanRate>('max plan rate');

/** Validates a new record and returns all violations. An absent field takes its default; without a default it is a violation. */
export const checkRecord = (
  kind: ImportKind,
  record: Record<string, unknown>,
  maxRate: MaxPlanRate,
): CheckResult => checkRate(checkFields(kind, record, Object.entries(kind.fields)), maxRate);

/** Validates changes to an existing record: absent fields are left out. */
export function checkPatch(
  kind: ImportKind,
  patch: Record<string, unknown>,
  maxRate: MaxPlanRate,
): CheckResult {
  const patchedFields = Object.entries(kind.fields).filter(([name]) => Object.hasOwn(patch, name));
  return checkRate(checkFields(kind, patch, patchedFields), maxRate);
}

function checkRate(result: CheckResult, maxRate: MaxPlanRate): CheckResult {
  const rate = 'value' in result ? result.value.weekly_rate_percent : undefined;
  if (rate === undefined || Number(rate) <= maxRate()) return result;
  const message = {
    en: `must be at most ${maxRate()} (MAX_WEEKLY_RATE)`,
    pt: `deve ser no máximo ${String(maxRate()).replace('.', ',')} % por semana`,
  };
  return { violations: [{ field: 'weekly_rate_percent', message }] };
}

function checkFields(
  kind: ImportKind,
  record: Record<string, unknown>,
  fields: ReadonlyArray<[name: string, parse: Field<unknown>]>,
): CheckResult {
  const value: Record<string, unknown> = {};
  const violations: FieldViolation[] = [];
  for (const [name, parse] of fields) {
    const parsed = parseField(parse, record[name]);
    if ('violation' in parsed) violations.push({ field: name, message: parsed.violation });
    else value[name] = parsed.value;
  }
  for (const name of Object.keys(record)) {
    if (!Object.hasOwn(kind.fields, name)) violations.push({ field: name, message: UNKNOWN_FIELD });
  }
  return violations.length > 0 ? { violations } : { value };
}

/** The fields that a new record must have. */
export function listRequiredFields(kind: ImportKind): string[] {
  const fields = Object.entries(kind.fields);
  return fields.filter(([, parse]) => 'violation' in parseField(parse, undefined)).map(([name]) => name);
}

/** The columns that the heading of a CSV file may name. */
export const describeColumns = (kind: ImportKind): Columns => ({
  known: Object.keys(kind.fields),
  key: kind.key,
  required: listRequiredFields(kind),
});

/** Returns the record's key, or undefined if it is missing or invalid. */
export function readKey({ fields, key }: ImportKind, record: Record<string, unknown>): string | undefined {
  const parsed = parseField(fields[key]!, record[key]);
  return 'value' in parsed ? (parsed.value as string) : undefined;
}

function parseField(parse: Field<unknown>, raw: unknown): { value: unknown } | { violation: Bilingual } {
  try {
    return { value: parse(raw) };
  } catch (error) {
    if (error instanceof InvalidField) return { violation: error.text };
    throw error;
  }
}
