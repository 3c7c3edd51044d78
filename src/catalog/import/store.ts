import { lockKey } from '#platform/database/advisory-locks.ts';
import { type Queryable, sql, type Tx } from '#platform/database/db.ts';
import { PostRenderer } from '../post-renderer.ts';
import { fold } from '../search/fold.ts';
import type { CategoryRow, FaqRow, PostRow } from '../store.ts';
import type { RecordFault } from './fields.ts';

// Each insert writes a batch in one statement, replaces rows with the same key, and skips rows that would not change, so that
// importing the same file again invalidates no cache.

/**
 * One import at a time. Otherwise a record that another import adds meanwhile would count as new here, and lose the columns
 * this file does not have.
 */
export async function lockImports(tx: Tx): Promise<void> {
  await lockKey(tx, 'catalog import');
}

/** Of two requests that create the same record at once, the second waits and then finds it. */
export async function lockCreation(tx: Tx, kind: string, key: string): Promise<void> {
  await lockKey(tx, 'catalog creation', kind, key);
}

const NONE_REFUSED = new Map<number, RecordFault>();

export function lockCategories(tx: Tx, slugs: string[]): Promise<CategoryRow[]> {
  return tx.rows(sql`select slug, name from categories where slug = any(${slugs}) for no key update`);
}

export function listCategoriesAfter(db: Queryable, slug: string, limit: number): Promise<CategoryRow[]> {
  return db.rows(sql`select slug, name from categories where slug > ${slug} order by slug limit ${limit}`);
}

export async function insertCategories(tx: Tx, records: CategoryRow[]) {
  await tx.run(sql`
    insert into categories as c (slug, name)
    select * from unnest(${records.map((r) => r.slug)}::text[], ${records.map((r) => r.name)}::text[])
    on conflict (slug) do update set name = excluded.name where c.name <> excluded.name`);
  return NONE_REFUSED;
}

export type MerchantRecord = {
  slug: string;
  name: string;
  category: string;
  description: string | null;
  logo_url: string | null;
  city: string | null;
  state: string | null;
  website: string | null;
  cashback_percent: string;
  weekly_rate_percent: string;
  max_installments: number;
  /** In centavos. */
  min_amount: number;
  max_amount: number;
  merchant_fee_percent: string;
  payout_days: number;
  listed: boolean;
};

const MERCHANTS = sql`
  select slug, name, category_slug as category, description, logo_url, city, state, website, cashback_percent,
         weekly_rate_percent, max_installments, min_amount_cents as min_amount, max_amount_cents as max_amount,
         merchant_fee_percent, payout_days, listed
  from merchants`;

export function lockMerchants(tx: Tx, slugs: string[]): Promise<MerchantRecord[]> {
  return tx.rows(sql`${MERCHANTS} where slug = any(${slugs}) for no key update`);
}

export function listMerchantsAfter(db: Queryable, slug: string, limit: number): Promise<MerchantRecord[]> {
  return db.rows(sql`${MERCHANTS} where slug > ${slug} order by slug limit ${limit}`);
}

const noCategory = (slug: string): RecordFault => ({
  field: 'category',
  message: { en: `there is no category '${slug}'`, pt: `não há categoria '${slug}'` },
});

const BOUNDS_REVERSED: RecordFault = {
  field: 'max_amount',
  message: { en: 'is less than min_amount', pt: 'é menor que min_amount' },
};

export async function insertMerchants(tx: Tx, records: MerchantRecord[]): Promise<Map<number, RecordFault>> {
  const wanted = [...new Set(records.map((r) => r.category))];
  // Shared lock: a category cannot be deleted between this check and the write.
  const known = await tx.rows<{ slug: string }>(
    sql`select slug from categories where slug = any(${wanted}) for share`,
  );
  const slugs = new Set(known.map((category) => category.slug));
  const refused = new Map<number, RecordFault>();
  records.forEach((record, i) => {
    if (!slugs.has(record.category)) refused.set(i, noCategory(record.category));
    else if (record.max_amount < record.min_amount) refused.set(i, BOUNDS_REVERSED);
  });
  const good = records.filter((_, i) => !refused.has(i));
  if (good.length === 0) return refused;
  await tx.run(sql`
    insert into merchants as m (slug, name, name_key, category_slug, description, logo_url, city, state, website,
                                cashback_percent, weekly_rate_percent, max_installments, min_amount_cents,
                                max_amount_cents, merchant_fee_percent, payout_days, listed)
    select * from unnest(
      ${good.map((r) => r.slug)}::text[], ${good.map((r) => r.name)}::text[], ${good.map((r) => fold(r.name))}::text[],
      ${good.map((r) => r.category)}::text[], ${good.map((r) => r.description)}::text[],
      ${good.map((r) => r.logo_url)}::text[], ${good.map((r) => r.city)}::text[], ${good.map((r) => r.state)}::text[],
      ${good.map((r) => r.website)}::text[], ${good.map((r) => r.cashback_percent)}::numeric[],
      ${good.map((r) => r.weekly_rate_percent)}::numeric[], ${good.map((r) => r.max_installments)}::smallint[],
      ${good.map((r) => r.min_amount)}::bigint[], ${good.map((r) => r.max_amount)}::bigint[],
      ${good.map((r) => r.merchant_fee_percent)}::numeric[], ${good.map((r) => r.payout_days)}::smallint[],
      ${good.map((r) => r.listed)}::boolean[])
    on conflict (slug) do update set
      (name, name_key, category_slug, description, logo_url, city, state, website, cashback_percent,
       weekly_rate_percent, max_installments, min_amount_cents, max_amount_cents, merchant_fee_percent, payout_days,
       listed) =
      (excluded.name, excluded.name_key, excluded.category_slug, excluded.description, excluded.logo_url,
       excluded.city, excluded.state, excluded.website, excluded.cashback_percent, excluded.weekly_rate_percent,
       excluded.max_installments, excluded.min_amount_cents, excluded.max_amount_cents,
       excluded.merchant_fee_percent, excluded.payout_days, excluded.listed)
    where (m.name, m.name_key, m.category_slug, m.description, m.logo_url, m.city, m.state, m.website,
           m.cashback_percent, m.weekly_rate_percent, m.max_installments, m.min_amount_cents, m.max_amount_cents,
           m.merchant_fee_percent, m.payout_days, m.listed)
      is distinct from (excluded.name, excluded.name_key, excluded.category_slug, excluded.description,
           excluded.logo_url, excluded.city, excluded.state, excluded.website, excluded.cashback_percent,
           excluded.weekly_rate_percent, excluded.max_installments, excluded.min_amount_cents,
           excluded.max_amount_cents, excluded.merchant_fee_percent, excluded.payout_days, excluded.listed)`);
  return refused;
}

type FaqRecord = FaqRow & { position: number; listed: boolean };

export function lockFaq(tx: Tx, ids: string[]): Promise<FaqRecord[]> {
  return tx.rows(sql`
    select id, topic, question, answer, position, listed from faq_entries where id = any(${ids}) for no key update`);
}

export function listFaqAfter(db: Queryable, id: string, limit: number): Promise<FaqRecord[]> {
  return db.rows(sql`
    select id, topic, question, answer, position, listed from faq_entries where id > ${id} order by id limit ${limit}`);
}

export async function insertFaq(tx: Tx, records: FaqRecord[]) {
  await tx.run(sql`
    insert into faq_entries as f (id, topic, question, answer, position, listed)
    select * from unnest(
      ${records.map((r) => r.id)}::text[], ${records.map((r) => r.topic)}::text[],
      ${records.map((r) => r.question)}::text[], ${records.map((r) => r.answer)}::text[],
      ${records.map((r) => r.position)}::integer[], ${records.map((r) => r.listed)}::boolean[])
    on conflict (id) do update set
      topic = excluded.topic, question = excluded.question, answer = excluded.answer, position = excluded.position,
      listed = excluded.listed
    where (f.topic, f.question, f.answer, f.position, f.listed)
      is distinct from (excluded.topic, excluded.question, excluded.answer, excluded.position, excluded.listed)`);
  return NONE_REFUSED;
}

type PostRecord = Omit<PostRow, 'published_at'> & { published_at: Date | null; body: string };

export function lockPosts(tx: Tx, slugs: string[]): Promise<PostRecord[]> {
  return tx.rows(sql`
    select slug, title, summary, cover_url, author, tags, published_at, body
    from posts where slug = any(${slugs}) for no key update`);
}

export function listPostsAfter(db: Queryable, slug: string, limit: number): Promise<PostRecord[]> {
  return db.rows(sql`
    select slug, title, summary, cover_url, author, tags, published_at, body
    from posts where slug > ${slug} order by slug limit ${limit}`);
}

const sharedRenderer = new PostRenderer();

const TAKES_TOO_LONG: RecordFault = {
  field: 'body',
  message: {
    en: 'takes too long to turn into HTML: write it with less nesting of brackets and marks',
    pt: 'demora demais para virar HTML: escreva com menos colchetes e marcas aninhados',
  },
};

export async function insertPosts(
  tx: Tx,
  records: PostRecord[],
  renderer: Pick<PostRenderer, 'render'> = sharedRenderer,
): Promise<Map<number, RecordFault>> {
  const refused = new Map<number, RecordFault>();
  const good: Array<PostRecord & { body_html: string }> = [];
  for (const [i, record] of records.entries()) {
    const body_html = await renderer.render(record.body);
    if (body_html === undefined) refused.set(i, TAKES_TOO_LONG);
    else good.push({ ...record, body_html });
  }
  if (good.length === 0) return refused;
  // Tags are passed as JSON: unnest would flatten an array of arrays.
  await tx.run(sql`
    insert into posts as p (slug, title, summary, cover_url, author, tags, published_at, body, body_html)
    select slug, title, summary, cover_url, author,
           array(select jsonb_array_elements_text(tags::jsonb)), published_at, body, body_html
    from unnest(
      ${good.map((r) => r.slug)}::text[], ${good.map((r) => r.title)}::text[],
      ${good.map((r) => r.summary)}::text[], ${good.map((r) => r.cover_url)}::text[],
      ${good.map((r) => r.author)}::text[], ${good.map((r) => JSON.stringify(r.tags))}::text[],
      ${good.map((r) => r.published_at)}::timestamptz[], ${good.map((r) => r.body)}::text[],
      ${good.map((r) => r.body_html)}::text[])
      as r (slug, title, summary, cover_url, author, tags, published_at, body, body_html)
    on conflict (slug) do update set
      title = excluded.title, summary = excluded.summary, cover_url = excluded.cover_url, author = excluded.author,
      tags = excluded.tags, published_at = excluded.published_at, body = excluded.body, body_html = excluded.body_html
    where (p.title, p.summary, p.cover_url, p.author, p.tags, p.published_at, p.body, p.body_html)
      is distinct from (excluded.title, excluded.summary, excluded.cover_url, excluded.author, excluded.tags,
                        excluded.published_at, excluded.body, excluded.body_html)`);
  return refused;
}
