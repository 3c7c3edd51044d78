import { LRUCache } from 'lru-cache';
import { type Client, type components, type Input, isProblem, type OperationId, type Output } from '#client';
import { isTemporaryFailure } from './transport.ts';

/** How long data is used without revalidation: a change in the catalog shows within a second. */
const FRESH_MS = 250;
/** How long stale data is used while the service is unavailable. */
const STALE_MS = 60_000;

/** Refusals that are cached like content, such as an unknown merchant (404). */
const CACHEABLE_PROBLEM_STATUSES = [400, 404, 409, 422];

type LoadedResponse = { status: number; headers: Record<string, string | undefined>; data: unknown };

/** One cached response of the API, or the problem that it responded with; revalidated with its ETag. */
class CachedResource {
  /** 0 until the first response; grows when the content changes. */
  version = 0;
  data: unknown;
  problem: unknown;
  #etag: string | undefined;
  #checkedAt = Number.NEGATIVE_INFINITY;
  #revalidation: Promise<void> | undefined;
  readonly #load: (etag: string | undefined) => Promise<LoadedResponse>;

  constructor(load: (etag: string | undefined) => Promise<LoadedResponse>) {
    this.#load = load;
  }

  isFresh(): boolean {
    return performance.now() - this.#checkedAt < FRESH_MS;
  }

  /** Concurrent calls share one request. */
  revalidate(): Promise<void> {
    this.#revalidation ??= this.#loadIfChanged().finally(() => {
      this.#revalidation = undefined;
    });
    return this.#revalidation;
  }

  async #loadIfChanged(): Promise<void> {
    const startedAt = performance.now();
    try {
      const { status, headers, data } = await this.#load(this.#etag);
      if (status !== 304 && (this.version === 0 || !this.#isSame(headers.etag, data)))
        this.#replaceContent({ etag: headers.etag, data });
    } catch (error) {
      if (isProblem(error) && CACHEABLE_PROBLEM_STATUSES.includes(error.status)) {
        const isChanged = (this.problem as Error | undefined)?.message !== error.message;
        if (isChanged) this.#replaceContent({ problem: error });
      } else if (!isTemporaryFailure(error) || startedAt - this.#checkedAt > STALE_MS) throw error;
      else return; // The stale content is used, and the next call tries again.
    }
    this.#checkedAt = startedAt;
  }

  #replaceContent(content: { etag?: string | undefined; data?: unknown; problem?: unknown }): void {
    this.#etag = content.etag;
    this.data = content.data;
    this.problem = content.problem;
    this.version += 1;
  }

  #isSame(etag: string | undefined, data: unknown): boolean {
    if (this.problem !== undefined) return false;
    return etag === undefined ? JSON.stringify(data) === JSON.stringify(this.data) : etag === this.#etag;
  }
}

/** Caches the public catalog for all visitors. Revalidates it by ETag, and shares one request among concurrent reads. */
export class CatalogCache {
  readonly #api: Client;
  readonly #resources = new LRUCache<string, CachedResource>({ max: 5_000 });

  constructor(api: Client) {
    this.#api = api;
  }

  getResource<O extends OperationId>(operation: O, input: Input<O>): CachedResource {
    const cacheKey = `${operation} ${JSON.stringify(input)}`;
    const cachedResource = this.#resources.get(cacheKey);
    if (cachedResource) return cachedResource;
    const call = this.#api.call as (name: O, input: object) => Promise<LoadedResponse>;
    const resource = new CachedResource((etag) =>
      call(operation, { ...input, headers: etag === undefined ? {} : { 'if-none-match': etag } }),
    );
    this.#resources.set(cacheKey, resource);
    return resource;
  }
}

/** Reads the catalog for one page, and records which resources the page was rendered from. */
export class PageReader {
  readonly resources: Array<{ resource: CachedResource; version: number }> = [];
  readonly #catalog: CatalogCache;

  constructor(catalog: CatalogCache) {
    this.#catalog = catalog;
  }

  async read<O extends OperationId>(operation: O, input: Input<O>): Promise<Output<O>> {
    const resource = this.#catalog.getResource(operation, input);
    if (!resource.isFresh()) await resource.revalidate();
    this.resources.push({ resource, version: resource.version });
    if (resource.problem !== undefined) throw resource.problem;
    return resource.data as Output<O>;
  }
}

export type Creditor = components['schemas']['Creditor'];

/** The creditor changes only if the service restarts with other settings. */
const CREDITOR_TTL_MS = 60_000;
const CREDITOR_RETRY_MS = 2_000;

/** Reads the creditor in the background: pages show the last known creditor and never wait for the service. */
export class CreditorCache {
  readonly #api: Client;
  #creditor: Creditor | undefined;
  #refreshAt = Number.NEGATIVE_INFINITY;

  constructor(api: Client) {
    this.#api = api;
  }

  /** Returns undefined until the service has responded once. */
  getCreditor(): Creditor | undefined {
    if (performance.now() >= this.#refreshAt) void this.refresh();
    return this.#creditor;
  }

  async refresh(): Promise<void> {
    this.#refreshAt = performance.now() + CREDITOR_RETRY_MS;
    try {
      this.#creditor = await this.#api.getCreditor();
      this.#refreshAt = performance.now() + CREDITOR_TTL_MS;
    } catch {
      // Ignored: pages that need the service report themselves that it is unavailable.
    }
  }
}
