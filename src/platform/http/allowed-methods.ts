type AllowedUrl = { readonly url: string; readonly allow: string };

/** Allowed methods by URL, for 405 and OPTIONS. Fastify would need a route for each of its 34 methods, which is slow to set up. */
export class AllowedMethods {
  readonly #plain = new Map<string, AllowedUrl>();
  #patterns: Array<AllowedUrl & { pattern: RegExp }> = [];

  add(url: string, methods: readonly string[]): void {
    const allowed = new Set(methods);
    if (allowed.has('GET')) allowed.add('HEAD');
    allowed.add('OPTIONS');
    const allowedUrl = { url, allow: [...allowed].join(', ') };
    const pattern = toPattern(url);
    if (!pattern) this.#plain.set(url, allowedUrl);
    // As in Fastify's router, literal segments match before parameters.
    else
      this.#patterns = [...this.#patterns, { ...allowedUrl, pattern }].toSorted((a, b) =>
        toSortKey(a.url) < toSortKey(b.url) ? -1 : 1,
      );
  }

  /** `target` is the request target, with or without a query string. */
  find(target: string): AllowedUrl | undefined {
    const path = decodeURI(target.split('?', 1)[0]!);
    return this.#plain.get(path) ?? this.#patterns.find(({ pattern }) => pattern.test(path));
  }

  /** Whether a request for this literal URL could also match a URL with parameters, which may allow its method. */
  isShadowedByPattern(url: string): boolean {
    return !toPattern(url) && this.#patterns.some(({ pattern }) => pattern.test(url));
  }
}

const toSortKey = (url: string) => url.replace(/[:*]/g, '\uffff');

function toPattern(url: string): RegExp | undefined {
  if (!/[:*]/.test(url)) return undefined;
  const escaped = url.replace(/[.+?^${}()|[\]\\]/g, '\\$&');
  return new RegExp(`^${escaped.replace('*', '.*').replace(/:\w+/g, '[^/]*')}$`);
}
