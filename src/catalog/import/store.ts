import { lockKey } from '#platform/database/advisory-locks.ts';
import { column, columns, type RowOf } from '#platform/database/columns.ts';
import { type Queryable, sql, type Tx } from '#platform/database/db.ts';
import { PostRenderer } from '../post-renderer.ts';
import { fold } from '../search/fold.ts';
import type { CategoryRow } from '../store.ts';
import type { RecordFault } from './fields.ts';

// Each insert writes a batch in one statement, replaces rows with the same key, and skips rows that would not change, so that
// importing the same file again invalidates no cache.

/**
 * One import at a time. Otherwise a record that another import adds meanwhile would count as new here, and lose the columns
 * this file does not have.
 */
export const lockImports = (tx: Tx) => lockKey(tx, 'catalog import');

/** Of two requests that create the same record at once, the second waits and then finds it. */
export const lockCreation = (tx: Tx, kind: string, key: string) => lockKey(tx, 'catalog creation', kind, key);

const NONE_REFUSED = new Map<number, RecordFault>();

export const lockCategories = (tx: Tx, slugs: string[]) =>
  tx.rows<CategoryRow>(sql`select slug, name from categories where slug = any(${slugs}) for no key update`);

export const listCategoriesAfter = (db: Queryable, slug: string, limit: number) =>
  db.rows<CategoryRow>(
    sql`select slug, name from categories where slug > ${slug} order by slug limit ${limit}`,
  );

export async function insertCategories(tx: Tx, records: CategoryRow[]) {
  await tx.run(sql`
    insert into categories as c (slug, name)
    select * from unnest(${records.map((r) => r.slug)}::text[], ${records.map((r) => r.name)}::text[])
    on conflict (slug) do update set name = excluded.name where c.name <> excluded.name`);
  return NONE_REFUSED;
}

/** What a file of merchants calls as the table does. */
const shared = columns({
  slug: column.text(),
  name: column.text(),
  description: column.text().nullable(),
  logo_url: column.text().nullable(),
  city: column.text().nullable(),
  state: column.text().nullable(),
  website: column.text().nullable(),
  cashback_percent: column.numeric(),
  weekly_rate_percent: column.numeric(),
  max_installments: column.smallint(),
  merchant_fee_percent: column.numeric(),
  payout_days: column.smallint(),
  listed: column.boolean(),
});
const merchants = columns({
  name_key: column.text(),
  category_slug: column.text(),
  min_amount_cents: column.bigint(),
  max_amount_cents: column.bigint(),
  ...shared.declared,
});

export type MerchantRecord = RowOf<typeof shared> & {
  category: string;
  /** In centavos. */
  min_amount: number;
  max_amount: number;
};

const MERCHANTS = sql`
  select ${shared.of('m')}, category_slug as category, min_amount_cents as min_amount, max_amount_cents as max_amount
  from merchants m`;

export const lockMerchants = (tx: Tx, slugs: string[]) =>
  tx.rows<MerchantRecord>(sql`${MERCHANTS} where slug = any(${slugs}) for no key update`);

export const listMerchantsAfter = (db: Queryable, slug: string, limit: number) =>
  db.rows<MerchantRecord>(sql`${MERCHANTS} where slug > ${slug} order by slug limit ${limit}`);

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
  const rows = good.map((record) => ({
    ...record,
    name_key: fold(record.name),
    category_slug: record.category,
    min_amount_cents: record.min_amount,
    max_amount_cents: record.max_amount,
  }));
  await tx.run(sql`
    insert into merchants as m ${merchants.each(rows)} on conflict (slug) do update set ${merchants.excluded}
    where (${merchants.of('m')}) is distinct from (${merchants.of('excluded')})`);
  return refused;
}

const faq = columns({
  id: column.text(),
  topic: column.text(),
  question: column.text(),
  answer: column.text(),
  position: column.integer(),
  listed: column.boolean(),
});
type FaqRecord = RowOf<typeof faq>;

export const lockFaq = (tx: Tx, ids: string[]) =>
  tx.rows<FaqRecord>(sql`select * from faq_entries where id = any(${ids}) for no key update`);

export const listFaqAfter = (db: Queryable, id: string, limit: number) =>
  db.rows<FaqRecord>(sql`select * from faq_entries where id > ${id} order by id limit ${limit}`);

export async function insertFaq(tx: Tx, records: FaqRecord[]) {
  await tx.run(sql`
    insert into faq_entries as f ${faq.each(records)} on conflict (id) do update set ${faq.excluded}
    where (${faq.of('f')}) is distinct from (${faq.of('excluded')})`);
  return NONE_REFUSED;
}

const posts = columns({
  slug: column.text(),
  title: column.text(),
  summary: column.text(),
  cover_url: column.text().nullable(),
  author: column.text(),
  tags: column.textArray(),
  published_at: column.timestamptz().nullable(),
  body: column.text(),
});
type PostRecord = RowOf<typeof posts>;
const renderedPosts = columns({ ...posts.declared, body_html: column.text() });

export const lockPosts = (tx: Tx, slugs: string[]) =>
  tx.rows<PostRecord>(sql`select ${posts.of('p')} from posts p where slug = any(${slugs}) for no key update`);

export const listPostsAfter = (db: Queryable, slug: string, limit: number) =>
  db.rows<PostRecord>(
    sql`select ${posts.of('p')} from posts p where slug > ${slug} order by slug limit ${limit}`,
  );

const sharedRenderer = new PostRenderer();

/** As it is stored with a post. Undefined: it takes too long. */
export const renderBody = (body: string): Promise<string | undefined> => sharedRenderer.render(body);

export const TAKES_TOO_LONG: RecordFault = {
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
  await tx.run(sql`
    insert into posts as p ${renderedPosts.each(good)} on conflict (slug) do update set ${renderedPosts.excluded}
    where (${renderedPosts.of('p')}) is distinct from (${renderedPosts.of('excluded')})`);
  return refused;
}
