import { lockKey } from '#platform/database/advisory-locks.ts';
import { columns, type RowOf } from '#platform/database/columns.ts';
import { type Queryable, sql, type Tx } from '#platform/database/db.ts';
import { omit } from '#platform/omit.ts';
import * as tables from '../generated/tables.ts';
import { PostRenderer } from '../posts/post-renderer.ts';
import { fold } from '../search/fold.ts';
import type { CategoryRow } from '../store.ts';
import type { FieldViolation } from './fields.ts';

// Each upsert writes a batch in one statement and skips rows that would not change, so that importing the same file again
// invalidates no cache.

/**
 * Serializes imports. Otherwise two imports of the same new record would both treat it as new, and the later one would reset
 * the columns that its file lacks.
 */
export const lockImports = (tx: Tx) => lockKey(tx, 'catalog import');

/** Serializes requests that create the same record: the second one waits and then finds it. */
export const lockCreation = (tx: Tx, kind: string, key: string) => lockKey(tx, 'catalog creation', kind, key);

const NO_VIOLATIONS = new Map<number, FieldViolation>();

export const lockCategories = (tx: Tx, slugs: string[]) =>
  tx.rows<CategoryRow>(sql`select slug, name from categories where slug = any(${slugs}) for no key update`);

export const listCategoriesAfter = (db: Queryable, slug: string, limit: number) =>
  db.rows<CategoryRow>(
    sql`select slug, name from categories where slug > ${slug} order by slug limit ${limit}`,
  );

export async function upsertCategories(tx: Tx, records: CategoryRow[]) {
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

export const lockMerchants = (tx: Tx, slugs: string[]) =>
  tx.rows<MerchantRecord>(sql`${MERCHANTS} where slug = any(${slugs}) for no key update`);

export const listMerchantsAfter = (db: Queryable, slug: string, limit: number) =>
  db.rows<MerchantRecord>(sql`${MERCHANTS} where slug > ${slug} order by slug limit ${limit}`);

const unknownCategory = (slug: string): FieldViolation => ({
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
): Promise<Map<number, FieldViolation>> {
  const categorySlugs = [...new Set(records.map((r) => r.category))];
  // Shared lock: a category cannot be deleted between this check and the write.
  const categories = await tx.rows<{ slug: string }>(
    sql`select slug from categories where slug = any(${categorySlugs}) for share`,
  );
  const knownSlugs = new Set(categories.map(({ slug }) => slug));
  const violations = new Map<number, FieldViolation>();
  records.forEach((record, i) => {
    if (!knownSlugs.has(record.category)) violations.set(i, unknownCategory(record.category));
    else if (record.max_amount < record.min_amount) violations.set(i, MAX_BELOW_MIN);
  });
  const valid = records.filter((_, i) => !violations.has(i));
  if (valid.length === 0) return violations;
  const rows = valid.map((record) => ({
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

export const lockFaq = (tx: Tx, ids: string[]) =>
  tx.rows<FaqRecord>(sql`select * from faq_entries where id = any(${ids}) for no key update`);

export const listFaqAfter = (db: Queryable, id: string, limit: number) =>
  db.rows<FaqRecord>(sql`select * from faq_entries where id > ${id} order by id limit ${limit}`);

export async function upsertFaq(tx: Tx, records: FaqRecord[]) {
  await tx.run(sql`
    insert into faq_entries as f ${faq.valuesFromJson(records)} on conflict (id) do update set ${faq.excluded}
    where (${faq.selectFrom('f')}) is distinct from (${faq.selectFrom('excluded')})`);
  return NO_VIOLATIONS;
}

const renderedPosts = columns(tables.posts);
const posts = columns(omit(tables.posts, 'body_html'));
type PostRecord = RowOf<typeof posts>;

export const lockPosts = (tx: Tx, slugs: string[]) =>
  tx.rows<PostRecord>(
    sql`select ${posts.selectFrom('p')} from posts p where slug = any(${slugs}) for no key update`,
  );

export const listPostsAfter = (db: Queryable, slug: string, limit: number) =>
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
  const rendered: Array<PostRecord & { body_html: string }> = [];
  for (const [i, record] of records.entries()) {
    const body_html = await renderer.render(record.body);
    if (body_html === undefined) violations.set(i, RENDERING_TIMED_OUT);
    else rendered.push({ ...record, body_html });
  }
  if (rendered.length === 0) return violations;
  await tx.run(sql`
    insert into posts as p ${renderedPosts.valuesFromJson(rendered)} on conflict (slug) do update set ${renderedPosts.excluded}
    where (${renderedPosts.selectFrom('p')}) is distinct from (${renderedPosts.selectFrom('excluded')})`);
  return violations;
}
