import type { Endpoint } from './endpoint.ts';

/** A chapter of openapi.json: the endpoints under these paths. */
export type Tag = {
  readonly name: string;
  readonly description: string;
  readonly paths: readonly string[];
};

/** Of several the one with the longest path: /wallet/auth comes before /wallet. */
export function tagOf({ url }: Endpoint, tags: readonly Tag[]): Tag {
  const lengthIn = ({ paths }: Tag) =>
    Math.max(-1, ...paths.filter((path) => `${url}/`.startsWith(`${path}/`)).map(({ length }) => length));
  const tag = tags.toSorted((a, b) => lengthIn(b) - lengthIn(a))[0];
  if (!tag || lengthIn(tag) < 0) throw new Error(`No tag of a module has the path of ${url}.`);
  return tag;
}
