/** `allowHeader` is the value of the Allow header: 'GET, HEAD, OPTIONS'. */
type AllowedUrl = { readonly url: string; readonly allowHeader: string };

/** Stores the allowed methods of each URL, for 405 and OPTIONS. With Fastify each URL would need 34 routes, which are slow to set up. */
export class AllowedMethods {
  readonly #literalUrls = new Map<string, AllowedUrl>();
  readonly #patterns: Array<AllowedUrl & { pattern: RegExp; sortKey: string }> = [];
  #isSorted = true;

  add(url: string, methods: readonly string[]): void {
    const allowedMethods = new Set(methods);
    if (allowedMethods.has('GET')) allowedMethods.add('HEAD');
    allowedMethods.add('OPTIONS');
    const allowedUrl = { url, allowHeader: [...allowedMethods].join(', ') };
    const pattern = toPattern(url);
    if (!pattern) this.#literalUrls.set(url, allowedUrl);
    // The greatest character sorts parameters last, because literal segments match first in Fastify's router.
    else this.#patterns.push({ ...allowedUrl, pattern, sortKey: url.replace(/[:*]/g, '\uffff') });
    this.#isSorted = false;
  }

  #getSortedPatterns() {
    // Sorts once, after all URLs are added: sorting after each addition would take longer than setting up the router.
    if (!this.#isSorted) this.#patterns.sort((a, b) => (a.sortKey < b.sortKey ? -1 : 1));
    this.#isSorted = true;
    return this.#patterns;
  }

  /** Finds the URL, literal or with parameters, that a request matches. `requestTarget` may have a query string. */
  find(requestTarget: string): AllowedUrl | undefined {
    // Does not throw: the router has refused targets that are not encoded correctly.
    const path = decodeURI(requestTarget.split('?', 1)[0]!);
    return this.#literalUrls.get(path) ?? this.#getSortedPatterns().find(({ pattern }) => pattern.test(path));
  }

  /** Whether this literal URL also matches a URL with parameters. */
  overlapsPattern(url: string): boolean {
    return !toPattern(url) && this.#patterns.some(({ pattern }) => pattern.test(url));
  }
}

function toPattern(url: string): RegExp | undefined {
  if (!/[:*]/.test(url)) return undefined;
  const escapedUrl = url.replace(/[.+?^${}()|[\]\\]/g, '\\$&');
  return new RegExp(`^${escapedUrl.replace('*', '.*').replace(/:\w+/g, '[^/]*')}$`);
}
