type Address = { readonly url: string; readonly allow: string };

/**
 * The methods of each address of a door, for 405 and OPTIONS. Fastify could tell, too, but only from a route for each of the 34
 * methods at each address, and that takes longer to set up than the rest of the service.
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
    // As in the router: literal segments come before parameters.
    else
      this.#patterns = [...this.#patterns, { ...address, pattern }].toSorted((a, b) =>
        order(a.url) < order(b.url) ? -1 : 1,
      );
  }

  /** `target`: the request target, with or without a query. */
  find(target: string): Address | undefined {
    const path = decodeURI(target.split('?', 1)[0]!);
    return this.#plain.get(path) ?? this.#patterns.find(({ pattern }) => pattern.test(path));
  }

  /** Whether a request for this address could match another address that serves its method. */
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
