import type { Readable } from 'node:stream';
import { type Static, type TArray, type TObject, type TOptional, Type } from 'typebox';
import { cents, toReais } from '#core/values/money.ts';
import { type Queryable, type Sql, sql } from '../database/db.ts';
import { describeErrorCount, invalidField } from '../problem.ts';
import type { Role } from './access.ts';
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
import { computeTotals, type Totals as FoundTotals, MAX_COUNTED } from './totals.ts';

/** An index provides its order and begins with the columns of the conditions, so the cost of a page depends only on its size. */
export type ListQuery<Row> = {
  /** `select ... from ...`, without conditions. */
  readonly select: Sql;
  /** Only the conditions of the filters in use, so that each combination of filters has a query plan of its own. */
  readonly where: readonly Sql[];
  /** A selective condition: its rows are found by an index of their own and then sorted. */
  readonly filter?: Sql | undefined;
  /** The sort columns: a timestamp and a tie-breaker, or an id that grows with time. */
  readonly orderBy: readonly Sql[];
  readonly keyOf: (row: Row) => ListKey;
  /** A selected column in centavos. Its sum over all matching rows is returned in `totals`. */
  readonly sumColumn?: Sql;
  /** Always count all rows. Lists of the partner API do, because their `total` is never an estimate. */
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

const joinColumns = ([first, ...others]: readonly Sql[]): Sql =>
  others.reduce((joined, column) => sql`${joined}, ${column}`, first!);

const orderColumns = (orderBy: readonly Sql[], sort: Sort): Sql =>
  joinColumns(sort === 'newest' ? orderBy.map((column) => sql`${column} desc`) : orderBy);

/** Sorts by an expression that no index has. Otherwise the planner may scan the index of the order for few matching rows. */
function applyFilter<Row>(listQuery: ListQuery<Row>): ListQuery<Row> {
  const { filter, where, orderBy } = listQuery;
  if (filter === undefined) return listQuery;
  const [first, ...others] = orderBy;
  return { ...listQuery, where: [...where, filter], orderBy: [sql`coalesce(${first}, ${first})`, ...others] };
}

export type PageRange = { offset: number; limit: number };
type FoundRows<Row> = FoundTotals & Cursors & { readonly rows: Row[] };

/** Queries a page by offset. `statement` has no order. */
export async function queryPage<Row>(
  db: Queryable,
  { statement, orderBy, sumColumn }: { statement: Sql; orderBy: Sql; sumColumn?: Sql | undefined },
  { offset, limit }: PageRange,
): Promise<FoundRows<Row>> {
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

/** Queries a page. By `after` or `before` every page costs the same. By number, pages far down a long list are refused. */
export async function queryListPage<Row>(
  db: Queryable,
  listQuery: ListQuery<Row>,
  pageRequest: PageRequest,
): Promise<FoundRows<Row>> {
  const { select, where, orderBy, keyOf, sumColumn, hasExactTotal } = applyFilter(listQuery);
  const { page, limit, sort = 'newest', after, before } = pageRequest;
  const countTotals = () =>
    computeTotals(db, sql`${select} where ${joinConditions(where)}`, sumColumn, hasExactTotal);
  const cursorKey = parseCursor(after ?? before, orderBy.length, after === undefined ? '/before' : '/after');
  const { offset } = toPageRange({ page, limit });
  const isDeepPage = cursorKey === undefined && offset > MAX_COUNTED;
  const knownTotals = isDeepPage ? await countTotals() : undefined;
  if (knownTotals?.isEstimated) throw pageTooDeep();
  const isBackwards = after === undefined && before !== undefined;
  const direction = isBackwards ? OPPOSITE[sort] : sort;
  const cursorConditions = cursorKey ? [afterKey(orderBy, cursorKey, direction)] : [];
  const offsetClause = cursorKey ? sql`` : sql` offset ${offset}`;
  // One row more than the page has shows whether there are further rows.
  const [found, totals] = await Promise.all([
    db
      .rows<Row>(
        sql`${select} where ${joinConditions([...where, ...cursorConditions])} order by ${orderColumns(orderBy, direction)} limit ${limit + 1}${offsetClause}`,
      )
      .catch((error: unknown) => {
        throw cursorKey && isCursorError(error) ? invalidCursor(isBackwards ? '/before' : '/after') : error;
      }),
    knownTotals ?? countTotals(),
  ]);
  const hasMore = found.length > limit;
  const rows = isBackwards ? found.slice(0, limit).toReversed() : found.slice(0, limit);
  const [first, last] = [rows[0], rows.at(-1)];
  const hasNext = isBackwards || hasMore;
  const hasPrev = isBackwards ? hasMore : cursorKey !== undefined || offset > 0;
  return {
    ...totals,
    rows,
    ...(last && hasNext && { next: toCursor(keyOf(last)) }),
    ...(first && hasPrev && { prev: toCursor(keyOf(first)) }),
  };
}

const OPPOSITE = { newest: 'oldest', oldest: 'newest' } as const;

function afterKey(orderBy: readonly Sql[], cursorKey: ListKey, sort: Sort): Sql {
  const values = joinColumns(orderBy.map((_column, i) => sql`${cursorKey[i]}`));
  return sort === 'newest'
    ? sql`(${joinColumns(orderBy)}) < (${values})`
    : sql`(${joinColumns(orderBy)}) > (${values})`;
}

const toCursor = (cursorKey: ListKey): string => Buffer.from(JSON.stringify(cursorKey)).toString('base64url');

/** Parses a cursor. Dates stay texts, which the database parses. */
function parseCursor(cursor: string | undefined, length: number, pointer: string): ListKey | undefined {
  if (cursor === undefined) return undefined;
  try {
    const cursorKey: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString());
    const isPart = (part: unknown) =>
      ['string', 'number'].includes(typeof part) && !String(part).includes('\0');
    if (Array.isArray(cursorKey) && cursorKey.length === length && cursorKey.every(isPart)) return cursorKey;
  } catch {
    // Not JSON.
  }
  throw invalidCursor(pointer);
}

/** PostgreSQL's errors for values of a cursor that are no timestamp or number, or out of range. */
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
  const { select, where, orderBy, keyOf } = applyFilter(listQuery);
  let last: ListKey | undefined;
  for (;;) {
    const cursorConditions = last ? [afterKey(orderBy, last, sort)] : [];
    const rows = await db.rows<Row>(
      sql`${select} where ${joinConditions([...where, ...cursorConditions])} order by ${orderColumns(orderBy, sort)} limit ${CSV_BATCH_SIZE}`,
    );
    if (rows.length === 0) return;
    last = keyOf(rows.at(-1)!);
    yield rows;
  }
}

type QueryRange<Row> = (range: PageRange) => Promise<FoundRows<Row>>;

async function* readAllPages<Row>(queryRange: QueryRange<Row>): AsyncGenerator<Row[]> {
  for (let offset = 0, isOver = false; !isOver; offset += CSV_BATCH_SIZE) {
    const { rows } = await queryRange({ offset, limit: CSV_BATCH_SIZE });
    isOver = rows.length < CSV_BATCH_SIZE;
    yield rows;
  }
}

type ListRequest = {
  query: PageRequest & Record<string, string | number | undefined>;
  headers: { accept?: string | undefined; 'accept-language'?: string | undefined };
  caller: { role: Role | '' };
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
  /** False: no `Link` header, because the subject of a search stays out of URLs. The default for a `ListQuery` with a `q`. */
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
      page: () => queryListPage(db, listQuery, query),
      queryAll: () => listAll(db, listQuery, query.sort),
    },
  );
}

/** Like `respondWithList`, for short lists in any order: CSV reads them page by page. */
export const respondWithPages = <Row, S extends TObject>(
  call: ListCall,
  queryRange: QueryRange<Row>,
  view: ListView<Row, S>,
): ListResult<S> =>
  respond(call, view, {
    page: () => queryRange(toPageRange(call.request.query)),
    queryAll: () => readAllPages(queryRange),
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
  { page, queryAll }: { page: () => Promise<FoundRows<Row>>; queryAll: () => AsyncIterable<Row[]> },
): ListResult<S> {
  const { url = '' } = request.routeOptions;
  if (wantsCsv(request)) {
    const reason = readExportReason(request);
    if (reason !== undefined && (await page()).isEstimated) throw tooManyRows();
    // JSON is masked by the API server, CSV here.
    const mask = findMasker(item);
    const role = reason === undefined && hasCustomerData(item) ? 'viewer' : request.caller.role;
    async function* batches() {
      for await (const rows of queryAll()) {
        const items = await render(rows);
        yield mask ? items.map((row) => mask(row, role)) : items;
      }
    }
    return sendCsv({ request, reply }, url.split('/').at(-1)!, buildColumns(item), batches());
  }
  const { total, rows, sumCents, isEstimated, next, prev } = await page();
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
