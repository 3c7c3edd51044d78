import { Type } from 'typebox';

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

export const LINK_HEADER = { Link: 'Addresses of the first, previous, next and last page (RFC 8288).' };

export type Page = { page: number; limit: number };

export function paginationOf({ page, limit }: Page, total: number) {
  return { page, limit, total, pages: Math.ceil(total / limit) };
}

/**
 * RFC 8288: the address of the list with its known parameters. Unknown ones are left out: they would be repeated four times and
 * could exceed the header limits of clients and proxies.
 */
export function linkHeader(
  listUrl: string,
  { page, ...others }: Page & Record<string, string | number | undefined>,
  total: number,
): string {
  const pages = Math.max(1, Math.ceil(total / others.limit));
  const known = new URLSearchParams();
  for (const [name, value] of Object.entries(others)) {
    if (value !== undefined) known.set(name, String(value));
  }
  const address = `${listUrl}?${known}&page=`;
  const link = (number: number, rel: string) => `<${address}${number}>; rel="${rel}"`;
  return [
    link(1, 'first'),
    ...(page > 1 ? [link(Math.min(page - 1, pages), 'prev')] : []),
    ...(page < pages ? [link(page + 1, 'next')] : []),
    link(pages, 'last'),
  ].join(', ');
}
