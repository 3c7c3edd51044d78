import { LRUCache } from 'lru-cache';
import { type Client, type components, type Input, isProblem, type OperationId, type Output } from '#client';
import { isUnavailable } from './transport.ts';

/** How long data is used without revalidation: a change in the catalog shows within a second. */
const FRESH_MS = 250;
/** How long stale data is used while the service is unavailable. */
const STALE_MS = 60_000;

export type LoadedResponse = { status: number; headers: Record<string, string | undefined>; data: unknown };

/** One cached read, revalidated with its ETag. */
export type CachedResource = {
  readonly load: (etag: string | undefined) => Promise<LoadedResponse>;
  /** Grows when the content changes. */
  version: number;
  checkedAt: number;
  etag: string | undefined;
  data: unknown;
  /** The problem that the service responded with, instead of data. */
  notFoundError: unknown;
  revalidation: Promise<void> | undefined;
};

/** Reads of the public catalog: cached for all visitors, revalidated by ETag, concurrent reads deduplicated. */
export class CatalogCache {
  readonly #api: Client;
  readonly #resources = new LRUCache<string, CachedResource>({ max: 5_000 });

  constructor(api: Client) {
    this.#api = api;
  }

  resource<O extends OperationId>(operation: O, input: Input<O>): CachedResource {
    const cacheKey = `${operation} ${JSON.stringify(input)}`;
    const cachedResource = this.#resources.get(cacheKey);
    if (cachedResource) return cachedResource;
    const load = (etag: string | undefined) => {
      const headers = etag === undefined ? {} : { 'if-none-match': etag };
      const call = this.#api.call as (name: O, input: object) => Promise<LoadedResponse>;
      return call(operation, { ...input, headers });
    };
    const resource: CachedResource = {
      load,
      version: 0,
      checkedAt: Number.NEGATIVE_INFINITY,
      etag: undefined,
      data: undefined,
      notFoundError: undefined,
      revalidation: undefined,
    };
    this.#resources.set(cacheKey, resource);
    return resource;
  }
}

export const isFresh = (resource: CachedResource) => performance.now() - resource.checkedAt < FRESH_MS;

/** Revalidates the resource with the service; concurrent calls share one request. */
export function revalidate(resource: CachedResource): Promise<void> {
  resource.revalidation ??= check(resource).finally(() => {
    resource.revalidation = undefined;
  });
  return resource.revalidation;
}

async function check(resource: CachedResource): Promise<void> {
  const startedAt = performance.now();
  const replaceContent = (content: Pick<CachedResource, 'etag' | 'data' | 'notFoundError'>) =>
    Object.assign(resource, content, { version: resource.version + 1 });
  try {
    const { status, headers, data } = await resource.load(resource.etag);
    if (status !== 304 && (resource.version === 0 || !isSame(resource, headers.etag, data)))
      replaceContent({ etag: headers.etag, data, notFoundError: undefined });
  } catch (error) {
    if (isProblem(error) && [400, 404, 409, 422].includes(error.status)) {
      const isChanged = (resource.notFoundError as Error | undefined)?.message !== error.message;
      if (isChanged) replaceContent({ etag: undefined, data: undefined, notFoundError: error });
    } else if (!isUnavailable(error) || startedAt - resource.checkedAt > STALE_MS) throw error;
    else return;
  }
  resource.checkedAt = startedAt;
}

const isSame = (resource: CachedResource, etag: string | undefined, data: unknown) =>
  resource.notFoundError === undefined &&
  (etag === undefined ? JSON.stringify(data) === JSON.stringify(resource.data) : etag === resource.etag);

/** Reads for one page, and records which resources the page was rendered from. */
export class PageReader {
  readonly resources: Array<{ resource: CachedResource; version: number }> = [];
  readonly #catalog: CatalogCache;

  constructor(catalog: CatalogCache) {
    this.#catalog = catalog;
  }

  read<O extends OperationId>(operation: O, input: Input<O>): Promise<Output<O>> {
    return this.readResource(this.#catalog.resource(operation, input)) as Promise<Output<O>>;
  }

  async readResource(resource: CachedResource): Promise<unknown> {
    if (!isFresh(resource)) await revalidate(resource);
    this.resources.push({ resource, version: resource.version });
    if (resource.notFoundError !== undefined) throw resource.notFoundError;
    return resource.data;
  }
}

export type Creditor = components['schemas']['Creditor'];

/** The creditor changes only if the service restarts with other settings. */
const TTL_MS = 60_000;
const RETRY_MS = 2_000;

/** Reads the creditor in the background: pages show the last known one and never wait for it. */
export class CreditorCache {
  readonly #api: Client;
  #creditor: Creditor | undefined;
  #refreshAt = Number.NEGATIVE_INFINITY;

  constructor(api: Client) {
    this.#api = api;
  }

  /** Undefined until the service has responded once. */
  current(): Creditor | undefined {
    if (performance.now() >= this.#refreshAt) void this.refresh();
    return this.#creditor;
  }

  async refresh(): Promise<void> {
    this.#refreshAt = performance.now() + RETRY_MS;
    try {
      this.#creditor = await this.#api.getCreditor();
      this.#refreshAt = performance.now() + TTL_MS;
    } catch {
      // Ignored: pages that need the service report themselves that it is unavailable.
    }
  }
}
