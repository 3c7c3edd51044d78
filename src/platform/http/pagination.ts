import { type TObject, Type } from 'typebox';
import { BooleanField } from './schemas.ts';

export const DEFAULT_LIMIT = 20;
export const MAX_LIMIT = 100;
/** More pages than any list has. The number is small enough for exact arithmetic. */
const MAX_PAGE = 1_000_000_000;

export const pageParameters = (defaultLimit = DEFAULT_LIMIT) => ({
  page: Type.Integer({
    minimum: 1,
    maximum: MAX_PAGE,
    default: 1,
    description: 'The page number, starting at 1.',
  }),
  limit: Type.Integer({
    minimum: 1,
    maximum: MAX_LIMIT,
    default: defaultLimit,
    description: `The number of items per page, at most ${MAX_LIMIT}.`,
  }),
});

/** Declares an upper bound for lists that grow at the top, so that pages do not shift between requests. */
export const upToParameter = (things: string) => ({
  up_to: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: MAX_PAGE,
      description: `Includes only this many ${things}, counted from the oldest. The URLs in \`Link\` contain it.`,
    }),
  ),
});

export const Pagination = Type.Object(
  {
    page: Type.Integer({ description: 'The number of this page.' }),
    limit: Type.Integer({ description: 'The number of items per page.' }),
    total: Type.Integer({ description: 'The number of items on all pages.' }),
    pages: Type.Integer({ description: 'The number of pages.' }),
  },
  { $id: 'Pagination', examples: [{ page: 1, limit: 20, total: 74, pages: 4 }] },
);

export const PageOf = <S extends TObject>(item: S, $id: string) =>
  Type.Object({ data: Type.Array(item), pagination: Pagination }, { $id });

/** The pagination of a list of the staff API, which may be long. */
export const ListPagination = Type.Object(
  {
    ...Pagination.properties,
    estimated: Type.Optional(
      BooleanField(
        'True if there are more than 10,000 rows. `total` and `totals` are then some minutes old; before they are first counted, `total` is ' +
          'an estimate and there are no `totals`.',
      ),
    ),
    next: Type.Optional(Type.String({ description: 'Send this as `after` to get the next page.' })),
    prev: Type.Optional(Type.String({ description: 'Send this as `before` to get the previous page.' })),
  },
  { $id: 'ListPagination', examples: [{ page: 1, limit: 20, total: 74, pages: 4 }] },
);

export const LINK_HEADER = { Link: 'URLs of the first, previous, next and last page (RFC 8288).' };

export type Page = { page: number; limit: number };

export const toPageRange = ({ page, limit }: Page) => ({ offset: (page - 1) * limit, limit });

export function toPagination({ page, limit }: Page, total: number) {
  return { page, limit, total, pages: Math.ceil(total / limit) };
}

type PageQuery = Page & Record<string, string | number | undefined>;

/** Responds with a page of a list of the partner API and a `Link` header. The links repeat the parameters of `query`. */
export function respondWithPage<T>(
  reply: { header(name: string, value: string): unknown },
  { url, query, total }: { url: string; query: PageQuery; total: number },
  data: T[],
) {
  reply.header('link', buildLinkHeader(url, query, total));
  return { data, pagination: toPagination(query, total) };
}

/** Cursors of the next and previous page. A page is found by a cursor equally fast anywhere in the list, by its number only near the top. */
export type Cursors = { readonly next?: string | undefined; readonly prev?: string | undefined };

/**
 * Builds a header by RFC 8288. Pass only known parameters, because four links repeat them and clients limit the size of headers. A link with a
 * cursor contains the page number as well, because responses return it.
 */
export function buildLinkHeader(
  listUrl: string,
  { page, after: _after, before: _before, ...otherParameters }: PageQuery,
  total: number,
  { next, prev, isLastPageUnknown }: Cursors & { isLastPageUnknown?: boolean | undefined } = {},
): string {
  const pages = Math.max(1, Math.ceil(total / otherParameters.limit));
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(otherParameters)) {
    if (value !== undefined) parameters.set(name, String(value));
  }
  const urlPrefix = `${listUrl}?${parameters}&page=`;
  const renderLink = (pageParameter: string, rel: string) => `<${urlPrefix}${pageParameter}>; rel="${rel}"`;
  const renderCursor = (cursor: string | undefined, name: string) => (cursor ? `&${name}=${cursor}` : '');
  // The page before one beyond the end is the last page.
  const previousPage = isLastPageUnknown ? page - 1 : Math.min(page - 1, pages);
  return [
    renderLink('1', 'first'),
    ...(page > 1 ? [renderLink(`${previousPage}${renderCursor(prev, 'before')}`, 'prev')] : []),
    ...(next || page < pages ? [renderLink(`${page + 1}${renderCursor(next, 'after')}`, 'next')] : []),
    ...(isLastPageUnknown ? [] : [renderLink(String(pages), 'last')]),
  ].join(', ');
}
