import { type Queryable, type Sql, sql, type Tx } from '#platform/database/db.ts';
import { type PageRange, queryPage, type Sort } from '#platform/http/list-query.ts';
import type { Searcher, SearchHit } from '#platform/http/search.ts';
import type { MerchantCache } from '../merchant-cache.ts';
import { stillUsed } from '../problems.ts';
import { fold, splitWords } from '../search/fold.ts';
import type { ContentDeps } from './content.ts';

const escapeLikePattern = (text: string) => text.replace(/[\\%_]/g, '\\$&');

/** The SQL equivalent of `fold` for Portuguese text. */
const buildFoldSql = (text: Sql): Sql =>
  sql`regexp_replace(lower(normalize(${text}, NFKD)), '[\\u0300-\\u036f]', '', 'g')`;

/** Builds a condition for texts that contain every word of `q`, ignoring case and accents. Needs a scan, but the tables are small. */
function buildWordCondition(q: string | undefined, text: Sql): Sql {
  if (q === undefined) return sql`true`;
  const words = fold(q).trim().split(/\s+/);
  return sql`${buildFoldSql(text)} like all (${words.map((word) => `%${escapeLikePattern(word)}%`)}::text[])`;
}

type ListedFilter = 'true' | 'false' | undefined;

const buildListedCondition = (listed: ListedFilter): Sql =>
  listed === undefined ? sql`true` : sql`listed = ${listed === 'true'}`;

type StaffMerchantQuery = {
  q?: string;
  category?: string;
  listed?: ListedFilter;
  sort?: Sort;
  merchants: Pick<MerchantCache, 'findIds'>;
};

const MAX_SIMILAR_MERCHANTS = 50;

const MERCHANT_SORT_ORDERS: Record<Sort, Sql> = { newest: sql`id desc`, oldest: sql`id` };

/**
 * Lists merchants, sorted by name unless `sort` is given. `q` matches the beginnings of words of name, slug, category and city. If nothing
 * matches, uses the public search, which tolerates typos.
 */
export async function listMerchantsForStaff(
  db: Queryable,
  { q = '', category, listed, sort, merchants }: StaffMerchantQuery,
  range: PageRange,
) {
  const words = splitWords(q);
  const searchedText = sql`' ' || name_key || ' ' || replace(slug || ' ' || category_slug, '-', ' ') || ' ' || coalesce(${buildFoldSql(sql`city`)}, '')`;
  const buildStatement = (condition: Sql) => sql`
    select slug, name, category_slug as category, description, logo_url, city, state, website, cashback_percent,
           weekly_rate_percent, max_installments, min_amount_cents as min_amount, max_amount_cents as max_amount,
           merchant_fee_percent, payout_days, listed
    from merchants
    where ${condition} and (${category ?? null}::text is null or category_slug = ${category ?? null})
      and ${buildListedCondition(listed)}`;
  const orderBy = sort === undefined ? sql`name_key, id` : MERCHANT_SORT_ORDERS[sort];
  // A text of only punctuation has no word to search for.
  const canMatch = q === '' || words.length > 0;
  const prefixPatterns = words.map((word) => `% ${word}%`);
  const matchesPrefixes = sql`${searchedText} like all (${prefixPatterns}::text[]) and ${canMatch}::boolean`;
  const matches = await queryPage(db, { statement: buildStatement(matchesPrefixes), orderBy }, range);
  if (matches.total > 0 || words.length === 0) return matches;
  const similarIds = merchants.findIds(q, MAX_SIMILAR_MERCHANTS);
  return queryPage(db, { statement: buildStatement(sql`id = any(${similarIds}::bigint[])`), orderBy }, range);
}

async function findMerchantIds(db: Queryable, slugs: readonly string[]): Promise<Map<string, number>> {
  const rows = await db.rows<{ slug: string; id: number }>(
    sql`select slug, id from merchants where slug = any(${slugs})`,
  );
  return new Map(rows.map(({ slug, id }) => [slug, id]));
}

export function listCategoriesForStaff(db: Queryable, { q }: { q?: string }, range: PageRange) {
  const statement = sql`
    select slug, name from categories where ${buildWordCondition(q, sql`name || ' ' || slug`)}`;
  return queryPage(db, { statement, orderBy: sql`slug` }, range);
}

export function listFaqForStaff(
  db: Queryable,
  { q, topic, listed }: { q?: string; topic?: string; listed?: ListedFilter },
  range: PageRange,
) {
  const statement = sql`
    select id, topic, question, answer, position, listed from faq_entries
    where (${topic ?? null}::text is null or topic = ${topic ?? null})
      and ${buildWordCondition(q, sql`question || ' ' || answer`)}
      and ${buildListedCondition(listed)}`;
  return queryPage(db, { statement, orderBy: sql`topic, position, id` }, range);
}

export const POST_STATUSES = ['draft', 'scheduled', 'published'] as const;

/** Lists posts: newest first with drafts at the top, or oldest first with drafts at the end. */
export function listPostsForStaff(
  db: Queryable,
  { q, status, sort, now }: { q?: string; status?: (typeof POST_STATUSES)[number]; sort?: Sort; now: Date },
  range: PageRange,
) {
  const statusConditions = {
    draft: sql`published_at is null`,
    scheduled: sql`published_at > ${now}`,
    published: sql`published_at <= ${now}`,
  };
  const statement = sql`
    select slug, title, summary, cover_url, author, tags, published_at, body from posts
    where ${status === undefined ? sql`true` : statusConditions[status]}
      and ${buildWordCondition(q, sql`title || ' ' || coalesce(summary, '')`)}`;
  const orderBy = sort === 'oldest' ? sql`published_at, slug desc` : sql`published_at desc, slug`;
  return queryPage(db, { statement, orderBy }, range);
}

/** Deletes a merchant. Purchases store their own copy of its name. */
export const removeMerchant = (tx: Tx, slug: string) =>
  tx.run(sql`delete from merchants where slug = ${slug}`);

export async function removeCategory(tx: Tx, slug: string): Promise<void> {
  const merchantCount = (await tx.value<number>(
    sql`select count(*) from merchants where category_slug = ${slug}`,
  ))!;
  if (merchantCount > 0)
    throw stillUsed({
      en: `${merchantCount} merchants belong to '${slug}'.`,
      pt: `${merchantCount} lojas pertencem a '${slug}'.`,
    });
  await tx.run(sql`delete from categories where slug = ${slug}`);
}

export const removeFaq = (tx: Tx, id: string) => tx.run(sql`delete from faq_entries where id = ${id}`);

export const removePost = (tx: Tx, slug: string) => tx.run(sql`delete from posts where slug = ${slug}`);

/** Finds merchants by the beginnings of words, and posts by text that they contain. */
export const createContentSearcher =
  ({ db, clock, merchants: cache }: Pick<ContentDeps, 'db' | 'clock' | 'merchants'>): Searcher =>
  async (q, limit) => {
    const range = { offset: 0, limit };
    const [merchants, posts] = await Promise.all([
      listMerchantsForStaff(db, { q, merchants: cache }, range),
      listPostsForStaff(db, { q, now: clock.now() }, range),
    ]);
    const merchantRows = merchants.rows as Array<{ slug: string; name: string }>;
    const merchantIds = await findMerchantIds(
      db,
      merchantRows.map(({ slug }) => slug),
    );
    return [
      ...merchantRows.map(
        ({ slug, name }): SearchHit => ({
          kind: 'merchant',
          id: slug,
          title: name,
          merchant_id: merchantIds.get(slug)!,
        }),
      ),
      ...(posts.rows as Array<{ slug: string; title: string }>).map(
        ({ slug, title }): SearchHit => ({ kind: 'post', id: slug, title }),
      ),
    ];
  };
