import type { Readable } from 'node:stream';
import { type Static, type TArray, type TObject, type TOptional, Type } from 'typebox';
import { cents, toReais } from '#core/values/money.ts';
import { type Queryable, type Sql, sql } from '../database/db.ts';
import { describeErrorCount, invalidField } from '../problem.ts';
import type { CallerRole } from './access.ts';
import { buildColumns, readExportReason, sendCsv, wantsCsv } from './csv.ts';
import { findMasker, hasCustomerData } from './masking.ts';
import {
  buildLinkHeader,
  type Cursors,
  LINK_HEADER,
  ListPagination,
  type Page,
  pageParameters,
  toPageRange,
  toPagination,
} from './pagination.ts';
import type { Sent } from './response-cache.ts';
import { Reais } from './schemas.ts';
import { computeTotals, MAX_COUNTED, type Totals as QueryTotals } from './totals.ts';

/** The query of a list. An index must provide its order and begin with the columns of its conditions, so that each page costs the same. */
export type ListQuery<Row> = {
  /** `select ... from ...`, without conditions. */
  readonly select: Sql;
  /** The conditions of the filters in use. Each combination of filters has its own statement, and so its own query plan. */
  readonly where: readonly Sql[];
  /** A selective condition. Its rows are found by another index and then sorted. */
  readonly searchCondition?: Sql | undefined;
  /** The sort columns: a timestamp and a tie-breaker, or an id that grows with time. */
  readonly orderBy: readonly Sql[];
  /** Returns the row's values of the sort columns, of which cursors consist. */
  readonly keyOf: (row: Row) => ListKey;
  /** A selected column in centavos. Its sum over all matching rows is returned in `totals`. */
  readonly sumColumn?: Sql;
  /** Requires a count of all rows. Lists of the partner API need it, because their `total` is never an estimate. */
  readonly hasExactTotal?: true;
};

export type ListKey = ReadonlyArray<Date | string | number>;

export const SORTS = ['newest', 'oldest'] as const;
export type Sort = (typeof SORTS)[number];

const Cursor = (description: string) => Type.String({ pattern: '^[A-Za-z0-9_-]{1,400}$', description });

export const cursorParameters = () => ({
  after: Type.Optional(Cursor('Returns the rows after this cursor: `pagination.next` of the previous page.')),
  before: Type.Optional(Cursor('Returns the rows before this cursor: `pagination.prev` of the next page.')),
});

export const listParameters = () => ({
  ...pageParameters(),
  ...cursorParameters(),
  sort: Type.Optional(
    Type.Enum([...SORTS], { description: 'Which rows come first. The default is `newest`.' }),
  ),
});

/** The response of a list. `sumDescription` describes the total amount, if the query has a `sumColumn`. */
export const listResponse = <S extends TObject>(description: string, item: S, sumDescription?: string) =>
  ({
    200: {
      description,
      schema: Type.Object({
        data: Type.Array(item),
        pagination: ListPagination,
        ...(sumDescription !== undefined && { totals: Type.Optional(Totals(sumDescription)) }),
      } as ListFields<S>),
      headers: LINK_HEADER,
      csv: true,
    },
  }) as const;

const Totals = (description: string) =>
  Type.Object(
    { amount: Reais(`${description}, on all pages`) },
    { description: 'Totals of all rows that match the filter.' },
  );

type ListFields<S extends TObject> = {
  data: TArray<S>;
  pagination: typeof ListPagination;
  totals: TOptional<ReturnType<typeof Totals>>;
};

const joinConditions = (where: readonly Sql[]): Sql =>
  where.reduce((joined, condition) => sql`${joined} and ${condition}`, sql`true`);

const joinColumns = ([firstColumn, ...otherColumns]: readonly Sql[]): Sql =>
  otherColumns.reduce((joined, column) => sql`${joined}, ${column}`, firstColumn!);

const buildOrder = (orderBy: readonly Sql[], sort: Sort): Sql =>
  joinColumns(sort === 'newest' ? orderBy.map((column) => sql`${column} desc`) : orderBy);

/**
 * Applies the search condition, and sorts by an expression that no index has, so that the planner does not scan the index of the order for
 * few rows.
 */
function applySearch<Row>(listQuery: ListQuery<Row>): ListQuery<Row> {
  const { searchCondition, where, orderBy } = listQuery;
  if (searchCondition === undefined) return listQuery;
  const [sortColumn, ...tieBreakers] = orderBy;
  return {
    ...listQuery,
    where: [...where, searchCondition],
    orderBy: [sql`coalesce(${sortColumn}, ${sortColumn})`, ...tieBreakers],
  };
}

export type PageRange = { offset: number; limit: number };
type QueryResult<Row> = QueryTotals & Cursors & { readonly rows: Row[] };

/** Queries a page by offset. `statement` has no order. */
export async function queryPage<Row>(
  db: Queryable,
  { statement, orderBy, sumColumn }: { statement: Sql; orderBy: Sql; sumColumn?: Sql | undefined },
  { offset, limit }: PageRange,
): Promise<QueryResult<Row>> {
  const [rows, totals] = await Promise.all([
    db.rows<Row>(sql`${statement} order by ${orderBy} limit ${limit} offset ${offset}`),
    computeTotals(db, statement, sumColumn),
  ]);
  return { ...totals, rows };
}

type PageRequest = Page & {
  readonly sort?: Sort | undefined;
  readonly after?: string | undefined;
  readonly before?: string | undefined;
};

/** Queries a page. With `after` or `before` every page costs the same. By number, pages far down a long list are refused. */
export async function queryListPage<Row>(
  db: Queryable,
  listQuery: ListQuery<Row>,
  pageRequest: PageRequest,
): Promise<QueryResult<Row>> {
  const { select, where, orderBy, keyOf, sumColumn, hasExactTotal } = applySearch(listQuery);
  const { page, limit, after, before } = pageRequest;
  const countTotals = () =>
    computeTotals(db, sql`${select} where ${joinConditions(where)}`, sumColumn, hasExactTotal);
  const isBackwards = after === undefined && before !== undefined;
  const cursorPointer = isBackwards ? '/before' : '/after';
  const cursorKey = parseCursor(after ?? before, orderBy.length, cursorPointer);
  const { offset } = toPageRange({ page, limit });
  // A page far down is allowed only past the end of a short list, where it is empty. So such a list is counted first.
  const isDeepPage = cursorKey === undefined && offset > MAX_COUNTED;
  const knownTotals = isDeepPage ? await countTotals() : undefined;
  if (knownTotals?.isEstimated) throw pageTooDeep();
  const direction = getReadingOrder(pageRequest);
  const cursorConditions = cursorKey ? [buildCursorCondition(orderBy, cursorKey, direction)] : [];
  const offsetClause = cursorKey ? sql`` : sql` offset ${offset}`;
  // One row more than the page has shows whether there are further rows.
  const [foundRows, totals] = await Promise.all([
    db
      .rows<Row>(
        sql`${select} where ${joinConditions([...where, ...cursorConditions])} order by ${buildOrder(orderBy, direction)} limit ${limit + 1}${offsetClause}`,
      )
      .catch((error: unknown) => {
        throw cursorKey && isCursorError(error) ? invalidCursor(cursorPointer) : error;
      }),
    knownTotals ?? countTotals(),
  ]);
  const hasMore = foundRows.length > limit;
  const rows = isBackwards ? foundRows.slice(0, limit).toReversed() : foundRows.slice(0, limit);
  const [firstRow, lastRow] = [rows[0], rows.at(-1)];
  const hasNext = isBackwards || hasMore;
  const hasPrev = isBackwards ? hasMore : cursorKey !== undefined || offset > 0;
  return {
    ...totals,
    rows,
    ...(lastRow && hasNext && { next: toCursor(keyOf(lastRow)) }),
    ...(firstRow && hasPrev && { prev: toCursor(keyOf(firstRow)) }),
  };
}

const OPPOSITE_SORT = { newest: 'oldest', oldest: 'newest' } as const;

/** Returns the order in which the rows of a page are read: a page before a cursor is read backwards. */
export const getReadingOrder = ({
  sort = 'newest',
  after,
  before,
}: Pick<PageRequest, 'sort' | 'after' | 'before'>): Sort =>
  after === undefined && before !== undefined ? OPPOSITE_SORT[sort] : sort;

function buildCursorCondition(orderBy: readonly Sql[], cursorKey: ListKey, sort: Sort): Sql {
  const cursorValues = joinColumns(orderBy.map((_column, i) => sql`${cursorKey[i]}`));
  return sort === 'newest'
    ? sql`(${joinColumns(orderBy)}) < (${cursorValues})`
    : sql`(${joinColumns(orderBy)}) > (${cursorValues})`;
}

const toCursor = (cursorKey: ListKey): string => Buffer.from(JSON.stringify(cursorKey)).toString('base64url');

/** Parses a cursor. Dates stay texts, which the database parses. */
function parseCursor(cursor: string | undefined, length: number, pointer: string): ListKey | undefined {
  if (cursor === undefined) return undefined;
  try {
    const cursorKey: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString());
    const isKeyValue = (value: unknown) =>
      ['string', 'number'].includes(typeof value) && !String(value).includes('\0');
    if (Array.isArray(cursorKey) && cursorKey.length === length && cursorKey.every(isKeyValue))
      return cursorKey;
  } catch {
    // Not JSON.
  }
  throw invalidCursor(pointer);
}

/** Whether PostgreSQL refused a value of a cursor, because it is not a timestamp or number, or is out of range. */
const isCursorError = (error: unknown) =>
  ['22007', '22008', '22P02', '22003'].includes((error as { code?: string }).code ?? '');

const invalidCursor = (pointer: string) =>
  invalidField(pointer, {
    en: 'must be a cursor from a page of this list',
    pt: 'deve ser um cursor dado por uma página desta lista',
  });

const pageTooDeep = () =>
  invalidField('/page', {
    en: `is more than ${MAX_COUNTED} rows into the list: use \`after\`, or narrow the filter`,
    pt: `passa de ${MAX_COUNTED} linhas: siga com \`after\` ou use filtros`,
  });

const CSV_BATCH_SIZE = 1_000;

async function* listAll<Row>(
  db: Queryable,
  listQuery: ListQuery<Row>,
  sort: Sort = 'newest',
): AsyncGenerator<Row[]> {
  const { select, where, orderBy, keyOf } = applySearch(listQuery);
  let lastKey: ListKey | undefined;
  for (;;) {
    const cursorConditions = lastKey ? [buildCursorCondition(orderBy, lastKey, sort)] : [];
    const rows = await db.rows<Row>(
      sql`${select} where ${joinConditions([...where, ...cursorConditions])} order by ${buildOrder(orderBy, sort)} limit ${CSV_BATCH_SIZE}`,
    );
    if (rows.length === 0) return;
    lastKey = keyOf(rows.at(-1)!);
    yield rows;
  }
}

type QueryRange<Row> = (range: PageRange) => Promise<QueryResult<Row>>;

async function* readAllPages<Row>(queryRange: QueryRange<Row>): AsyncGenerator<Row[]> {
  for (let offset = 0, isLastPage = false; !isLastPage; offset += CSV_BATCH_SIZE) {
    const { rows } = await queryRange({ offset, limit: CSV_BATCH_SIZE });
    isLastPage = rows.length < CSV_BATCH_SIZE;
    yield rows;
  }
}

type ListRequest = {
  query: PageRequest & Record<string, string | number | undefined>;
  headers: { accept?: string | undefined; 'accept-language'?: string | undefined };
  caller: { role: CallerRole };
  routeOptions: { url?: string | undefined };
};
type ListReply = {
  header(name: string, value: string): { type(contentType: string): { send(body: Readable): Sent } };
};

export type ListCall = { request: ListRequest; reply: ListReply };

type ListView<Row, S extends TObject> = {
  item: S;
  render: (rows: Row[]) => Array<Static<S>> | Promise<Array<Static<S>>>;
  /** The path for the `Link` header, if the URL has path parameters. */
  path?: string;
  /** False if the filter must not appear in the URLs of a `Link` header. By default false with a search text (`q`). */
  hasLinkHeader?: boolean;
};
type ListResult<S extends TObject> = Promise<
  | Sent
  | {
      data: Array<Static<S>>;
      pagination: Static<typeof ListPagination>;
      totals?: Static<ReturnType<typeof Totals>>;
    }
>;

export function respondWithList<Row, S extends TObject>(
  db: Queryable,
  call: ListCall,
  listQuery: ListQuery<Row>,
  view: ListView<Row, S>,
): ListResult<S> {
  const { query } = call.request;
  return respond(
    call,
    { hasLinkHeader: query.q === undefined, ...view },
    {
      loadPage: () => queryListPage(db, listQuery, query),
      loadAll: () => listAll(db, listQuery, query.sort),
    },
  );
}

/** Like `respondWithList`, for short lists in any order. CSV reads them page by page. */
export const respondWithPages = <Row, S extends TObject>(
  call: ListCall,
  queryRange: QueryRange<Row>,
  view: ListView<Row, S>,
): ListResult<S> =>
  respond(call, view, {
    loadPage: () => queryRange(toPageRange(call.request.query)),
    loadAll: () => readAllPages(queryRange),
  });

const tooManyRows = () =>
  invalidField(
    '/reason',
    {
      en: `is accepted for at most ${MAX_COUNTED} rows: narrow the filter`,
      pt: `vale para até ${MAX_COUNTED} linhas: restrinja o filtro`,
    },
    describeErrorCount('query', 1),
  );

async function respond<Row, S extends TObject>(
  { request, reply }: ListCall,
  { item, render, path, hasLinkHeader = true }: ListView<Row, S>,
  { loadPage, loadAll }: { loadPage: () => Promise<QueryResult<Row>>; loadAll: () => AsyncIterable<Row[]> },
): ListResult<S> {
  const { url = '' } = request.routeOptions;
  if (wantsCsv(request)) {
    const reason = readExportReason(request);
    if (reason !== undefined && (await loadPage()).isEstimated) throw tooManyRows();
    // The API server masks JSON, but not CSV.
    const mask = findMasker(item);
    const role = reason === undefined && hasCustomerData(item) ? 'viewer' : request.caller.role;
    async function* renderBatches() {
      for await (const rows of loadAll()) {
        const items = await render(rows);
        yield mask ? items.map((row) => mask(row, role)) : items;
      }
    }
    return sendCsv({ request, reply }, url.split('/').at(-1)!, buildColumns(item), renderBatches());
  }
  const { total, rows, sumCents, isEstimated, next, prev } = await loadPage();
  if (hasLinkHeader)
    reply.header(
      'link',
      buildLinkHeader(path ?? url, request.query, total, { next, prev, isLastPageUnknown: isEstimated }),
    );
  const totals = sumCents === undefined ? {} : { totals: { amount: toReais(cents(sumCents)) } };
  const pagination = {
    ...toPagination(request.query, total),
    ...(isEstimated && { estimated: true }),
    ...(next && { next }),
    ...(prev && { prev }),
  };
  return { data: await render(rows), pagination, ...totals };
}
