import type { Deps } from '#module';
import { unpooled } from '#platform/database/unpooled.ts';
import type { Range } from '#platform/http/listing.ts';
import { type Changes, SyncedCache } from '#platform/nodes/synced-cache.ts';
import { service } from '#platform/service.ts';
import { absoluteUrl } from './absolute-url.ts';
import { nameKey } from './search/fold.ts';
import { SearchIndex } from './search/search-index.ts';
import {
  type CategoryRow,
  listCategories,
  listMerchantsByName,
  listMerchantsByRevision,
  type MerchantRow,
} from './store.ts';

/** Merchants read per query: a few milliseconds of work before the event loop runs again. */
const CHUNK = 150;

/** A merchant with its JSON as bytes, serialised once. */
type CachedMerchant = { id: number; slug: string; sortKey: string; categorySlug: string; json: Buffer };

type Selection = Range & { q?: string | undefined; category?: string | undefined };

/** What a purchase shows of its merchant; the logo's address as stored, relative or absolute. */
type MerchantIdentity = { slug: string; name: string; logoUrl: string | null };

type CacheDeps = Pick<Deps, 'db' | 'changeFeed' | 'log' | 'publicUrl'> & { readonly onChange: () => void };

export const merchantCache = service<MerchantCache>('merchants');

/**
 * All listed merchants in memory as JSON bytes: by slug, sorted by name (all, and by category), and in a search index. Also the
 * identity of every merchant, listed or not. The cost of a page depends on its size only, and `total` is an array's length. Answers
 * made from it may be cached only while it is current.
 */
export class MerchantCache extends SyncedCache {
  readonly #deps: CacheDeps;
  #stock = new Stock([]);

  constructor(deps: CacheDeps) {
    super({
      changeFeed: deps.changeFeed,
      topic: 'merchants',
      apply: (changes) => this.#apply(changes),
      onFailure: (error) => deps.log.warn({ err: error }, 'merchants could not be read again yet'),
    });
    this.#deps = deps;
  }

  /** Listed or not; undefined when it was removed. */
  identify(id: number): MerchantIdentity | undefined {
    return this.#stock.identities.get(id);
  }

  find(slug: string): Buffer | undefined {
    return this.#stock.bySlug.get(slug)?.json;
  }

  select({ q, category, offset, limit }: Selection) {
    const stock = this.#stock;
    if (q !== undefined) {
      const { total, ids } = stock.index.search(q, { categorySlug: category, offset, limit });
      return { total, items: ids.map((id) => stock.byId.get(id)!.json) };
    }
    const row = category === undefined ? stock.all : (stock.byCategory.get(category) ?? []);
    return { total: row.length, items: row.slice(offset, offset + limit).map((merchant) => merchant.json) };
  }

  categories(): Array<CategoryRow & { merchants: number }> {
    const { categories, byCategory } = this.#stock;
    return categories.map(({ slug, name }) => ({ slug, name, merchants: byCategory.get(slug)?.length ?? 0 }));
  }

  async #apply(changes: Changes): Promise<void> {
    this.#deps.onChange();
    const revisions = changes === 'everything' ? [] : changes.map(readRevision);
    if (changes === 'everything' || revisions.includes(undefined)) await this.#reload();
    else await this.#applyChanges(Math.min(...(revisions as number[])));
    this.#deps.onChange();
  }

  /** Reads all merchants into a new `Stock`, and replaces the old one when it is complete. */
  async #reload(): Promise<void> {
    const stock = new Stock(await listCategories(this.#deps.db));
    let after = { nameKey: '', id: 0 };
    for (;;) {
      const rows = await listMerchantsByName(this.#deps.db, after, CHUNK);
      for (const row of rows) this.#take(stock, row);
      const last = rows.at(-1);
      if (!last || rows.length < CHUNK) break;
      after = { nameKey: last.name_key, id: last.id };
    }
    this.#stock = stock;
  }

  /** Applies what was written at this revision or later. */
  async #applyChanges(firstRevision: number): Promise<void> {
    let from = firstRevision;
    for (;;) {
      const rows = await listMerchantsByRevision(this.#deps.db, from, CHUNK);
      for (const row of rows) this.#take(this.#stock, row);
      const last = rows.at(-1);
      if (!last || rows.length < CHUNK) return;
      from = last.revision + 1;
    }
  }

  #take(stock: Stock, row: MerchantRow): void {
    stock.identities.set(row.id, { slug: row.slug, name: row.name, logoUrl: row.logo_url });
    if (row.listed) stock.put(row, this.#serialise(row));
    else stock.remove(row.id);
  }

  #serialise(row: MerchantRow): CachedMerchant {
    const answer = {
      slug: row.slug,
      name: row.name,
      category: { slug: row.category_slug, name: row.category_name },
      description: row.description,
      logo_url: absoluteUrl(row.logo_url, this.#deps.publicUrl()),
      city: row.city,
      state: row.state,
      website: row.website,
      cashback_percent: Number(row.cashback_percent),
    };
    return {
      id: row.id,
      slug: row.slug,
      sortKey: nameKey(row.name, row.slug),
      categorySlug: row.category_slug,
      json: unpooled(JSON.stringify(answer)),
    };
  }
}

/** The number in 'from 123'; any other message of the trigger ('all') means a full reload. */
function readRevision(change: string): number | undefined {
  const [, revision] = /^from (\d+)$/.exec(change) ?? [];
  return revision === undefined ? undefined : Number(revision);
}

class Stock {
  readonly categories: CategoryRow[];
  readonly identities = new Map<number, MerchantIdentity>();
  readonly byId = new Map<number, CachedMerchant>();
  readonly bySlug = new Map<string, CachedMerchant>();
  readonly all: CachedMerchant[] = [];
  readonly byCategory = new Map<string, CachedMerchant[]>();
  readonly index = new SearchIndex();

  constructor(categories: CategoryRow[]) {
    this.categories = categories.toSorted((a, b) =>
      nameKey(a.name, a.slug) < nameKey(b.name, b.slug) ? -1 : 1,
    );
  }

  put(row: MerchantRow, merchant: CachedMerchant): void {
    this.remove(merchant.id);
    this.byId.set(merchant.id, merchant);
    this.bySlug.set(merchant.slug, merchant);
    insertSorted(this.all, merchant);
    const ofCategory = this.byCategory.get(merchant.categorySlug) ?? [];
    this.byCategory.set(merchant.categorySlug, ofCategory);
    insertSorted(ofCategory, merchant);
    this.index.put({ ...row, category: { slug: row.category_slug, name: row.category_name } });
  }

  remove(id: number): void {
    const merchant = this.byId.get(id);
    if (!merchant) return;
    this.byId.delete(id);
    // If two merchants swapped slugs, this slug may already belong to the other.
    if (this.bySlug.get(merchant.slug) === merchant) this.bySlug.delete(merchant.slug);
    removeSorted(this.all, merchant);
    removeSorted(this.byCategory.get(merchant.categorySlug)!, merchant);
    this.index.remove(id);
  }
}

function insertSorted(row: CachedMerchant[], merchant: CachedMerchant): void {
  // Fast path: rows mostly arrive in order of name.
  if (row.length === 0 || row.at(-1)!.sortKey < merchant.sortKey) row.push(merchant);
  else row.splice(placeOf(row, merchant.sortKey), 0, merchant);
}

function removeSorted(row: CachedMerchant[], merchant: CachedMerchant): void {
  // While two merchants of the same name swap slugs, both have the same key for a moment: hence indexOf.
  row.splice(row.indexOf(merchant, placeOf(row, merchant.sortKey)), 1);
}

/** Binary search for the first position with this key or a greater one. */
function placeOf(row: CachedMerchant[], sortKey: string): number {
  let low = 0;
  let high = row.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (row[middle]!.sortKey < sortKey) low = middle + 1;
    else high = middle;
  }
  return low;
}
