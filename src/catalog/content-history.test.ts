import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { type Queryable, type Sql, sql, type Tx } from '#platform/database/db.ts';
import { eventually, type Node, openService } from '../../test/harness.ts';

// Runs random histories of a small catalog. After every step both nodes must return the same as a slow SQL query, at every endpoint.

const service = await openService();
const nodes = [service, await service.startNode()];
await service.db.run(sql`create extension if not exists unaccent`);

const SHOP_COUNT = 30;
const SHOPS_READ_BY_SLUG = [0, 1, 2, 3];
const CATEGORIES = ['pedra', 'vidro', 'sisal'];
// No two words are one typo apart, so the SQL need not handle typos.
const WORDS = ['Água', 'BAMBU', 'cravo', 'Dália', 'Ébano', 'feltro', 'Girassol'];
const SEARCHES = ['agua', 'BAM', 'cravo dal', 'ébano', 'gira', 'pedra', 'vidro feltro', 'olinda'];

const anyShop = fc.nat(SHOP_COUNT - 1);
const anyCategory = fc.constantFrom(...CATEGORIES);
const anyName = fc
  .array(fc.constantFrom(...WORDS), { minLength: 1, maxLength: 3 })
  .map((words) => words.join(' '));

type Change = { description: string; apply(tx: Tx): Promise<unknown> };
const defineChange = (description: string, ...statements: Sql[]): Change => ({
  description,
  async apply(tx) {
    for (const statement of statements) await tx.run(statement);
  },
});
const toSlug = (number: number) => `shop-${number}`;

// Nodes sort by the name itself, so the name key may be empty.
const putMerchant = fc.tuple(anyShop, anyName, anyCategory).map(([number, name, category]) =>
  defineChange(
    `put ${number} '${name}' ${category}`,
    sql`
      insert into merchants (slug, name, name_key, category_slug) values (${toSlug(number)}, ${name}, '', ${category})
      on conflict (slug) do update set name = excluded.name, category_slug = excluded.category_slug, listed = true`,
  ),
);
const renameMerchant = fc
  .tuple(anyShop, anyName)
  .map(([number, name]) =>
    defineChange(
      `rename ${number} '${name}'`,
      sql`update merchants set name = ${name} where slug = ${toSlug(number)}`,
    ),
  );
const toggleListed = anyShop.map((number) =>
  defineChange(
    `list or unlist ${number}`,
    sql`update merchants set listed = not listed where slug = ${toSlug(number)}`,
  ),
);
const removeMerchant = anyShop.map((number) =>
  defineChange(`remove ${number}`, sql`delete from merchants where slug = ${toSlug(number)}`),
);
const swapSlugs = fc
  .tuple(anyShop, anyShop)
  .map(([firstShop, secondShop]) =>
    defineChange(
      `swap ${firstShop} and ${secondShop}`,
      sql`update merchants set slug = 'in-between' where slug = ${toSlug(firstShop)}`,
      sql`update merchants set slug = ${toSlug(firstShop)} where slug = ${toSlug(secondShop)}`,
      sql`update merchants set slug = ${toSlug(secondShop)} where slug = 'in-between'`,
    ),
  );
const moveMerchants = fc
  .tuple(anyCategory, anyCategory)
  .map(([from, to]) =>
    defineChange(
      `move all of ${from} to ${to}`,
      sql`update merchants set category_slug = ${to}, city = 'Olinda' where category_slug = ${from}`,
    ),
  );
// A category may get a word of the shops as its name, because a search compares both.
const renameCategory = fc
  .tuple(anyCategory, fc.constantFrom(...CATEGORIES, 'Feltro', 'Água'))
  .map(([category, name]) =>
    defineChange(
      `rename category ${category} to '${name}'`,
      sql`update categories set name = ${name} where slug = ${category}`,
    ),
  );
const renameAllMerchants = anyName.map((name) =>
  defineChange(`rename all to '${name}'`, sql`update merchants set name = ${name}`),
);
const truncate = fc.constant(defineChange('truncate', sql`truncate merchants`));
const cutChangeFeed = fc.constant(
  defineChange(
    'cut the change feed',
    sql`select pg_terminate_backend(pid) from pg_stat_activity
        where application_name = 'semana changeFeed' and datname = current_database()`,
  ),
);

const singleChange = fc.oneof(
  { arbitrary: putMerchant, weight: 6 },
  { arbitrary: renameMerchant, weight: 3 },
  { arbitrary: toggleListed, weight: 3 },
  { arbitrary: swapSlugs, weight: 5 },
  removeMerchant,
  moveMerchants,
  renameCategory,
  { arbitrary: renameAllMerchants, weight: 2 },
);
/** A transaction, which one time in eight is rolled back: then none of its changes may be seen. */
const anyTransaction = fc.record({
  changes: fc.oneof(
    { arbitrary: fc.array(singleChange, { minLength: 1, maxLength: 4 }), weight: 12 },
    { arbitrary: fc.tuple(cutChangeFeed, singleChange), weight: 1 },
    { arbitrary: fc.tuple(truncate), weight: 1 },
  ),
  isCommitted: fc.nat(7).map((number) => number < 7),
});

test('after any history of changes both nodes return the same as a SQL query', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(anyTransaction, { minLength: 1, maxLength: 8 }), async (steps) => {
      await service.db.transaction(resetCatalog);
      await assertBothMatch('start');
      for (const { changes, isCommitted } of steps) {
        const description = `${changes.map((change) => change.description).join(', ')}${isCommitted ? '' : ' (rolled back)'}`;
        await service.db
          .transaction(async (tx) => {
            for (const change of changes) await change.apply(tx);
            if (!isCommitted) throw new RolledBack();
          })
          .catch((error: unknown) => assert.ok(error instanceof RolledBack, String(error)));
        await assertBothMatch(description);
      }
    }),
    { numRuns: 6 },
  );
});

class RolledBack extends Error {}

async function resetCatalog(tx: Tx): Promise<void> {
  await tx.run(sql`truncate merchants, categories cascade`);
  await tx.run(
    sql`insert into categories (slug, name) select category, category from unnest(${CATEGORIES}::text[]) as category`,
  );
  await tx.run(sql`
    insert into merchants (slug, name, name_key, category_slug)
    select 'shop-' || i, (${WORDS}::text[])[1 + i / 2 % 3], '', (${CATEGORIES}::text[])[1 + i % 3]
    from generate_series(0, ${SHOP_COUNT - 1}::int, 2) as i`);
}

async function assertBothMatch(description: string): Promise<void> {
  const expectedCatalog = await readFromSql(service.db);
  for (const node of nodes) {
    const readIfSame = async () => {
      const catalog = await readFromNode(node);
      return JSON.stringify(catalog) === JSON.stringify(expectedCatalog) && catalog;
    };
    // On timeout, the assertion reports the difference.
    const actualCatalog = await eventually('the node has the changes', readIfSame).catch(() =>
      readFromNode(node),
    );
    assert.deepEqual(actualCatalog, expectedCatalog, description);
  }
}

type Catalog = {
  all: unknown[];
  categories: unknown[];
  byCategory: Record<string, unknown[]>;
  /** By search text. Sorted, because the SQL does not rank the results of a search. */
  foundSlugs: Record<string, string[]>;
  bySlug: Record<string, unknown>;
};

async function readFromNode(node: Node): Promise<Catalog> {
  const get = async (path: string) => (await node.get(path)).body;
  const listPage = async (query: string) => {
    const { data, pagination } = await get(`/public/merchants?limit=100${query}`);
    assert.equal(pagination.total, data.length);
    return data as Array<{ slug: string }>;
  };
  const catalog: Catalog = {
    all: await listPage(''),
    categories: [],
    byCategory: {},
    foundSlugs: {},
    bySlug: {},
  };
  catalog.categories = (await get('/public/categories')).data;
  for (const category of CATEGORIES) catalog.byCategory[category] = await listPage(`&category=${category}`);
  for (const q of SEARCHES) {
    catalog.foundSlugs[q] = (await listPage(`&q=${encodeURIComponent(q)}`))
      .map((merchant) => merchant.slug)
      .toSorted();
  }
  for (const number of SHOPS_READ_BY_SLUG) {
    const { status, body } = await node.get(`/public/merchants/${toSlug(number)}`);
    catalog.bySlug[toSlug(number)] = status === 200 ? body : status;
  }
  return catalog;
}

type Row = { merchant: { slug: string; category: { slug: string } }; text: string };

async function readFromSql(db: Queryable): Promise<Catalog> {
  const rows = await db.rows<Row>(sql`
    select json_build_object(
        'slug', merchant.slug, 'name', merchant.name,
        'category', json_build_object('slug', category.slug, 'name', category.name),
        'description', merchant.description, 'logo_url', merchant.logo_url,
        'city', merchant.city, 'state', merchant.state, 'website', merchant.website,
        'cashback_percent', merchant.cashback_percent::float8) as merchant,
      lower(unaccent(concat_ws(' ', merchant.name, category.name, merchant.city))) as text
    from merchants merchant join categories category on category.slug = merchant.category_slug where merchant.listed
    order by lower(unaccent(merchant.name)) collate "C", merchant.slug collate "C"`);
  const categories = await db.rows(sql`
    select category.slug, category.name,
           (select count(*) from merchants merchant where merchant.category_slug = category.slug and merchant.listed) as merchants
    from categories category order by lower(unaccent(category.name)) collate "C", category.slug collate "C"`);
  const merchants = rows.map(({ merchant }) => merchant);
  const catalog: Catalog = { all: merchants, categories, byCategory: {}, foundSlugs: {}, bySlug: {} };
  for (const category of CATEGORIES) {
    catalog.byCategory[category] = merchants.filter((merchant) => merchant.category.slug === category);
  }
  for (const q of SEARCHES) {
    const words = q.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase().split(' ');
    // A word of the search is the beginning of a word of the text.
    const matchesAllWords = ({ text }: Row) => words.every((word) => ` ${text}`.includes(` ${word}`));
    catalog.foundSlugs[q] = rows
      .filter(matchesAllWords)
      .map(({ merchant }) => merchant.slug)
      .toSorted();
  }
  for (const number of SHOPS_READ_BY_SLUG) {
    catalog.bySlug[toSlug(number)] = merchants.find((merchant) => merchant.slug === toSlug(number)) ?? 404;
  }
  return catalog;
}
