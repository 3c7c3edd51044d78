type Address = { readonly url: string; readonly allow: string };

/**
 * What can be done at each address of a door, for who tries something else there. Fastify could tell too, but only from a route for
 * each of the 34 methods at each address, which take longer to set up than all the rest of the service.
 */
export class Addresses {
  readonly #plain = new Map<string, Address>();
  #patterns: Array<Address & { pattern: RegExp }> = [];

  add(url: string, served: readonly string[]): void {
    const methods = new Set(served);
    if (methods.has('GET')) methods.add('HEAD');
    methods.add('OPTIONS');
    const address = { url, allow: [...methods].join(', ') };
    const pattern = patternOf(url);
    if (!pattern) this.#plain.set(url, address);
    // As the router does: what is named comes before what may be anything.
    else
      this.#patterns = [...this.#patterns, { ...address, pattern }].toSorted((a, b) =>
        order(a.url) < order(b.url) ? -1 : 1,
      );
  }

  /** `target` is what a request asks for, with or without a query. */
  find(target: string): Address | undefined {
    const path = decodeURI(target.split('?', 1)[0]!);
    return this.#plain.get(path) ?? this.#patterns.find(({ pattern }) => pattern.test(path));
  }

  /** Whether a request for this very address may be taken for one of another, where that serves its method. */
  isCovered(url: string): boolean {
    return !patternOf(url) && this.#patterns.some(({ pattern }) => pattern.test(url));
  }
}

const order = (url: string) => url.replace(/[:*]/g, '\uffff');

function patternOf(url: string): RegExp | undefined {
  if (!/[:*]/.test(url)) return undefined;
  const escaped = url.replace(/[.+?^${}()|[\]\\]/g, '\\$&');
  return new RegExp(`^${escaped.replace('*', '.*').replace(/:\w+/g, '[^/]*')}$`);
}
