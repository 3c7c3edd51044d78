import type { Readable } from 'node:stream';
import { type Static, type TArray, type TObject, type TOptional, Type } from 'typebox';
import { type Day, endOfDay, startOfDay } from '#core/day.ts';
import { cents, toReais } from '#core/money.ts';
import { type Queryable, type Sql, sql } from '../database/db.ts';
import type { Role } from './access.ts';
import { columnsOf, sendCsv, wantsCsv } from './csv.ts';
import {
  LINK_HEADER,
  linkHeader,
  type Page,
  Pagination,
  pageParameters,
  paginationOf,
} from './pagination.ts';
import { maskerOf } from './personal.ts';
import { Reais } from './schemas.ts';
import type { Sent } from './sent.ts';

/**
 * A list that the staff door gives in pages, and as CSV without any. The database keeps its order in an index that begins with the
 * conditions that are asked for, so a page costs what is on it.
 */
export type Listing<Row> = {
  /** `select ... from ...`, up to the conditions. */
  readonly of: Sql;
  /** Only those that are asked for: each shape of the list has a plan of its own. */
  readonly where: readonly Sql[];
  /** Columns: when it happened, and what tells those of one instant apart; or an id that grows with time. */
  readonly by: readonly Sql[];
  /** The same of a row. */
  readonly keyOf: (row: Row) => ReadonlyArray<Date | string | number>;
  /** A column of the statement, in centavos: its sum over all that is found is answered in `totals`. */
  readonly sum?: Sql;
};

export const SORTS = ['newest', 'oldest'] as const;
export type Sort = (typeof SORTS)[number];

export const listParameters = () => ({
  ...pageParameters(),
  sort: Type.Optional(Type.Enum([...SORTS], { description: 'What comes first; the newest unless sent.' })),
});

/** `things`: what happened on these days, e.g. 'Bought'. */
export const dayParameters = (things: string) => ({
  from: Type.Optional(DayParameter(`${things} on or after this day`)),
  to: Type.Optional(DayParameter(`${things} on or before this day`)),
});

const DayParameter = (description: string) =>
  Type.String({ format: 'date', pattern: '^2[01]', description: `${description}, in São Paulo.` });

/** Conditions on a column with an instant; none where no day is given. */
export function onDays(
  column: Sql,
  { from, to }: { from?: string | undefined; to?: string | undefined },
): Sql[] {
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
        pagination: Pagination,
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
  pagination: typeof Pagination;
  totals: TOptional<ReturnType<typeof Totals>>;
};

const matching = (where: readonly Sql[]): Sql =>
  where.reduce((all, one) => sql`${all} and ${one}`, sql`true`);

const listed = ([first, ...others]: readonly Sql[]): Sql =>
  others.reduce((all, one) => sql`${all}, ${one}`, first!);

const ordered = (by: readonly Sql[], sort: Sort): Sql =>
  listed(sort === 'newest' ? by.map((column) => sql`${column} desc`) : by);

type Range = { offset: number; limit: number };
type Found<Row> = { total: number; rows: Row[]; sumCents?: number };

/** `found`: the statement without its order. */
export async function readPage<Row>(
  db: Queryable,
  { found, order, sum }: { found: Sql; order: Sql; sum?: Sql | undefined },
  { offset, limit }: Range,
): Promise<Found<Row>> {
  const figures = sum
    ? sql`count(*) as total, coalesce(sum(${sum}), 0)::bigint as cents`
    : sql`count(*) as total`;
  const [rows, counted] = await Promise.all([
    db.rows<Row>(sql`${found} order by ${order} limit ${limit} offset ${offset}`),
    db.row<{ total: number; cents?: number }>(sql`select ${figures} from (${found}) as counted`),
  ]);
  const { total, cents: sumCents } = counted!;
  return sumCents === undefined ? { total, rows } : { total, rows, sumCents };
}

export const listPage = <Row>(
  db: Queryable,
  { of, where, by, sum }: Listing<Row>,
  { page, limit, sort = 'newest' }: Page & { sort?: Sort | undefined },
): Promise<Found<Row>> =>
  readPage(
    db,
    { found: sql`${of} where ${matching(where)}`, order: ordered(by, sort), sum },
    rangeOf({ page, limit }),
  );

const rangeOf = ({ page, limit }: Page): Range => ({ offset: (page - 1) * limit, limit });

const ROWS_AT_ONCE = 1_000;

/** All of them, some at a time: each batch goes on after the last row of the one before. */
async function* listAll<Row>(
  db: Queryable,
  { of, where, by, keyOf }: Listing<Row>,
  sort: Sort = 'newest',
): AsyncGenerator<Row[]> {
  let last: ReturnType<typeof keyOf> | undefined;
  for (;;) {
    const key = last;
    const values = key && listed(by.map((_column, i) => sql`${key[i]}`));
    const rest = !values
      ? []
      : sort === 'newest'
        ? [sql`(${listed(by)}) < (${values})`]
        : [sql`(${listed(by)}) > (${values})`];
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
  for (let offset = 0, total = 1; offset < total; offset += ROWS_AT_ONCE) {
    const found = await read({ offset, limit: ROWS_AT_ONCE });
    total = found.total;
    yield found.rows;
  }
}

type ListRequest = {
  query: Page & { sort?: Sort } & Record<string, string | number | undefined>;
  headers: { accept?: string | undefined; 'accept-language'?: string | undefined };
  caller: { role: Role | '' };
  routeOptions: { url?: string | undefined };
};
type ListReply = {
  header(name: string, value: string): { type(contentType: string): { send(body: Readable): Sent } };
};

/** What a list is answered to. */
export type ListCall = { request: ListRequest; reply: ListReply };

type Shown<Row, S extends TObject> = {
  item: S;
  /** Gets a batch of rows. */
  render: (rows: Row[]) => Array<Static<S>> | Promise<Array<Static<S>>>;
  /** Where the address has something in it: the address for `Link`. */
  path?: string;
  /** False: no `Link`. Whom a list is about stays out of addresses, which end up in logs and histories. */
  isLinked?: boolean;
};
type Answered<S extends TObject> = Promise<
  | Sent
  | {
      data: Array<Static<S>>;
      pagination: Static<typeof Pagination>;
      totals?: Static<ReturnType<typeof Totals>>;
    }
>;

/** Answers with a page, or where the caller would rather have CSV with all of it, as it is read. */
export function answerList<Row, S extends TObject>(
  db: Queryable,
  call: ListCall,
  listing: Listing<Row>,
  shown: Shown<Row, S>,
): Answered<S> {
  const { query } = call.request;
  return answer(call, shown, {
    page: () => listPage(db, listing, query),
    all: () => listAll(db, listing, query.sort),
  });
}

/** The same of a list that is short by nature, in whatever order: CSV turns its pages. */
export const answerPages = <Row, S extends TObject>(
  call: ListCall,
  read: ReadPage<Row>,
  shown: Shown<Row, S>,
): Answered<S> =>
  answer(call, shown, { page: () => read(rangeOf(call.request.query)), all: () => turnPages(read) });

async function answer<Row, S extends TObject>(
  { request, reply }: ListCall,
  { item, render, path, isLinked = true }: Shown<Row, S>,
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
  const { total, rows, sumCents } = await page();
  if (isLinked) reply.header('link', linkHeader(path ?? url, request.query, total));
  const totals = sumCents === undefined ? {} : { totals: { amount: toReais(cents(sumCents)) } };
  return { data: await render(rows), pagination: paginationOf(request.query, total), ...totals };
}
