import type { Deps } from '#module';
import { copyUnpooled } from '#platform/database/unpooled.ts';
import type { PageRange } from '#platform/http/list-query.ts';
import { type Changes, SyncedCache } from '#platform/nodes/synced-cache.ts';
import { defineService } from '#platform/service.ts';
import { toAbsoluteUrl } from './media/media.ts';
import { buildNameKey } from './search/fold.ts';
import { SearchIndex } from './search/search-index.ts';
import {
  type CategoryRow,
  listCategories,
  listMerchantsByName,
  listMerchantsByRevision,
  type MerchantRow,
} from './store.ts';

/** Number of merchants read per query: a few milliseconds of work before the event loop runs again. */
const CHUNK_SIZE = 150;

/** A merchant with its JSON as bytes, serialised once. */
type CachedMerchant = { id: number; slug: string; sortKey: string; categorySlug: string; json: Buffer };

type Selection = PageRange & { q?: string | undefined; category?: string | undefined };

/** The fields of a merchant that purchases refer to. The URL of the logo may be relative, as it is stored. */
type MerchantIdentity = { slug: string; name: string; logoUrl: string | null };

type CacheDeps = Pick<Deps, 'db' | 'changeFeed' | 'log' | 'publicUrl'> & { readonly onChange: () => void };

export const merchantCache = defineService<MerchantCache>('merchants');

/**
 * Holds all listed merchants in memory as JSON bytes: by slug, sorted by name (overall and per category), and in a search index.
 * Also holds the identity of every merchant, listed or not. The cost of a page depends only on its size. Responses built from this
 * cache may be cached only while it is current.
 */
export class MerchantCache extends SyncedCache {
  readonly #deps: CacheDeps;
  #snapshot = new Snapshot([]);

  constructor(deps: CacheDeps) {
    super({
      changeFeed: deps.changeFeed,
      topic: 'merchants',
      apply: (changes) => this.#apply(changes),
      onFailure: (error) => deps.log.warn({ err: error }, 'reloading the merchants failed; it is retried'),
    });
    this.#deps = deps;
  }

  /** Finds a merchant, listed or not. Returns undefined if it was removed. */
  identify(id: number): MerchantIdentity | undefined {
    return this.#snapshot.identities.get(id);
  }

  findJson(slug: string): Buffer | undefined {
    return this.#snapshot.bySlug.get(slug)?.json;
  }

  /** Finds listed merchants like the public search, which tolerates typos, best match first. */
  findIds(q: string, limit: number): readonly number[] {
    return this.#snapshot.index.search(q, { offset: 0, limit }).ids;
  }

  selectPage({ q, category, offset, limit }: Selection) {
    const snapshot = this.#snapshot;
    if (q !== undefined) {
      const { total, ids } = snapshot.index.search(q, { categorySlug: category, offset, limit });
      return { total, items: ids.map((id) => snapshot.byId.get(id)!.json) };
    }
    const merchants =
      category === undefined ? snapshot.allMerchants : (snapshot.byCategory.get(category) ?? []);
    const page = merchants.slice(offset, offset + limit);
    return { total: merchants.length, items: page.map((merchant) => merchant.json) };
  }

  listCategories(): Array<CategoryRow & { merchants: number }> {
    const { categories, byCategory } = this.#snapshot;
    return categories.map(({ slug, name }) => ({ slug, name, merchants: byCategory.get(slug)?.length ?? 0 }));
  }

  async #apply(changes: Changes): Promise<void> {
    const revisions = changes === 'everything' ? [] : changes.map(parseRevision);
    if (changes === 'everything' || revisions.includes(undefined)) await this.#reload();
    else await this.#applyChanges(Math.min(...(revisions as number[])));
    this.#deps.onChange();
  }

  /** Reads all merchants into a new snapshot, and replaces the old one when it is complete. */
  async #reload(): Promise<void> {
    const snapshot = new Snapshot(await listCategories(this.#deps.db));
    await this.#putAll(snapshot, (lastRow) => {
      // Every merchant comes after the empty name key.
      const after = { nameKey: lastRow?.name_key ?? '', id: lastRow?.id ?? 0 };
      return listMerchantsByName(this.#deps.db, after, CHUNK_SIZE);
    });
    this.#snapshot = snapshot;
  }

  /** Applies the merchants that were written at this revision or later. */
  #applyChanges(firstRevision: number): Promise<void> {
    return this.#putAll(this.#snapshot, (lastRow) =>
      listMerchantsByRevision(this.#deps.db, lastRow ? lastRow.revision + 1 : firstRevision, CHUNK_SIZE),
    );
  }

  async #putAll(
    snapshot: Snapshot,
    readChunk: (lastRow: MerchantRow | undefined) => Promise<MerchantRow[]>,
  ): Promise<void> {
    let rows: MerchantRow[] = [];
    do {
      rows = await readChunk(rows.at(-1));
      for (const row of rows) this.#put(snapshot, row);
    } while (rows.length === CHUNK_SIZE);
  }

  #put(snapshot: Snapshot, row: MerchantRow): void {
    snapshot.identities.set(row.id, { slug: row.slug, name: row.name, logoUrl: row.logo_url });
    if (row.listed) snapshot.put(row, this.#serialise(row));
    else snapshot.remove(row.id);
  }

  #serialise(row: MerchantRow): CachedMerchant {
    const body = {
      slug: row.slug,
      name: row.name,
      category: { slug: row.category_slug, name: row.category_name },
      description: row.description,
      logo_url: toAbsoluteUrl(row.logo_url, this.#deps.publicUrl()),
      city: row.city,
      state: row.state,
      website: row.website,
      cashback_percent: Number(row.cashback_percent),
    };
    return {
      id: row.id,
      slug: row.slug,
      sortKey: buildNameKey(row.name, row.slug),
      categorySlug: row.category_slug,
      json: copyUnpooled(JSON.stringify(body)),
    };
  }
}

/** Parses 'from 123'. Any other message of the trigger ('all') means a full reload. */
function parseRevision(change: string): number | undefined {
  const [, revision] = /^from (\d+)$/.exec(change) ?? [];
  return revision === undefined ? undefined : Number(revision);
}

class Snapshot {
  readonly categories: CategoryRow[];
  readonly identities = new Map<number, MerchantIdentity>();
  readonly byId = new Map<number, CachedMerchant>();
  readonly bySlug = new Map<string, CachedMerchant>();
  readonly allMerchants: CachedMerchant[] = [];
  readonly byCategory = new Map<string, CachedMerchant[]>();
  readonly index = new SearchIndex();

  constructor(categories: CategoryRow[]) {
    this.categories = categories.toSorted((a, b) =>
      buildNameKey(a.name, a.slug) < buildNameKey(b.name, b.slug) ? -1 : 1,
    );
  }

  put(row: MerchantRow, merchant: CachedMerchant): void {
    this.remove(merchant.id);
    this.byId.set(merchant.id, merchant);
    this.bySlug.set(merchant.slug, merchant);
    insertSorted(this.allMerchants, merchant);
    const categoryMerchants = this.byCategory.get(merchant.categorySlug) ?? [];
    this.byCategory.set(merchant.categorySlug, categoryMerchants);
    insertSorted(categoryMerchants, merchant);
    this.index.put({ ...row, category: { slug: row.category_slug, name: row.category_name } });
  }

  remove(id: number): void {
    const merchant = this.byId.get(id);
    if (!merchant) return;
    this.byId.delete(id);
    // If two merchants swapped slugs, this slug may already belong to the other.
    if (this.bySlug.get(merchant.slug) === merchant) this.bySlug.delete(merchant.slug);
    removeSorted(this.allMerchants, merchant);
    removeSorted(this.byCategory.get(merchant.categorySlug)!, merchant);
    this.index.remove(id);
  }
}

function insertSorted(sortedMerchants: CachedMerchant[], merchant: CachedMerchant): void {
  // Fast path: merchants mostly arrive in order of name.
  if (sortedMerchants.length === 0 || sortedMerchants.at(-1)!.sortKey < merchant.sortKey)
    sortedMerchants.push(merchant);
  else sortedMerchants.splice(findPosition(sortedMerchants, merchant.sortKey), 0, merchant);
}

function removeSorted(sortedMerchants: CachedMerchant[], merchant: CachedMerchant): void {
  // Two merchants may have the same key, while merchants of the same name swap slugs.
  const index = sortedMerchants.indexOf(merchant, findPosition(sortedMerchants, merchant.sortKey));
  sortedMerchants.splice(index, 1);
}

/** Binary search for the first position with this key or a greater one. */
function findPosition(sortedMerchants: CachedMerchant[], sortKey: string): number {
  let low = 0;
  let high = sortedMerchants.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (sortedMerchants[middle]!.sortKey < sortKey) low = middle + 1;
    else high = middle;
  }
  return low;
}
