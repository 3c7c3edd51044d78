import { lockKey } from '#platform/database/advisory-locks.ts';
import { columns, type RowOf } from '#platform/database/columns.ts';
import { type Queryable, type Sql, sql, type Tx } from '#platform/database/db.ts';
import { omit } from '#platform/omit.ts';
import * as tables from '../generated/tables.ts';
import { PostRenderer } from '../posts/post-renderer.ts';
import { fold } from '../search/fold.ts';
import type { FieldViolation } from './fields.ts';

// Each upsert writes a batch in one statement and skips rows that would not change, so that importing the same file again
// invalidates no cache.

/**
 * Serializes imports. Otherwise two imports of the same new record would both treat it as new, and the later one would reset
 * the columns that its file lacks.
 */
export const lockImports = (tx: Tx) => lockKey(tx, 'catalog import');

/** Serializes requests that create the same record: the second request waits, and then finds the record. */
export const lockCreation = (tx: Tx, kind: string, key: string) => lockKey(tx, 'catalog creation', kind, key);

export type RecordReader<R> = {
  find(db: Queryable, key: string): Promise<R | undefined>;
  /** Locks and reads the stored records with these keys. */
  lock(tx: Tx, keys: string[]): Promise<R[]>;
  /** Lists the records after this key, in key order. */
  listAfter(db: Queryable, key: string, limit: number): Promise<R[]>;
};

const createReader = <R>(select: Sql, keyColumn: Sql): RecordReader<R> => ({
  find: (db, key) => db.row<R>(sql`${select} where ${keyColumn} = ${key}`),
  lock: (tx, keys) => tx.rows<R>(sql`${select} where ${keyColumn} = any(${keys}) for no key update`),
  listAfter: (db, key, limit) =>
    db.rows<R>(sql`${select} where ${keyColumn} > ${key} order by ${keyColumn} limit ${limit}`),
});

/** The records that an upsert did not write, each with its violation. */
export type Violations<R> = ReadonlyMap<R, FieldViolation>;

const categories = columns(tables.categories);
type CategoryRecord = RowOf<typeof categories>;

export const categoryReader = createReader<CategoryRecord>(
  sql`select ${categories.selectFrom('c')} from categories c`,
  sql`slug`,
);

export async function upsertCategories(
  tx: Tx,
  records: CategoryRecord[],
): Promise<Violations<CategoryRecord>> {
  await tx.run(sql`
    insert into categories as c ${categories.valuesFromJson(records)} on conflict (slug) do update set ${categories.excluded}
    where (${categories.selectFrom('c')}) is distinct from (${categories.selectFrom('excluded')})`);
  return new Map();
}

const merchants = columns(omit(tables.merchants, 'id', 'revision'));
/** The columns that have the same name in a file of merchants and in the table. */
const sharedColumns = columns(
  omit(merchants.declarations, 'name_key', 'category_slug', 'min_amount_cents', 'max_amount_cents'),
);

export type MerchantRecord = RowOf<typeof sharedColumns> & {
  category: string;
  /** In centavos, like `max_amount`. */
  min_amount: number;
  max_amount: number;
};

export const merchantReader = createReader<MerchantRecord>(
  sql`
    select ${sharedColumns.selectFrom('merchant')}, category_slug as category, min_amount_cents as min_amount,
           max_amount_cents as max_amount
    from merchants merchant`,
  sql`slug`,
);

const describeUnknownCategory = (slug: string): FieldViolation => ({
  field: 'category',
  message: { en: `there is no category '${slug}'`, pt: `não há categoria '${slug}'` },
});

const MAX_BELOW_MIN: FieldViolation = {
  field: 'max_amount',
  message: { en: 'is less than min_amount', pt: 'é menor que min_amount' },
};

export async function upsertMerchants(
  tx: Tx,
  records: MerchantRecord[],
): Promise<Violations<MerchantRecord>> {
  const categorySlugs = [...new Set(records.map((record) => record.category))];
  // Locked, so that no category can be deleted between this check and the write.
  const existingSlugs = await tx.values<string>(
    sql`select slug from categories where slug = any(${categorySlugs}) for share`,
  );
  const violations = new Map<MerchantRecord, FieldViolation>();
  for (const record of records) {
    if (!existingSlugs.includes(record.category))
      violations.set(record, describeUnknownCategory(record.category));
    else if (record.max_amount < record.min_amount) violations.set(record, MAX_BELOW_MIN);
  }
  const validRecords = records.filter((record) => !violations.has(record));
  if (validRecords.length === 0) return violations;
  const rows = validRecords.map((record) => ({
    ...record,
    name_key: fold(record.name),
    category_slug: record.category,
    min_amount_cents: record.min_amount,
    max_amount_cents: record.max_amount,
  }));
  await tx.run(sql`
    insert into merchants as merchant ${merchants.valuesFromJson(rows)} on conflict (slug) do update set ${merchants.excluded}
    where (${merchants.selectFrom('merchant')}) is distinct from (${merchants.selectFrom('excluded')})`);
  return violations;
}

const faq = columns(tables.faq_entries);
type FaqRecord = RowOf<typeof faq>;

export const faqReader = createReader<FaqRecord>(
  sql`select ${faq.selectFrom('f')} from faq_entries f`,
  sql`id`,
);

export async function upsertFaq(tx: Tx, records: FaqRecord[]): Promise<Violations<FaqRecord>> {
  await tx.run(sql`
    insert into faq_entries as f ${faq.valuesFromJson(records)} on conflict (id) do update set ${faq.excluded}
    where (${faq.selectFrom('f')}) is distinct from (${faq.selectFrom('excluded')})`);
  return new Map();
}

const renderedPosts = columns(tables.posts);
/** The columns of a post in a file: its HTML is derived. */
const posts = columns(omit(tables.posts, 'body_html'));
type PostRecord = RowOf<typeof posts>;

export const postReader = createReader<PostRecord>(
  sql`select ${posts.selectFrom('p')} from posts p`,
  sql`slug`,
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
): Promise<Violations<PostRecord>> {
  const violations = new Map<PostRecord, FieldViolation>();
  const renderedRecords: Array<PostRecord & { body_html: string }> = [];
  for (const record of records) {
    const body_html = await renderer.render(record.body);
    if (body_html === undefined) violations.set(record, RENDERING_TIMED_OUT);
    else renderedRecords.push({ ...record, body_html });
  }
  if (renderedRecords.length === 0) return violations;
  await tx.run(sql`
    insert into posts as p ${renderedPosts.valuesFromJson(renderedRecords)} on conflict (slug) do update set ${renderedPosts.excluded}
    where (${renderedPosts.selectFrom('p')}) is distinct from (${renderedPosts.selectFrom('excluded')})`);
  return violations;
}
