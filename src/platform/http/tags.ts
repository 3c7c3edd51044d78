import type { Endpoint } from './endpoint.ts';

/** A group of operations in openapi.json: the endpoints under these paths. */
export type Tag = {
  readonly name: string;
  readonly description: string;
  readonly paths: readonly string[];
  /** Routes ('GET /path') that come first in the group, in this order. The others follow in the order of their paths. */
  readonly firstRoutes?: readonly string[];
};

/** Finds the tag with the longest matching path: /wallet/auth takes precedence over /wallet. */
export function findTag({ url }: Endpoint, tags: readonly Tag[]): Tag {
  const getMatchLength = ({ paths }: Tag) =>
    Math.max(-1, ...paths.filter((path) => `${url}/`.startsWith(`${path}/`)).map(({ length }) => length));
  const tag = tags.toSorted((a, b) => getMatchLength(b) - getMatchLength(a))[0];
  if (!tag || getMatchLength(tag) < 0) throw new Error(`No module declares a tag for the path of ${url}.`);
  return tag;
}

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];

/** Compares endpoints by their tag, within it by `firstRoutes`, then by path and method. */
export function compareByTag(tags: readonly Tag[]): (a: Endpoint, b: Endpoint) => number {
  return (a, b) => {
    const [tagA, tagB] = [findTag(a, tags), findTag(b, tags)];
    if (tagA !== tagB) return tags.indexOf(tagA) - tags.indexOf(tagB);
    const { firstRoutes = [] } = tagA;
    const getRank = ({ method, url }: Endpoint) => {
      const index = firstRoutes.indexOf(`${method} ${url}`);
      return index < 0 ? firstRoutes.length : index;
    };
    if (getRank(a) !== getRank(b)) return getRank(a) - getRank(b);
    if (a.url !== b.url) return a.url < b.url ? -1 : 1;
    return METHODS.indexOf(a.method) - METHODS.indexOf(b.method);
  };
}
