import { type Static, type TObject, type TSchema, Type } from 'typebox';
import { type Day, endOfDay, startOfDay } from '#core/values/day.ts';
import type { Clock } from '../clock.ts';
import { type Db, type Queryable, type Sql, sql } from '../database/db.ts';
import type { RequiredRole } from './access.ts';
import type { Caller, CliSpec, Endpoint } from './endpoint.ts';
import { endpoint } from './endpoint.ts';
import { type ListKey, type ListQuery, listParameters, listResponse, respondWithList } from './list-query.ts';
import { DayParameter, Text } from './schemas.ts';
import { buildSearchCondition, type ResolveSearch, type SearchColumns, type SearchTarget } from './search.ts';

/** A query parameter of a list, with the SQL condition for its value. */
export type Filter<Value = never> = {
  readonly schema: TSchema;
  /** Converts the parameter to the value for `where`, for example with a query. */
  readonly resolve?: (parameter: string, db: Queryable) => Promise<unknown>;
  readonly where: (value: Value, now: Date) => Sql;
  /** Keeps the parameter out of the URLs of the `Link` header, because it identifies a person. */
  readonly isPersonal?: true;
};
type Filters = Readonly<Record<string, Filter>>;

/** Declares a list that users can filter. Its query parameters and its SQL are derived from the declaration. */
export type List<Row, F extends Filters = Filters> = {
  readonly select: Sql | ((now: Date) => Sql);
  readonly where?: Sql;
  readonly filters: F;
  readonly search?: SearchColumns & { readonly description: string };
  /** `orderBy`, `keyOf` and `sumColumn` have the same meaning as in `ListQuery`. */
  readonly orderBy: readonly Sql[];
  readonly keyOf: (row: Row) => ListKey;
  readonly sumColumn?: Sql;
};

/** Declares a list. The row type is inferred from the parameter of `keyOf`. */
export const defineList = <Row, F extends Filters>(list: List<Row, F>): List<Row, F> => list;

/** Declares a filter by equality with a column, or by a condition on the value of the parameter. */
export const filterBy = <S extends TSchema>(
  schema: S,
  condition: Sql | ((value: Static<S>, now: Date) => Sql),
): Filter<Static<S>> => ({
  schema,
  where: typeof condition === 'function' ? condition : (value) => sql`${condition} = ${value as string}`,
});

/** Declares filters by the day of a timestamp. `verb` says what happened on that day, such as 'Bought'. */
export const filterByDays = (verb: string, column: Sql) => ({
  from: filterBy(
    DayParameter(`${verb} on or after this day`),
    (from) => sql`${column} >= ${new Date(startOfDay(from as Day))}`,
  ),
  to: filterBy(
    DayParameter(`${verb} on or before this day`),
    (to) => sql`${column} < ${new Date(endOfDay(to as Day))}`,
  ),
});

export type FilterValues<F extends Filters> = {
  readonly [Name in keyof F]?: Parameters<F[Name]['where']>[0] | undefined;
} & { readonly searchTarget?: SearchTarget | undefined };

/** Builds the query of a list. Only filters with a value add conditions, so that each combination has its own query plan. */
export const buildListQuery = <Row, F extends Filters>(
  list: List<Row, F>,
  values: FilterValues<F>,
  now: Date,
): ListQuery<Row> => ({
  select: typeof list.select === 'function' ? list.select(now) : list.select,
  where: [
    ...(list.where === undefined ? [] : [list.where]),
    ...Object.entries(list.filters).flatMap(([name, { where }]) =>
      values[name] === undefined ? [] : [where(values[name] as never, now)],
    ),
  ],
  searchCondition: list.search && buildSearchCondition(values.searchTarget, list.search),
  orderBy: list.orderBy,
  keyOf: list.keyOf,
  ...(list.sumColumn && { sumColumn: list.sumColumn }),
});

/** Builds the query parameters of a list: page, order, search and filters. */
export const buildListParameters = ({ filters, search }: List<never>): ReturnType<typeof listParameters> => ({
  ...listParameters(),
  ...(search && { q: Type.Optional(Text(100, { description: search.description })) }),
  ...(Object.fromEntries(
    Object.entries(filters).map(([name, { schema }]) => [name, Type.Optional(schema)]),
  ) as object),
});

/** `resolveSearch` is required for a list that declares `search`. */
type ListDeps = { readonly db: Db; readonly clock: Clock; readonly resolveSearch?: ResolveSearch };

type Query = Readonly<Record<string, string | number | undefined>>;

async function resolveFilters<F extends Filters>(db: Queryable, filters: F, query: Query) {
  const resolvedEntries = Object.entries(filters).map(async ([name, { resolve }]) => {
    const parameter = query[name] as string | undefined;
    return [name, parameter === undefined || !resolve ? parameter : await resolve(parameter, db)] as const;
  });
  return Object.fromEntries(await Promise.all(resolvedEntries)) as FilterValues<F>;
}

type ListSpec<Row, S extends TObject> = {
  readonly role?: RequiredRole;
  readonly id: string;
  readonly summary: string;
  readonly description?: string;
  readonly cli?: CliSpec;
  /** The description of a page of the list. */
  readonly page: string;
  readonly item: S;
  /** The description of the total amount, if the list has a `sumColumn`. */
  readonly sum?: string;
  render(rows: Row[], context: { now: Date; caller: Caller }): Array<Static<S>> | Promise<Array<Static<S>>>;
};

export const listEndpoint = <Row, F extends Filters, S extends TObject>(
  route: `GET /admin/${string}`,
  deps: ListDeps,
  list: List<Row, F>,
  { role = 'viewer', page, item, sum, render, ...spec }: ListSpec<Row, S>,
): Endpoint => {
  const { db, clock, resolveSearch } = deps;
  if (list.search && !resolveSearch) throw new Error(`${route} has a search, but no resolveSearch.`);
  return endpoint(route, {
    ...spec,
    access: { scope: 'operator', role },
    query: Type.Object(buildListParameters(list)),
    responses: listResponse(page, item as TObject, sum),
    async handler(request, reply) {
      const now = clock.now();
      const query: Query = request.query;
      const values = await resolveFilters(db, list.filters, query);
      const hasLinkHeader =
        query.q === undefined &&
        !Object.entries(list.filters).some(
          ([name, { isPersonal }]) => isPersonal && query[name] !== undefined,
        );
      const searchTarget = await resolveSearch?.(query.q as string | undefined, request.caller);
      return respondWithList(db, { request, reply }, buildListQuery(list, { ...values, searchTarget }, now), {
        item: item as TObject,
        hasLinkHeader,
        render: (rows) => render(rows, { now, caller: request.caller }) as Promise<Array<Static<TObject>>>,
      });
    },
  });
};
