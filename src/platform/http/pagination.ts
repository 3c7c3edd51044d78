import { type TObject, Type } from 'typebox';

export const DEFAULT_LIMIT = 20;
export const MAX_LIMIT = 100;
/** Beyond any list of ours, and small enough for arithmetic. */
const MAX_PAGE = 1_000_000_000;

/** The query parameters of a list that is given in pages. */
export const pageParameters = (defaultLimit = DEFAULT_LIMIT) => ({
  page: Type.Integer({
    minimum: 1,
    maximum: MAX_PAGE,
    default: 1,
    description: 'Which page; the first is 1.',
  }),
  limit: Type.Integer({
    minimum: 1,
    maximum: MAX_LIMIT,
    default: defaultLimit,
    description: `How many to a page, at most ${MAX_LIMIT}.`,
  }),
});

/** An upper bound for lists that grow at the top: pages do not shift between requests. */
export const upToParameter = (things: string) => ({
  up_to: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: MAX_PAGE,
      description: `Only so many ${things}, counted from the oldest; \`Link\` has it.`,
    }),
  ),
});

export const Pagination = Type.Object(
  {
    page: Type.Integer({ description: 'This page.' }),
    limit: Type.Integer({ description: 'How many to a page.' }),
    total: Type.Integer({ description: 'How many there are on all pages.' }),
    pages: Type.Integer({ description: 'How many pages there are.' }),
  },
  { $id: 'Pagination', examples: [{ page: 1, limit: 20, total: 74, pages: 4 }] },
);

export const PageOf = <S extends TObject>(item: S, $id: string) =>
  Type.Object({ data: Type.Array(item), pagination: Pagination }, { $id });

/** Of a list of the staff door, which may be long. */
export const ListPagination = Type.Object(
  {
    ...Pagination.properties,
    estimated: Type.Optional(
      Type.Boolean({
        description:
          'There are more than 10,000. `total` and the totals are those of some minutes ago; before that, `total` is an estimate and there ' +
          'are no totals.',
      }),
    ),
    next: Type.Optional(Type.String({ description: 'Send it as `after` for the next page.' })),
    prev: Type.Optional(Type.String({ description: 'Send it as `before` for the page before.' })),
  },
  { $id: 'ListPagination', examples: [{ page: 1, limit: 20, total: 74, pages: 4 }] },
);

export const LINK_HEADER = { Link: 'Addresses of the first, previous, next and last page (RFC 8288).' };

export type Page = { page: number; limit: number };

export const windowOf = ({ page, limit }: Page) => ({ offset: (page - 1) * limit, limit });

export function paginationOf({ page, limit }: Page, total: number) {
  return { page, limit, total, pages: Math.ceil(total / limit) };
}

type PageQuery = Page & Record<string, string | number | undefined>;

/** A page of a list of the front door, with the addresses of other pages in `Link`. `query`: what of it they repeat. */
export function answerPage<T>(
  reply: { header(name: string, value: string): unknown },
  { url, query, total }: { url: string; query: PageQuery; total: number },
  data: T[],
) {
  reply.header('link', linkHeader(url, query, total));
  return { data, pagination: paginationOf(query, total) };
}

/** Where a list goes on, as keys of its rows: a page by key costs the same however far it is. */
export type Cursors = { readonly next?: string | undefined; readonly prev?: string | undefined };

/**
 * RFC 8288: the address of the list with its known parameters. Unknown ones are left out: they would be repeated four times and
 * could exceed the header limits of clients and proxies. `isOpen`: nobody knows which page is the last.
 */
export function linkHeader(
  listUrl: string,
  { page, after: _after, before: _before, ...others }: PageQuery,
  total: number,
  { next, prev, isOpen }: Cursors & { isOpen?: boolean | undefined } = {},
): string {
  const pages = Math.max(1, Math.ceil(total / others.limit));
  const known = new URLSearchParams();
  for (const [name, value] of Object.entries(others)) {
    if (value !== undefined) known.set(name, String(value));
  }
  const address = `${listUrl}?${known}&page=`;
  const link = (at: string, rel: string) => `<${address}${at}>; rel="${rel}"`;
  const by = (cursor: string | undefined, name: string) => (cursor ? `&${name}=${cursor}` : '');
  const before = Math.min(page - 1, isOpen ? page - 1 : pages);
  return [
    link('1', 'first'),
    ...(page > 1 ? [link(`${before}${by(prev, 'before')}`, 'prev')] : []),
    ...(next || page < pages ? [link(`${page + 1}${by(next, 'after')}`, 'next')] : []),
    ...(isOpen ? [] : [link(String(pages), 'last')]),
  ].join(', ');
}
