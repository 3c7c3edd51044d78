import type { Bilingual } from '#core/values/bilingual.ts';
import { cents, toReais } from '#core/values/money.ts';
import type { Tx } from '#platform/database/db.ts';
import { defineService } from '#platform/service.ts';
import {
  type Field,
  type FieldViolation,
  InvalidField,
  instant,
  integer,
  integerBetween,
  optional,
  percent,
  reaisToCents,
  required,
  slug,
  stateCode,
  text,
  webUrl,
  words,
  yesOrNo,
} from './fields.ts';
import {
  categoryReader,
  faqReader,
  merchantReader,
  postReader,
  type RecordReader,
  upsertCategories,
  upsertFaq,
  upsertMerchants,
  upsertPosts,
  type Violations,
} from './record-store.ts';

export type CellValue = string | number | boolean | string[] | null;

/** A kind of content: its fields, its key and how its records are stored. The staff API, imports and exports share it. */
export type ContentKind<R = Record<string, unknown>> = RecordReader<R> & {
  /** The kind of entity in the audit trail. */
  auditKind: string;
  fields: { [F in keyof R]: Field<R[F]> };
  key: keyof R & string;
  /** Converts a record to the cells of an export, which an import parses back to the same record. */
  toCells(record: R): Record<string, CellValue>;
  /** Upserts a batch, except the records that violate a rule of the stored data. */
  write(tx: Tx, records: R[]): Promise<Violations<R>>;
};

const defineKind = <R>(definition: ContentKind<R>): ContentKind => definition as unknown as ContentKind;

export const KINDS = {
  categories: defineKind({
    auditKind: 'category',
    key: 'slug',
    fields: { slug: required(slug), name: required(text(100)) },
    ...categoryReader,
    toCells: (record) => record,
    write: upsertCategories,
  }),
  merchants: defineKind({
    auditKind: 'merchant',
    key: 'slug',
    fields: {
      slug: required(slug),
      name: required(text(200)),
      category: required(slug),
      description: optional(text(2_000), null),
      logo_url: optional(webUrl, null),
      city: optional(text(100), null),
      state: optional(stateCode, null),
      website: optional(webUrl, null),
      cashback_percent: optional(percent, '0'),
      weekly_rate_percent: optional(percent, '0'),
      max_installments: optional(integerBetween(1, 52), 12),
      min_amount: optional(reaisToCents, 10_00),
      max_amount: optional(reaisToCents, 5_000_00),
      merchant_fee_percent: optional(percent, '0'),
      payout_days: optional(integerBetween(0, 90), 2),
      listed: optional(yesOrNo, true),
    },
    ...merchantReader,
    toCells: (record) => ({
      ...record,
      cashback_percent: Number(record.cashback_percent),
      weekly_rate_percent: Number(record.weekly_rate_percent),
      min_amount: toReais(cents(record.min_amount)),
      max_amount: toReais(cents(record.max_amount)),
      merchant_fee_percent: Number(record.merchant_fee_percent),
    }),
    write: upsertMerchants,
  }),
  faq: defineKind({
    auditKind: 'faq',
    key: 'id',
    fields: {
      id: required(slug),
      topic: required(slug),
      question: required(text(500)),
      answer: required(text(5_000)),
      position: optional(integer, 0),
      listed: optional(yesOrNo, true),
    },
    ...faqReader,
    toCells: (record) => record,
    write: upsertFaq,
  }),
  posts: defineKind({
    auditKind: 'post',
    key: 'slug',
    fields: {
      slug: required(slug),
      title: required(text(300)),
      summary: required(text(1_000)),
      cover_url: optional(webUrl, null),
      author: required(text(200)),
      tags: optional(words, []),
      published_at: optional(instant, null),
      body: required(text(200_000)),
    },
    ...postReader,
    toCells: (record) => ({ ...record, published_at: record.published_at?.toISOString() ?? null }),
    write: upsertPosts,
  }),
} satisfies Record<string, ContentKind>;

export type KindName = keyof typeof KINDS;

const UNKNOWN_FIELD: Bilingual = { en: 'is not a known field', pt: 'não é um campo conhecido' };

export type CheckResult = { value: Record<string, unknown> } | { violations: FieldViolation[] };

/** The highest weekly rate of a plan, in percent. Purchases with a higher rate are refused. The credit module provides it. */
export type GetMaxPlanRate = () => number;
export const maxPlanRate = defineService<GetMaxPlanRate>('max plan rate');

/** Validates a new record and returns all violations. An absent field takes its default; without a default it is a violation. */
export const checkRecord = (kind: ContentKind, record: Record<string, unknown>, getMaxRate: GetMaxPlanRate) =>
  checkRate(checkFields(kind, record, Object.entries(kind.fields)), getMaxRate);

/** Validates changes to an existing record: absent fields are left out. */
export function checkPatch(kind: ContentKind, patch: Record<string, unknown>, getMaxRate: GetMaxPlanRate) {
  const patchedFields = Object.entries(kind.fields).filter(([name]) => Object.hasOwn(patch, name));
  return checkRate(checkFields(kind, patch, patchedFields), getMaxRate);
}

function checkRate(checkedRecord: CheckResult, getMaxRate: GetMaxPlanRate): CheckResult {
  const rate = 'value' in checkedRecord ? checkedRecord.value.weekly_rate_percent : undefined;
  if (rate === undefined || Number(rate) <= getMaxRate()) return checkedRecord;
  const message = {
    en: `must be at most ${getMaxRate()} (MAX_WEEKLY_RATE)`,
    pt: `deve ser no máximo ${String(getMaxRate()).replace('.', ',')} % por semana`,
  };
  return { violations: [{ field: 'weekly_rate_percent', message }] };
}

function checkFields(
  kind: ContentKind,
  record: Record<string, unknown>,
  fields: ReadonlyArray<[name: string, parse: Field<unknown>]>,
): CheckResult {
  const value: Record<string, unknown> = {};
  const violations: FieldViolation[] = [];
  for (const [name, parse] of fields) {
    const parsedField = parseField(parse, record[name]);
    if ('violation' in parsedField) violations.push({ field: name, message: parsedField.violation });
    else value[name] = parsedField.value;
  }
  for (const name of Object.keys(record)) {
    if (!Object.hasOwn(kind.fields, name)) violations.push({ field: name, message: UNKNOWN_FIELD });
  }
  return violations.length > 0 ? { violations } : { value };
}

/** Lists the fields that a new record must have. */
export function listRequiredFields(kind: ContentKind): string[] {
  const fields = Object.entries(kind.fields);
  return fields.filter(([, parse]) => 'violation' in parseField(parse, undefined)).map(([name]) => name);
}

/** The columns that a CSV file may have. New records require `requiredNames`. */
export type FileColumns = { names: string[]; key: string; requiredNames: string[] };

export const describeColumns = (kind: ContentKind): FileColumns => ({
  names: Object.keys(kind.fields),
  key: kind.key,
  requiredNames: listRequiredFields(kind),
});

/** Returns the record's key, or undefined if it is missing or invalid. */
export function readKey({ fields, key }: ContentKind, record: Record<string, unknown>): string | undefined {
  const parsedKey = parseField(fields[key]!, record[key]);
  return 'value' in parsedKey ? (parsedKey.value as string) : undefined;
}

function parseField(parse: Field<unknown>, raw: unknown): { value: unknown } | { violation: Bilingual } {
  try {
    return { value: parse(raw) };
  } catch (error) {
    if (error instanceof InvalidField) return { violation: error.text };
    throw error;
  }
}
