import type { Readable } from 'node:stream';
import { type Static, type TObject, type TSchema, Type } from 'typebox';
import { type Day, endOfDay, startOfDay } from '#core/day.ts';
import { csvOf, wantsCsv } from '../csv.ts';
import { type Queryable, type Sql, sql } from '../db.ts';
import type { Sent } from './endpoint.ts';
import { LINK_HEADER, linkHeader, Pagination, pageParameters, paginationOf } from './pagination.ts';

/**
 * A list that the staff door gives in pages, and as CSV without any. The database keeps its order in an index that begins with the
 * conditions that are asked for, so a page costs what is on it.
 */
export type Listing<Row> = {
  /** `select ... from ...`, up to the conditions. */
  readonly of: Sql;
  /** Only those that are asked for: each shape of the list has a plan of its own. */
  readonly where: readonly Sql[];
  /** Columns: when it happened, and what tells those of one instant apart. */
  readonly by: readonly [Sql, Sql];
  /** The same of a row. */
  readonly keyOf: (row: Row) => readonly [Date, string | number];
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

/** What a list answers with. */
export const listAnswer = <S extends TObject>(description: string, item: S) =>
  ({
    200: {
      description,
      schema: Type.Object({ data: Type.Array(item), pagination: Pagination }),
      headers: LINK_HEADER,
      csv: true,
    },
  }) as const;

const matching = (where: readonly Sql[]): Sql =>
  where.reduce((all, one) => sql`${all} and ${one}`, sql`true`);

const ordered = ([at, id]: Listing<never>['by'], sort: Sort): Sql =>
  sort === 'newest' ? sql`${at} desc, ${id} desc` : sql`${at}, ${id}`;

export async function listPage<Row>(
  db: Queryable,
  { of, where, by }: Listing<Row>,
  { page, limit, sort = 'newest' }: { page: number; limit: number; sort?: Sort | undefined },
): Promise<{ total: number; rows: Row[] }> {
  const found = sql`${of} where ${matching(where)}`;
  const [rows, counted] = await Promise.all([
    db.rows<Row>(sql`${found} order by ${ordered(by, sort)} limit ${limit} offset ${(page - 1) * limit}`),
    db.row<{ total: number }>(sql`select count(*) as total from (${found}) as counted`),
  ]);
  return { total: counted!.total, rows };
}

const ROWS_AT_ONCE = 1_000;

/** All of them, some at a time: each batch goes on after the last row of the one before. */
export async function* listAll<Row>(
  db: Queryable,
  { of, where, by, keyOf }: Listing<Row>,
  sort: Sort = 'newest',
): AsyncGenerator<Row[]> {
  const [at, id] = by;
  let last: readonly [Date, string | number] | undefined;
  for (;;) {
    const rest = !last
      ? []
      : sort === 'newest'
        ? [sql`(${at}, ${id}) < (${last[0]}, ${last[1]})`]
        : [sql`(${at}, ${id}) > (${last[0]}, ${last[1]})`];
    const rows = await db.rows<Row>(
      sql`${of} where ${matching([...where, ...rest])} order by ${ordered(by, sort)} limit ${ROWS_AT_ONCE}`,
    );
    if (rows.length === 0) return;
    last = keyOf(rows.at(-1)!);
    yield rows;
  }
}

type ListRequest = {
  query: { page: number; limit: number; sort?: Sort } & Record<string, string | number | undefined>;
  headers: { accept?: string | undefined };
  routeOptions: { url?: string | undefined };
};
type ListReply = {
  header(name: string, value: string): { type(contentType: string): { send(body: Readable): Sent } };
};

/** Answers with a page, or where the caller would rather have CSV with all of it, as it is read. `render` gets a batch of rows. */
export async function answerList<Row, S extends TObject>(
  db: Queryable,
  { request, reply }: { request: ListRequest; reply: ListReply },
  listing: Listing<Row>,
  {
    item,
    render,
    isLinked = true,
  }: {
    item: S;
    render: (rows: Row[]) => Array<Static<S>> | Promise<Array<Static<S>>>;
    /** False: no `Link`. Whom a list is about stays out of addresses, which end up in logs and histories. */
    isLinked?: boolean;
  },
): Promise<Sent | { data: Array<Static<S>>; pagination: Static<typeof Pagination> }> {
  const { url = '' } = request.routeOptions;
  const { page, limit, sort } = request.query;
  if (wantsCsv(request.headers)) {
    const name = url.split('/').at(-1);
    async function* batches() {
      for await (const rows of listAll(db, listing, sort)) yield await render(rows);
    }
    return reply
      .header('content-disposition', `attachment; filename="${name}.csv"`)
      .type('text/csv; charset=utf-8')
      .send(csvOf(columnsOf(item), batches()));
  }
  const { total, rows } = await listPage(db, listing, { page, limit, sort });
  if (isLinked) reply.header('link', linkHeader(url, request.query, total));
  return { data: await render(rows), pagination: paginationOf({ page, limit }, total) };
}

type Cell = string | number | null;

/** A column for each field, those of an object in it as `object_field`; lists are left out. */
function columnsOf(schema: TSchema, path: readonly string[] = []): Record<string, (record: unknown) => Cell> {
  const { properties } = schema as { properties: Record<string, TSchema & { type?: string | string[] }> };
  return Object.assign(
    {},
    ...Object.entries(properties).map(([name, field]) => {
      const at = [...path, name];
      if (field.type === 'array') return {};
      if (field.type === 'object' && 'properties' in field) return columnsOf(field, at);
      return { [at.join('_')]: (record: unknown) => cellOf(at.reduce(memberOf, record)) };
    }),
  );
}

const memberOf = (value: unknown, name: string): unknown =>
  (value as Record<string, unknown> | null)?.[name] ?? null;

function cellOf(value: unknown): Cell {
  if (typeof value === 'string' || typeof value === 'number' || value === null) return value;
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}
