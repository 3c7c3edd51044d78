import { type Queryable, type Sql, sql, type Tx } from '#platform/db.ts';
import { stillUsed } from '../problems.ts';
import { fold } from '../search/fold.ts';

type At = { offset: number; limit: number };
type Found = Promise<{ total: number; rows: unknown[] }>;

async function page(db: Queryable, rows: Sql, count: Sql): Found {
  const [found, counted] = await Promise.all([db.rows(rows), db.row<{ total: number }>(count)]);
  return { total: counted!.total, rows: found };
}

/** By name; `q` is how the name begins. */
export function listMerchantsForStaff(
  db: Queryable,
  { q, category, listed }: { q?: string; category?: string; listed?: 'true' | 'false' },
  { offset, limit }: At,
): Found {
  const begins = q === undefined ? null : `${fold(q).replace(/[\\%_]/g, '\\$&')}%`;
  const where = sql`
    (${begins}::text is null or name_key like ${begins}) and (${category ?? null}::text is null or category_slug = ${category ?? null})
    and (${listed ?? null}::boolean is null or listed = ${listed ?? null})`;
  return page(
    db,
    sql`
      select slug, name, category_slug as category, description, logo_url, city, state, website, cashback_percent,
             weekly_rate_percent, max_installments, min_amount_cents as min_amount, max_amount_cents as max_amount,
             merchant_fee_percent, payout_days, listed
      from merchants where ${where} order by name_key, id limit ${limit} offset ${offset}`,
    sql`select count(*) as total from merchants where ${where}`,
  );
}

export function listCategoriesForStaff(db: Queryable, _: object, { offset, limit }: At): Found {
  return page(
    db,
    sql`select slug, name from categories order by slug limit ${limit} offset ${offset}`,
    sql`select count(*) as total from categories`,
  );
}

export function listAllFaq(db: Queryable, { topic }: { topic?: string }, { offset, limit }: At): Found {
  const where = sql`(${topic ?? null}::text is null or topic = ${topic ?? null})`;
  return page(
    db,
    sql`
      select id, topic, question, answer, position, listed from faq_entries
      where ${where} order by topic, position, id limit ${limit} offset ${offset}`,
    sql`select count(*) as total from faq_entries where ${where}`,
  );
}

/** Drafts first, then the newest. */
export function listAllPosts(db: Queryable, _: object, { offset, limit }: At): Found {
  return page(
    db,
    sql`
      select slug, title, summary, cover_url, author, tags, published_at, body from posts
      order by published_at desc nulls first, slug limit ${limit} offset ${offset}`,
    sql`select count(*) as total from posts`,
  );
}

/** Old purchases keep what it was called. */
export async function removeMerchant(tx: Tx, slug: string): Promise<void> {
  await tx.run(sql`delete from merchants where slug = ${slug}`);
}

export async function removeCategory(tx: Tx, slug: string): Promise<void> {
  const used = await tx.row<{ merchants: number }>(
    sql`select count(*) as merchants from merchants where category_slug = ${slug}`,
  );
  if (used!.merchants > 0) throw stillUsed(`${used!.merchants} merchants belong to '${slug}'.`);
  await tx.run(sql`delete from categories where slug = ${slug}`);
}

export async function removeFaq(tx: Tx, id: string): Promise<void> {
  await tx.run(sql`delete from faq_entries where id = ${id}`);
}

export async function removePost(tx: Tx, slug: string): Promise<void> {
  await tx.run(sql`delete from posts where slug = ${slug}`);
}
