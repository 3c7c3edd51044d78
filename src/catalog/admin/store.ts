import { type Queryable, type Sql, sql, type Tx } from '#platform/database/db.ts';
import { type Range, readPage, type Sort } from '#platform/http/listing.ts';
import { stillUsed } from '../problems.ts';
import { fold, words } from '../search/fold.ts';

const asWritten = (text: string) => text.replace(/[\\%_]/g, '\\$&');

/** What `fold` does, in SQL, for Portuguese. */
const folded = (text: Sql): Sql =>
  sql`regexp_replace(lower(normalize(${text}, NFKD)), '[\\u0300-\\u036f]', '', 'g')`;

/** Matches texts that contain each typed word, ignoring case and accents. A sequential scan: these tables are small. */
const holding = (q: string | undefined, text: Sql): Sql =>
  q === undefined
    ? sql`true`
    : sql`${folded(text)} like all (${fold(q)
        .trim()
        .split(/\s+/)
        .map((part) => `%${asWritten(part)}%`)}::text[])`;

/** By name, or newest or oldest first. `q` matches the beginnings of words of name, slug, category and city, as in the public search. */
export function listMerchantsForStaff(
  db: Queryable,
  { q, category, listed, sort }: { q?: string; category?: string; listed?: 'true' | 'false'; sort?: Sort },
  at: Range,
) {
  const begins = q === undefined ? [] : words(q).map((word) => `% ${word}%`);
  const text = sql`' ' || name_key || ' ' || replace(slug || ' ' || category_slug, '-', ' ') || ' ' || coalesce(${folded(sql`city`)}, '')`;
  const found = sql`
    select slug, name, category_slug as category, description, logo_url, city, state, website, cashback_percent,
           weekly_rate_percent, max_installments, min_amount_cents as min_amount, max_amount_cents as max_amount,
           merchant_fee_percent, payout_days, listed
    from merchants
    where ${text} like all (${begins}::text[]) and (${q === undefined || begins.length > 0}) and (${category ?? null}::text is null or category_slug = ${category ?? null})
      and (${isListed(listed)}::boolean is null or listed = ${isListed(listed)})`;
  const order = sort === undefined ? sql`name_key, id` : sort === 'newest' ? sql`id desc` : sql`id`;
  return readPage(db, { found, order }, at);
}

/** What tables call them. */
export async function listMerchantIds(db: Queryable, slugs: readonly string[]): Promise<Map<string, number>> {
  const rows = await db.rows<{ slug: string; id: number }>(
    sql`select slug, id from merchants where slug = any(${slugs})`,
  );
  return new Map(rows.map(({ slug, id }) => [slug, id]));
}

export function listCategoriesForStaff(db: Queryable, { q }: { q?: string }, at: Range) {
  const found = sql`
    select slug, name from categories where ${holding(q, sql`name || ' ' || slug`)}`;
  return readPage(db, { found, order: sql`slug` }, at);
}

export function listAllFaq(
  db: Queryable,
  { q, topic, listed }: { q?: string; topic?: string; listed?: 'true' | 'false' },
  at: Range,
) {
  const found = sql`
    select id, topic, question, answer, position, listed from faq_entries
    where (${topic ?? null}::text is null or topic = ${topic ?? null})
      and ${holding(q, sql`question || ' ' || answer`)}
      and (${isListed(listed)}::boolean is null or listed = ${isListed(listed)})`;
  return readPage(db, { found, order: sql`topic, position, id` }, at);
}

/** Null: both listed and unlisted. */
const isListed = (listed: 'true' | 'false' | undefined): boolean | null =>
  listed === undefined ? null : listed === 'true';

export const POST_STATUSES = ['draft', 'scheduled', 'published'] as const;

/** Newest first with drafts before all, or oldest first with drafts after all. */
export function listAllPosts(
  db: Queryable,
  { q, status, sort, now }: { q?: string; status?: (typeof POST_STATUSES)[number]; sort?: Sort; now: Date },
  at: Range,
) {
  const ofStatus = {
    draft: sql`published_at is null`,
    scheduled: sql`published_at > ${now}`,
    published: sql`published_at <= ${now}`,
  };
  const found = sql`
    select slug, title, summary, cover_url, author, tags, published_at, body from posts
    where ${status === undefined ? sql`true` : ofStatus[status]}
      and ${holding(q, sql`title || ' ' || coalesce(summary, '')`)}`;
  const order = sort === 'oldest' ? sql`published_at, slug desc` : sql`published_at desc, slug`;
  return readPage(db, { found, order }, at);
}

/** Purchases keep their own copy of the merchant's name. */
export const removeMerchant = (tx: Tx, slug: string) =>
  tx.run(sql`delete from merchants where slug = ${slug}`);

export async function removeCategory(tx: Tx, slug: string): Promise<void> {
  const used = await tx.row<{ merchants: number }>(
    sql`select count(*) as merchants from merchants where category_slug = ${slug}`,
  );
  if (used!.merchants > 0)
    throw stillUsed({
      en: `${used!.merchants} merchants belong to '${slug}'.`,
      pt: `${used!.merchants} lojas pertencem a '${slug}'.`,
    });
  await tx.run(sql`delete from categories where slug = ${slug}`);
}

export const removeFaq = (tx: Tx, id: string) => tx.run(sql`delete from faq_entries where id = ${id}`);

export const removePost = (tx: Tx, slug: string) => tx.run(sql`delete from posts where slug = ${slug}`);
