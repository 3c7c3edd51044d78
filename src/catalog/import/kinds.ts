import type { Bilingual } from '#core/values/bilingual.ts';
import { cents, toReais } from '#core/values/money.ts';
import { lockKey } from '#platform/database/advisory-locks.ts';
import { columns, type RowOf } from '#platform/database/columns.ts';
import { type Queryable, sql, type Tx } from '#platform/database/db.ts';
import { omit } from '#platform/omit.ts';
import { defineService } from '#platform/service.ts';
import * as tables from '../generated/tables.ts';
import { PostRenderer } from '../posts/post-renderer.ts';
import { fold } from '../search/fold.ts';
import type { CategoryRow } from '../store.ts';
import * as fields from './fields.ts';
import { type Field, type FieldViolation, InvalidField } from './fields.ts';

// Each upsert writes a batch in one statement and skips rows that would not change, so that importing the same file again
// invalidates no cache.

/**
 * Serializes imports. Otherwise two imports of the same new record would both treat it as new, and the later one would reset
 * the columns that its file lacks.
 */
export const lockImports = (tx: Tx) => lockKey(tx, 'catalog import');

/** Serializes requests that create the same record: the second request waits, and then finds the record. */
export const lockCreation = (tx: Tx, kind: string, key: string) => lockKey(tx, 'catalog creation', kind, key);

const NO_VIOLATIONS = new Map<number, FieldViolation>();

const lockCategories = (tx: Tx, slugs: string[]) =>
  tx.rows<CategoryRow>(sql`select slug, name from categories where slug = any(${slugs}) for no key update`);

const listCategoriesAfter = (db: Queryable, slug: string, limit: number) =>
  db.rows<CategoryRow>(
    sql`select slug, name from categories where slug > ${slug} order by slug limit ${limit}`,
  );

async function upsertCategories(tx: Tx, records: CategoryRow[]) {
  await tx.run(sql`
    insert into categories as c (slug, name)
    select * from unnest(${records.map((r) => r.slug)}::text[], ${records.map((r) => r.name)}::text[])
    on conflict (slug) do update set name = excluded.name where c.name <> excluded.name`);
  return NO_VIOLATIONS;
}

const merchants = columns(omit(tables.merchants, 'id', 'revision'));
/** The columns that have the same name in a file of merchants and in the table. */
const sharedColumns = columns(
  omit(merchants.declared, 'name_key', 'category_slug', 'min_amount_cents', 'max_amount_cents'),
);

export type MerchantRecord = RowOf<typeof sharedColumns> & {
  category: string;
  /** In centavos. */
  min_amount: number;
  max_amount: number;
};

const MERCHANTS = sql`
  select ${sharedColumns.selectFrom('m')}, category_slug as category, min_amount_cents as min_amount, max_amount_cents as max_amount
  from merchants m`;

const lockMerchants = (tx: Tx, slugs: string[]) =>
  tx.rows<MerchantRecord>(sql`${MERCHANTS} where slug = any(${slugs}) for no key update`);

const listMerchantsAfter = (db: Queryable, slug: string, limit: number) =>
  db.rows<MerchantRecord>(sql`${MERCHANTS} where slug > ${slug} order by slug limit ${limit}`);

const describeUnknownCategory = (slug: string): FieldViolation => ({
  field: 'category',
  message: { en: `there is no category '${slug}'`, pt: `não há categoria '${slug}'` },
});

const MAX_BELOW_MIN: FieldViolation = {
  field: 'max_amount',
  message: { en: 'is less than min_amount', pt: 'é menor que min_amount' },
};

async function upsertMerchants(tx: Tx, records: MerchantRecord[]): Promise<Map<number, FieldViolation>> {
  const categorySlugs = [...new Set(records.map((r) => r.category))];
  // Locked, so that no category can be deleted between this check and the write.
  const categories = await tx.rows<{ slug: string }>(
    sql`select slug from categories where slug = any(${categorySlugs}) for share`,
  );
  const existingSlugs = new Set(categories.map(({ slug }) => slug));
  const violations = new Map<number, FieldViolation>();
  records.forEach((record, i) => {
    if (!existingSlugs.has(record.category)) violations.set(i, describeUnknownCategory(record.category));
    else if (record.max_amount < record.min_amount) violations.set(i, MAX_BELOW_MIN);
  });
  const validRecords = records.filter((_, i) => !violations.has(i));
  if (validRecords.length === 0) return violations;
  const rows = validRecords.map((record) => ({
    ...record,
    name_key: fold(record.name),
    category_slug: record.category,
    min_amount_cents: record.min_amount,
    max_amount_cents: record.max_amount,
  }));
  await tx.run(sql`
    insert into merchants as m ${merchants.valuesFromJson(rows)} on conflict (slug) do update set ${merchants.excluded}
    where (${merchants.selectFrom('m')}) is distinct from (${merchants.selectFrom('excluded')})`);
  return violations;
}

const faq = columns(tables.faq_entries);
type FaqRecord = RowOf<typeof faq>;

const lockFaq = (tx: Tx, ids: string[]) =>
  tx.rows<FaqRecord>(sql`select * from faq_entries where id = any(${ids}) for no key update`);

const listFaqAfter = (db: Queryable, id: string, limit: number) =>
  db.rows<FaqRecord>(sql`select * from faq_entries where id > ${id} order by id limit ${limit}`);

async function upsertFaq(tx: Tx, records: FaqRecord[]) {
  await tx.run(sql`
    insert into faq_entries as f ${faq.valuesFromJson(records)} on conflict (id) do update set ${faq.excluded}
    where (${faq.selectFrom('f')}) is distinct from (${faq.selectFrom('excluded')})`);
  return NO_VIOLATIONS;
}

const renderedPosts = columns(tables.posts);
const posts = columns(omit(tables.posts, 'body_html'));
type PostRecord = RowOf<typeof posts>;

const lockPosts = (tx: Tx, slugs: string[]) =>
  tx.rows<PostRecord>(
    sql`select ${posts.selectFrom('p')} from posts p where slug = any(${slugs}) for no key update`,
  );

const listPostsAfter = (db: Queryable, slug: string, limit: number) =>
  db.rows<PostRecord>(
    sql`select ${posts.selectFrom('p')} from posts p where slug > ${slug} order by slug limit ${limit}`,
  );

const sharedRenderer = new PostRenderer();

/** Renders the HTML that is stored with a post. Returns undefined if rendering times out. */
export const renderPostBody = (body: string): Promise<string | undefined> => sharedRenderer.render(body);

export const RENDERING_TIMED_OUT: FieldViolation = {
  field: 'body',
  message: {
    en: 'takes too long to render as HTML: use fewer nested brackets and marks',
    pt: 'demora demais para virar HTML: escreva com menos colchetes e marcas aninhados',
  },
};

export async function upsertPosts(
  tx: Tx,
  records: PostRecord[],
  renderer: Pick<PostRenderer, 'render'> = sharedRenderer,
): Promise<Map<number, FieldViolation>> {
  const violations = new Map<number, FieldViolation>();
  const renderedRecords: Array<PostRecord & { body_html: string }> = [];
  for (const [i, record] of records.entries()) {
    const body_html = await renderer.render(record.body);
    if (body_html === undefined) violations.set(i, RENDERING_TIMED_OUT);
    else renderedRecords.push({ ...record, body_html });
  }
  if (renderedRecords.length === 0) return violations;
  await tx.run(sql`
    insert into posts as p ${renderedPosts.valuesFromJson(renderedRecords)} on conflict (slug) do update set ${renderedPosts.excluded}
    where (${renderedPosts.selectFrom('p')}) is distinct from (${renderedPosts.selectFrom('excluded')})`);
  return violations;
}

/** A value of one cell of an import or export file. */
export type CellValue = string | number | boolean | string[] | null;

/** A kind of record that can be imported and exported: its fields, its key and how it is stored. */
export type ImportKind<R = Record<string, unknown>> = {
  /** The kind of entity in the audit trail. */
  auditKind: string;
  fields: { [F in keyof R]: fields.Field<R[F]> };
  key: keyof R & string;
  /** Locks and reads the stored records with these keys. */
  lock(tx: Tx, keys: string[]): Promise<R[]>;
  /** Lists the records after this key, in key order. */
  listAfter(db: Queryable, key: string, limit: number): Promise<R[]>;
  /** Converts a record to the cells of an export, which an import parses back to the same record. */
  toCells(record: R): Record<string, CellValue>;
  /** Upserts a batch. Returns the violations of records that were not written, by their index in the batch. */
  write(tx: Tx, records: R[]): Promise<Map<number, fields.FieldViolation>>;
};

const defineKind = <R>(definition: ImportKind<R>): ImportKind => definition as unknown as ImportKind;
const {
  required,
  optional,
  text,
  slug,
  webUrl,
  percent,
  reais,
  integer,
  integerBetween,
  yesOrNo,
  words,
  instant,
  stateCode,
} = fields;

export const KINDS = {
  categories: defineKind({
    auditKind: 'category',
    key: 'slug',
    fields: { slug: required(slug), name: required(text(100)) },
    lock: lockCategories,
    listAfter: listCategoriesAfter,
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
      min_amount: optional(reais, 10_00),
      max_amount: optional(reais, 5_000_00),
      merchant_fee_percent: optional(percent, '0'),
      payout_days: optional(integerBetween(0, 90), 2),
      listed: optional(yesOrNo, true),
    },
    lock: lockMerchants,
    listAfter: listMerchantsAfter,
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
    lock: lockFaq,
    listAfter: listFaqAfter,
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
    lock: lockPosts,
    listAfter: listPostsAfter,
    toCells: (record) => ({ ...record, published_at: record.published_at?.toISOString() ?? null }),
    write: upsertPosts,
  }),
} satisfies Record<string, ImportKind>;

export type KindName = keyof typeof KINDS;

const UNKNOWN_FIELD: Bilingual = { en: 'is not a known field', pt: 'não é um campo conhecido' };

export type CheckResult = { value: Record<string, unknown> } | { violations: FieldViolation[] };

/** The highest weekly rate of a plan, in percent. Purchases with a higher rate are refused. The credit module provides it. */
export type MaxPlanRate = () => number;
export const maxPlanRate = defineService<MaxPlanRate>('max plan rate');

/** Validates a new record and returns all violations. An absent field takes its default; without a default it is a violation. */
export const checkRecord = (kind: ImportKind, record: Record<string, unknown>, maxRate: MaxPlanRate) =>
  checkRate(checkFields(kind, record, Object.entries(kind.fields)), maxRate);

/** Validates changes to an existing record: absent fields are left out. */
export function checkPatch(kind: ImportKind, patch: Record<string, unknown>, maxRate: MaxPlanRate) {
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
  parsers: ReadonlyArray<[name: string, parse: Field<unknown>]>,
): CheckResult {
  const value: Record<string, unknown> = {};
  const violations: FieldViolation[] = [];
  for (const [name, parse] of parsers) {
    const result = parseField(parse, record[name]);
    if ('violation' in result) violations.push({ field: name, message: result.violation });
    else value[name] = result.value;
  }
  for (const name of Object.keys(record)) {
    if (!Object.hasOwn(kind.fields, name)) violations.push({ field: name, message: UNKNOWN_FIELD });
  }
  return violations.length > 0 ? { violations } : { value };
}

/** Lists the fields that a new record must have. */
export function listRequiredFields(kind: ImportKind): string[] {
  const fields = Object.entries(kind.fields);
  return fields.filter(([, parse]) => 'violation' in parseField(parse, undefined)).map(([name]) => name);
}

/** The columns of a CSV file: all known columns, the key, and the columns that new records require. */
export type FileColumns = { known: string[]; key: string; required: string[] };

/** Lists the columns that the heading of a CSV file may name. */
export const describeColumns = (kind: ImportKind): FileColumns => ({
  known: Object.keys(kind.fields),
  key: kind.key,
  required: listRequiredFields(kind),
});

/** Returns the record's key, or undefined if it is missing or invalid. */
export function readKey({ fields, key }: ImportKind, record: Record<string, unknown>): string | undefined {
  const result = parseField(fields[key]!, record[key]);
  return 'value' in result ? (result.value as string) : undefined;
}

function parseField(parse: Field<unknown>, raw: unknown): { value: unknown } | { violation: Bilingual } {
  try {
    return { value: parse(raw) };
  } catch (error) {
    if (error instanceof InvalidField) return { violation: error.text };
    throw error;
  }
}
