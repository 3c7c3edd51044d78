import { columns, type RowOf, type TableRow } from '#platform/database/columns.ts';
import { type Queryable, type Sql, sql } from '#platform/database/db.ts';
import type { PageRange } from '#platform/http/list-query.ts';
import { Slug } from '#platform/http/schemas.ts';
import { omit } from '#platform/omit.ts';
import { type categories, type faq_entries, merchants, type posts } from './generated/tables.ts';

export type MerchantRow = TableRow<typeof merchants> & { category_name: string };

export type CategoryRow = TableRow<typeof categories>;

export const listCategories = (db: Queryable) =>
  db.rows<CategoryRow>(sql`select slug, name from categories order by slug`);

/** Lists one chunk of all merchants, listed or not, in order of name, beginning after the given merchant. */
export const listMerchantsByName = (db: Queryable, after: { nameKey: string; id: number }, limit: number) =>
  db.rows<MerchantRow>(sql`
    select merchant.*, category.name as category_name
    from merchants merchant join categories category on category.slug = merchant.category_slug
    where (merchant.name_key, merchant.id) > (${after.nameKey}, ${after.id}::bigint)
    order by merchant.name_key, merchant.id limit ${limit}`);

/** Lists one chunk of the merchants, listed or not, that were written at this revision or later. */
export const listMerchantsByRevision = (db: Queryable, firstRevision: number, limit: number) =>
  db.rows<MerchantRow>(sql`
    select merchant.*, category.name as category_name
    from merchants merchant join categories category on category.slug = merchant.category_slug
    where merchant.revision >= ${firstRevision} order by merchant.revision limit ${limit}`);

export async function countMerchants(db: Queryable): Promise<number> {
  return (await db.row<{ count: number }>(sql`select count(*) from merchants`))!.count;
}

/** A merchant with its credit terms and fees. Percentages are decimal text. */
const planColumns = columns(
  omit(merchants, 'name_key', 'category_slug', 'description', 'city', 'state', 'website', 'revision'),
);
export type MerchantWithPlan = RowOf<typeof planColumns>;
export type MerchantPlan = Omit<MerchantWithPlan, 'id' | 'slug' | 'name' | 'logo_url' | 'listed'>;

/** Finds a merchant, listed or not, with the fields that a sale needs. */
export const findMerchantWithPlan = (db: Queryable, slug: string) =>
  db.row<MerchantWithPlan>(
    sql`select ${planColumns.selectFrom('merchant')} from merchants merchant where slug = ${slug}`,
  );

/** The filter of a list by merchant. No merchant has the id 0, so an unknown slug matches nothing. */
export const filterByMerchant = (column: Sql) => ({
  schema: Slug({ description: 'Slug of the merchant.' }),
  resolve: async (slug: string, db: Queryable) => (await findMerchantWithPlan(db, slug))?.id ?? 0,
  where: (id: number) => sql`${column} = ${id}`,
});

export const findMerchantWithPlanById = (db: Queryable, id: number) =>
  db.row<MerchantWithPlan>(
    sql`select ${planColumns.selectFrom('merchant')} from merchants merchant where id = ${id}`,
  );

/** Finds the slugs of merchants, listed or not, by id. */
export async function findMerchantSlugs(db: Queryable, ids: readonly number[]) {
  const rows = await db.rows<{ id: number; slug: string }>(
    sql`select id, slug from merchants where id = any(${ids}::bigint[])`,
  );
  return new Map(rows.map(({ id, slug }) => [id, slug]));
}

type FaqRow = Omit<TableRow<typeof faq_entries>, 'position' | 'listed'>;

export const listFaqTopics = (db: Queryable) =>
  db.rows<{ topic: string; entries: number }>(
    sql`select topic, count(*) as entries from faq_entries where listed group by topic order by topic`,
  );

export const listFaq = (db: Queryable, topic: string | null) =>
  db.rows<FaqRow>(sql`
    select id, topic, question, answer from faq_entries
    where listed and (${topic}::text is null or topic = ${topic}) order by topic, position, id`);

export type PostRow = Omit<TableRow<typeof posts>, 'published_at' | 'body' | 'body_html'> & {
  published_at: Date;
};

/** Returns a page of the posts published by `now`, their total, and when the next one will be published. */
export async function listPosts(db: Queryable, now: Date, { offset, limit }: PageRange) {
  const [posts, counts] = await Promise.all([
    db.rows<PostRow>(sql`
      select slug, title, summary, cover_url, author, tags, published_at from posts
      where published_at <= ${now} order by published_at desc, slug limit ${limit} offset ${offset}`),
    db.row<{ total: number; next_post_at: Date | null }>(sql`
      select count(*) filter (where published_at <= ${now}) as total,
             min(published_at) filter (where published_at > ${now}) as next_post_at
      from posts where published_at is not null`),
  ]);
  return { posts, total: counts!.total, nextPostAt: counts!.next_post_at };
}

export const findPost = (db: Queryable, slug: string, now: Date) =>
  db.row<PostRow & { body: string; body_html: string }>(sql`
    select slug, title, summary, cover_url, author, tags, published_at, body, body_html from posts
    where slug = ${slug} and published_at <= ${now}`);
