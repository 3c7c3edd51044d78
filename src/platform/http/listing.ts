import type { Readable } from 'node:stream';
import { type Static, type TArray, type TObject, type TOptional, Type } from 'typebox';
import { type Day, endOfDay, startOfDay } from '#core/day.ts';
import { cents, toReais } from '#core/money.ts';
import { type Queryable, type Sql, sql } from '../database/db.ts';
import { validationFailed } from '../problem.ts';
import type { Role } from './access.ts';
import { columnsOf, sendCsv, wantsCsv } from './csv.ts';
import {
  type Cursors,
  LINK_HEADER,
  ListPagination,
  linkHeader,
  type Page,
  pageParameters,
  paginationOf,
  windowOf,
} from './pagination.ts';
import { maskerOf } from './personal.ts';
import { DayParameter, Reais } from './schemas.ts';
import type { SearchTarget } from './search.ts';
import type { Sent } from './sent.ts';
import { type Totals as FoundTotals, findTotals, MOST_COUNTED } from './totals.ts';

/**
 * A list that the staff door gives in pages, and as CSV without any. The database keeps its order in an index that begins with the
 * conditions that are asked for, so a page costs what is on it.
 */
export type Listing<Row> = {
  /** `select ... from ...`, up to the conditions. */
  readonly of: Sql;
  /** Only those that are asked for: each shape of the list has a plan of its own. */
  readonly where: readonly Sql[];
  /** A condition that few rows meet, whichever they are. They are found by its own indexes, and sorted. */
  readonly only?: Sql | undefined;
  /** Columns: when it happened, and what tells those of one instant apart; or an id that grows with time. */
  readonly by: readonly Sql[];
  /** The same of a row. */
  readonly keyOf: (row: Row) => ReadonlyArray<Date | string | number>;
  /** A column of the statement, in centavos: its sum over all that is found is answered in `totals`. */
  readonly sum?: Sql;
  /** All are counted, however many: for partners, whom `total` tells no estimate. */
  readonly isCounted?: true;
};

export const SORTS = ['newest', 'oldest'] as const;
export type Sort = (typeof SORTS)[number];

const Cursor = (description: string) => Type.String({ pattern: '^[A-Za-z0-9_-]{1,400}$', description });

/** Where a page begins or ends, by key instead of by number. */
export const cursorParameters = () => ({
  after: Type.Optional(Cursor('The rows after these: `pagination.next` of the page before.')),
  before: Type.Optional(Cursor('The rows before these: `pagination.prev` of the page after.')),
});

export const listParameters = () => ({
  ...pageParameters(),
  ...cursorParameters(),
  sort: Type.Optional(Type.Enum([...SORTS], { description: 'What comes first; the newest unless sent.' })),
});

/** `things`: what happened on these days, e.g. 'Bought'. */
export const dayParameters = (things: string) => ({
  from: Type.Optional(DayParameter(`${things} on or after this day`)),
  to: Type.Optional(DayParameter(`${things} on or before this day`)),
});

type Days = { readonly from?: string | undefined; readonly to?: string | undefined };

/** What most lists can be narrowed by: days, and what a pasted text means. */
export type Narrowing = Days & { readonly target?: SearchTarget | undefined };

/** Conditions on a column with an instant; none where no day is given. */
export function onDays(column: Sql, { from, to }: Days): Sql[] {
  return [
    ...(from === undefined ? [] : [sql`${column} >= ${new Date(startOfDay(from as Day))}`]),
    ...(to === undefined ? [] : [sql`${column} < ${new Date(endOfDay(to as Day))}`]),
  ];
}

/** What a list answers with. `sum`: what the amounts are, where the listing has one. */
export const listAnswer = <S extends TObject>(description: string, item: S, sum?: string) =>
  ({
    200: {
      description,
      schema: Type.Object({
        data: Type.Array(item),
        pagination: ListPagination,
        ...(sum !== undefined && { totals: Type.Optional(Totals(sum)) }),
      } as ListFields<S>),
      headers: LINK_HEADER,
      csv: true,
    },
  }) as const;

const Totals = (of: string) =>
  Type.Object({ amount: Reais(`${of}, of all pages`) }, { description: 'Of all that the filter finds.' });

type ListFields<S extends TObject> = {
  data: TArray<S>;
  pagination: typeof ListPagination;
  totals: TOptional<ReturnType<typeof Totals>>;
};

const matching = (where: readonly Sql[]): Sql =>
  where.reduce((all, one) => sql`${all} and ${one}`, sql`true`);

const listed = ([first, ...others]: readonly Sql[]): Sql =>
  others.reduce((all, one) => sql`${all}, ${one}`, first!);

const ordered = (by: readonly Sql[], sort: Sort): Sql =>
  listed(sort === 'newest' ? by.map((column) => sql`${column} desc`) : by);

/**
 * With `only` among the conditions, in an order that no index has. Otherwise the planner may walk the index of the list's order in
 * search of the few rows, perhaps to its end.
 */
function narrowed<Row>(listing: Listing<Row>): Listing<Row> {
  const { only, where, by } = listing;
  if (only === undefined) return listing;
  const [first, ...others] = by;
  return { ...listing, where: [...where, only], by: [sql`coalesce(${first}, ${first})`, ...others] };
}

export type Range = { offset: number; limit: number };
type Found<Row> = FoundTotals & Cursors & { readonly rows: Row[] };

/** `found`: the statement without its order. */
export async function readPage<Row>(
  db: Queryable,
  { found, order, sum }: { found: Sql; order: Sql; sum?: Sql | undefined },
  { offset, limit }: Range,
): Promise<Found<Row>> {
  const [rows, totals] = await Promise.all([
    db.rows<Row>(sql`${found} order by ${order} limit ${limit} offset ${offset}`),
    findTotals(db, found, sum),
  ]);
  return { ...totals, rows };
}

type PageRequest = Page & {
  readonly sort?: Sort | undefined;
  readonly after?: string | undefined;
  readonly before?: string | undefined;
};

/** By `after` or `before` a page costs the same wherever it is. By number it is refused far down a long list. */
export async function listPage<Row>(
  db: Queryable,
  listing: Listing<Row>,
  asked: PageRequest,
): Promise<Found<Row>> {
  const { of, where, by, keyOf, sum, isCounted } = narrowed(listing);
  const { page, limit, sort = 'newest', after, before } = asked;
  const totalsOf = () => findTotals(db, sql`${of} where ${matching(where)}`, sum, isCounted);
  const key = keyIn(after ?? before, by.length, after === undefined ? '/before' : '/after');
  const { offset } = windowOf({ page, limit });
  const isFar = key === undefined && offset > MOST_COUNTED;
  const counted = isFar ? await totalsOf() : undefined;
  if (counted?.isEstimated) throw tooFar();
  const isBack = after === undefined && before !== undefined;
  const turned = isBack ? OPPOSITE[sort] : sort;
  const rest = key ? [beyond(by, key, turned)] : [];
  const start = key ? sql`` : sql` offset ${offset}`;
  // One more than is shown tells whether there are others.
  const [found, totals] = await Promise.all([
    db
      .rows<Row>(
        sql`${of} where ${matching([...where, ...rest])} order by ${ordered(by, turned)} limit ${limit + 1}${start}`,
      )
      .catch((error: unknown) => {
        throw key && isBadKey(error) ? badCursor(isBack ? '/before' : '/after') : error;
      }),
    counted ?? totalsOf(),
  ]);
  const hasMore = found.length > limit;
  const rows = isBack ? found.slice(0, limit).toReversed() : found.slice(0, limit);
  const [first, last] = [rows[0], rows.at(-1)];
  const hasNext = isBack || hasMore;
  const hasPrev = isBack ? hasMore : key !== undefined || offset > 0;
  return {
    ...totals,
    rows,
    ...(last && hasNext && { next: cursorOf(keyOf(last)) }),
    ...(first && hasPrev && { prev: cursorOf(keyOf(first)) }),
  };
}

const OPPOSITE = { newest: 'oldest', oldest: 'newest' } as const;

type Key = ReturnType<Listing<unknown>['keyOf']>;

/** The rows that come after this one. */
function beyond(by: readonly Sql[], key: Key, sort: Sort): Sql {
  const values = listed(by.map((_column, i) => sql`${key[i]}`));
  return sort === 'newest' ? sql`(${listed(by)}) < (${values})` : sql`(${listed(by)}) > (${values})`;
}

const cursorOf = (key: Key): string => Buffer.from(JSON.stringify(key)).toString('base64url');

/** Dates are texts here, which the database reads. */
function keyIn(cursor: string | undefined, length: number, pointer: string): Key | undefined {
  if (cursor === undefined) return undefined;
  try {
    const key: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString());
    const isPart = (part: unknown) =>
      ['string', 'number'].includes(typeof part) && !String(part).includes('\0');
    if (Array.isArray(key) && key.length === length && key.every(isPart)) return key;
  } catch {
    // No JSON.
  }
  throw badCursor(pointer);
}

/** A text that is no instant or number, or one out of range. */
const isBadKey = (error: unknown) =>
  ['22007', '22008', '22P02', '22003'].includes((error as { code?: string }).code ?? '');

const badCursor = (pointer: string) =>
  validationFailed([
    {
      pointer,
      message: {
        en: 'must be a cursor that a page of this list gave',
        pt: 'deve ser um cursor dado por uma página desta lista',
      },
    },
  ]);

const tooFar = () =>
  validationFailed([
    {
      pointer: '/page',
      message: {
        en: `is further than ${MOST_COUNTED} rows down: go on with \`after\`, or narrow the filter`,
        pt: `passa de ${MOST_COUNTED} linhas: siga com \`after\` ou use filtros`,
      },
    },
  ]);

const ROWS_AT_ONCE = 1_000;

/** All of them, some at a time: each batch goes on after the last row of the one before. */
async function* listAll<Row>(
  db: Queryable,
  listing: Listing<Row>,
  sort: Sort = 'newest',
): AsyncGenerator<Row[]> {
  const { of, where, by, keyOf } = narrowed(listing);
  let last: Key | undefined;
  for (;;) {
    const rest = last ? [beyond(by, last, sort)] : [];
    const rows = await db.rows<Row>(
      sql`${of} where ${matching([...where, ...rest])} order by ${ordered(by, sort)} limit ${ROWS_AT_ONCE}`,
    );
    if (rows.length === 0) return;
    last = keyOf(rows.at(-1)!);
    yield rows;
  }
}

type ReadPage<Row> = (range: Range) => Promise<Found<Row>>;

async function* turnPages<Row>(read: ReadPage<Row>): AsyncGenerator<Row[]> {
  for (let offset = 0, isOver = false; !isOver; offset += ROWS_AT_ONCE) {
    const { rows } = await read({ offset, limit: ROWS_AT_ONCE });
    isOver = rows.length < ROWS_AT_ONCE;
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

/** What a list is answered to. */
export type ListCall = { request: ListRequest; reply: ListReply };

type ShownList<Row, S extends TObject> = {
  item: S;
  /** Gets a batch of rows. */
  render: (rows: Row[]) => Array<Static<S>> | Promise<Array<Static<S>>>;
  /** Where the address has something in it: the address for `Link`. */
  path?: string;
  /**
   * False: no `Link`. Whom a list is about stays out of addresses, which end up in logs and histories. Of a `Listing` with a `q` it is
   * false unless set.
   */
  isLinked?: boolean;
};
type Answered<S extends TObject> = Promise<
  | Sent
  | {
      data: Array<Static<S>>;
      pagination: Static<typeof ListPagination>;
      totals?: Static<ReturnType<typeof Totals>>;
    }
>;

/** Answers with a page, or where the caller would rather have CSV with all of it, as it is read. */
export function answerList<Row, S extends TObject>(
  db: Queryable,
  call: ListCall,
  listing: Listing<Row>,
  shown: ShownList<Row, S>,
): Answered<S> {
  const { query } = call.request;
  return answer(
    call,
    { isLinked: query.q === undefined, ...shown },
    {
      page: () => listPage(db, listing, query),
      all: () => listAll(db, listing, query.sort),
    },
  );
}

/** The same of a list that is short by nature, in whatever order: CSV turns its pages. */
export const answerPages = <Row, S extends TObject>(
  call: ListCall,
  read: ReadPage<Row>,
  shown: ShownList<Row, S>,
): Answered<S> =>
  answer(call, shown, { page: () => read(windowOf(call.request.query)), all: () => turnPages(read) });

async function answer<Row, S extends TObject>(
  { request, reply }: ListCall,
  { item, render, path, isLinked = true }: ShownList<Row, S>,
  { page, all }: { page: () => Promise<Found<Row>>; all: () => AsyncIterable<Row[]> },
): Answered<S> {
  const { url = '' } = request.routeOptions;
  if (wantsCsv(request)) {
    // What goes out as JSON is masked by the door.
    const mask = maskerOf(item);
    async function* batches() {
      for await (const rows of all()) {
        const shown = await render(rows);
        yield mask ? shown.map((row) => mask(row, request.caller.role)) : shown;
      }
    }
    return sendCsv({ request, reply }, url.split('/').at(-1)!, columnsOf(item), batches());
  }
  const { total, rows, sumCents, isEstimated, next, prev } = await page();
  if (isLinked)
    reply.header('link', linkHeader(path ?? url, request.query, total, { next, prev, isOpen: isEstimated }));
  const totals = sumCents === undefined ? {} : { totals: { amount: toReais(cents(sumCents)) } };
  const pagination = {
    ...paginationOf(request.query, total),
    ...(isEstimated && { estimated: true }),
    ...(next && { next }),
    ...(prev && { prev }),
  };
  return { data: await render(rows), pagination, ...totals };
}
