import { LRUCache } from 'lru-cache';
import { type Client, type Input, isProblem, type OperationId, type Output } from '#client';
import { isAway } from './transport.ts';

/** How long data is used without revalidation: a change in the catalog shows within a second. */
const FRESH_MS = 250;
/** How long stale data is shown while the service does not answer. */
const STALE_MS = 60_000;

export type Loaded = { status: number; headers: Record<string, string | undefined>; data: unknown };

/** One cached read, revalidated with its ETag. */
export type Source = {
  readonly load: (etag: string | undefined) => Promise<Loaded>;
  /** Grows when the content changes. */
  version: number;
  checkedAt: number;
  etag: string | undefined;
  data: unknown;
  /** The 404, instead of data. */
  missing: unknown;
  checking: Promise<void> | undefined;
};

/** Reads of the public catalog: cached for everybody, revalidated by ETag, concurrent reads deduplicated. */
export class Reader {
  readonly #api: Client;
  readonly #sources = new LRUCache<string, Source>({ max: 5_000 });

  constructor(api: Client) {
    this.#api = api;
  }

  source<O extends OperationId>(operation: O, input: Input<O>): Source {
    const key = `${operation} ${JSON.stringify(input)}`;
    const known = this.#sources.get(key);
    if (known) return known;
    const load = (etag: string | undefined) => {
      const headers = etag === undefined ? {} : { 'if-none-match': etag };
      const call = this.#api.call as (name: O, given: object) => Promise<Loaded>;
      return call(operation, { ...input, headers });
    };
    const none = { etag: undefined, data: undefined, missing: undefined, checking: undefined };
    const source: Source = { load, version: 0, checkedAt: Number.NEGATIVE_INFINITY, ...none };
    this.#sources.set(key, source);
    return source;
  }
}

export const isFresh = (source: Source) => performance.now() - source.checkedAt < FRESH_MS;

/** Revalidates it with the service; concurrent calls share one request. */
export function refresh(source: Source): Promise<void> {
  source.checking ??= check(source).finally(() => {
    source.checking = undefined;
  });
  return source.checking;
}

async function check(source: Source): Promise<void> {
  const startedAt = performance.now();
  try {
    const { status, headers, data } = await source.load(source.etag);
    if (status !== 304 && (source.version === 0 || !isSame(source, headers.etag, data)))
      Object.assign(source, { etag: headers.etag, data, missing: undefined, version: source.version + 1 });
  } catch (error) {
    if (isProblem(error) && [400, 404, 409, 422].includes(error.status)) {
      const isNews = (source.missing as Error | undefined)?.message !== error.message;
      if (isNews)
        Object.assign(source, {
          etag: undefined,
          data: undefined,
          missing: error,
          version: source.version + 1,
        });
    } else if (!isAway(error) || startedAt - source.checkedAt > STALE_MS) throw error;
    else return;
  }
  source.checkedAt = startedAt;
}

const isSame = (source: Source, etag: string | undefined, data: unknown) =>
  source.missing === undefined &&
  (etag === undefined ? JSON.stringify(data) === JSON.stringify(source.data) : etag === source.etag);

/** Reads for one page, and records which sources the page was made of. */
export class PageReader {
  readonly sources: Array<{ source: Source; version: number }> = [];
  readonly #reader: Reader;

  constructor(reader: Reader) {
    this.#reader = reader;
  }

  read<O extends OperationId>(operation: O, input: Input<O>): Promise<Output<O>> {
    return this.take(this.#reader.source(operation, input)) as Promise<Output<O>>;
  }

  async take(source: Source): Promise<unknown> {
    if (!isFresh(source)) await refresh(source);
    this.sources.push({ source, version: source.version });
    if (source.missing !== undefined) throw source.missing;
    return source.data;
  }
}
