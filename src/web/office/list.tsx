import type { ComponentChildren } from 'preact';
import { isProblem } from '#client';
import { count, inReais } from '../text/format.ts';
import { type Act, mayDo } from './act.tsx';
import { type Bulk, BulkButtons, bulkActsOf, bulkPages } from './bulk.tsx';
import type { Column } from './columns.tsx';
import { fileOf } from './csv.ts';
import type { Filter } from './filters.ts';
import { OfficeLayout } from './layout.tsx';
import { Hidden } from './parts.tsx';
import { type Item, isSorted, type ListId, type QueryOf, type StaffSchemas } from './staff/client.ts';
import { Table } from './tables.tsx';
import { Views, viewForms } from './views.tsx';
import type { Download, MakeOfficePage, OfficeForm, OfficeVisit } from './visit.ts';

/** A list screen: everything about it. Filters, sorting and page are in its address. */
type ListScreen<O extends ListId> = {
  path: string;
  title: string;
  call: O;
  filters: ReadonlyArray<Filter<keyof QueryOf<O> & string>>;
  columns: ReadonlyArray<Column<Item<O>>>;
  /** What comes first unless the address says it, where that is not the newest. */
  order?: string;
  /** Where a row leads. */
  open?: (row: Item<O>) => string | undefined;
  /** What can be begun here. */
  acts?: readonly Act[];
  /** What can be done to many rows at once. */
  bulk?: Bulk<Item<O>>;
  empty?: string;
};

export type Listed = {
  path: string;
  pages: Record<string, MakeOfficePage>;
  forms: Record<string, OfficeForm>;
  /** CSV of exactly what is shown, and of what else the rows have. */
  download: Download;
};

type Answer<Row> = {
  data: Row[];
  /** `estimated`: there are too many to be counted at once. */
  pagination: StaffSchemas['ListPagination'];
  totals?: { amount: number };
};
const SORTS = { newest: 'Mais novos primeiro', oldest: 'Mais antigos primeiro' };
const PER_PAGE = 50;

/** The number of a page in the address. */
export const pageIn = (search: URLSearchParams, name: string): number =>
  Math.max(1, Math.floor(Number(search.get(name)) || 1));

/** Which page the address names: by number, or by key. */
const placeIn = (search: URLSearchParams): Record<string, string | number> => ({
  page: pageIn(search, 'page'),
  ...Object.fromEntries(
    ['after', 'before'].flatMap((name) => (search.get(name) ? [[name, search.get(name)!]] : [])),
  ),
});

export function listScreen<O extends ListId>(screen: ListScreen<O>): Listed {
  const { path, title, call, columns, open, empty } = screen;
  const filters: readonly Filter[] = screen.filters;
  const names = [...filters.map(({ name }) => name), 'sort'];
  /** Only what the screen knows, and what is not empty. */
  const filterOf = (search: URLSearchParams) =>
    Object.fromEntries(
      names.flatMap((name) => (search.get(name)?.trim() ? [[name, search.get(name)!.trim()]] : [])),
    );

  /** The page of the list that the address names. */
  const read = ({ api, search }: OfficeVisit): Promise<Answer<Item<O>>> => {
    const query = { ...filterOf(search), ...placeIn(search), limit: PER_PAGE };
    return (api[call] as unknown as (input: object) => Promise<Answer<Item<O>>>)({ query });
  };

  const page: MakeOfficePage = async (visit) => {
    const { api, search, who } = visit;
    const filter = filterOf(search);
    const [{ answer, fault }, views] = await Promise.all([
      read(visit).then(
        (found) => ({ answer: found, fault: undefined }),
        (error: unknown) => {
          if (isProblem(error, 'validation_failed'))
            return { answer: undefined, fault: faultIn(error.errors, filters) };
          throw error;
        },
      ),
      api.listSavedViews({ query: { list: call } }),
    ]);
    const bulk = screen.bulk && bulkActsOf(screen.bulk, who!).length > 0 ? screen.bulk : undefined;
    const acts = (screen.acts ?? []).filter((act) => mayDo(who!.role, act));
    const address = (changes: Record<string, string>) =>
      `${path}?${new URLSearchParams({ ...filter, ...changes })}`;
    return (
      <OfficeLayout
        title={title}
        visit={visit}
        actions={acts.map((act) => (
          <a key={act.path} class="button small" href={act.path}>
            {act.title}
          </a>
        ))}
      >
        {filters.length > 0 && <Views visit={visit} path={path} views={views.data} filter={filter} />}
        <Filters
          path={path}
          filters={filters}
          filter={filter}
          sorts={isSorted(call) ? { first: screen.order } : undefined}
        />
        {fault && (
          <p class="alert" role="alert">
            {fault}
          </p>
        )}
        {answer && (
          <>
            <div class="office-total">
              <p role="status">
                {answer.pagination.estimated && 'cerca de '}
                <b>{count(answer.pagination.total)}</b> {answer.pagination.total === 1 ? 'linha' : 'linhas'}
                {answer.totals && (
                  <>
                    {' '}
                    · soma <b class="figure">{inReais(answer.totals.amount)}</b>
                  </>
                )}
              </p>
              <a href={`${path}.csv?${new URLSearchParams(filter)}`} data-download>
                Baixar CSV
              </a>
            </div>
            <Chosen
              path={path}
              place={{ ...filter, ...placeIn(search) }}
              buttons={bulk && answer.data.length > 0 && <BulkButtons bulk={bulk} who={who!} />}
            >
              <Table
                caption={title}
                columns={columns}
                rows={answer.data}
                open={open}
                choosing={bulk}
                empty={empty ?? 'Nenhuma linha com estes filtros.'}
              />
            </Chosen>
            <Turn of={answer.pagination} address={address} />
          </>
        )}
      </OfficeLayout>
    );
  };
  const many = screen.bulk
    ? bulkPages({ path, title, columns, bulk: screen.bulk }, async (visit) => (await read(visit)).data)
    : { pages: {}, forms: {} };
  return {
    path,
    pages: { [path]: page, ...many.pages },
    forms: { ...viewForms({ path, call }), ...many.forms },
    async download({ api, search }) {
      const query = { ...filterOf(search), csv: 'br' as const };
      return fileOf(path, columns, await api.open(call as 'listPartners', { query }));
    },
  };
}

/** Rows that can be chosen, in a form that leads to what would happen to them. */
function Chosen(props: {
  path: string;
  /** Which page of the list it is. */
  place: Record<string, string | number>;
  buttons: ComponentChildren;
  children: ComponentChildren;
}) {
  const { path, place, buttons, children } = props;
  if (!buttons) return <>{children}</>;
  return (
    <form action={`${path}/varios`}>
      <Hidden of={place} />
      {children}
      {buttons}
    </form>
  );
}

const faultIn = (errors: ReadonlyArray<{ pointer: string; message: string }>, filters: readonly Filter[]) => {
  const labelOf = (name: string) => filters.find((filter) => filter.name === name)?.label ?? name;
  return `O filtro não serve: ${errors.map(({ pointer, message }) => `“${labelOf(pointer.slice(1))}” ${message}`).join('; ')}`;
};

function Filters(props: {
  path: string;
  filters: readonly Filter[];
  filter: Record<string, string>;
  sorts: { first: string | undefined } | undefined;
}) {
  const { path, filters, filter, sorts } = props;
  if (filters.length === 0) return null;
  return (
    <form class="office-filters" action={path}>
      {filters
        .filter(({ name, kind }) => kind !== 'linked' || filter[name])
        .map((filterOf) => (
          <div key={filterOf.name}>
            <label for={`f-${filterOf.name}`}>{filterOf.label}</label>
            <FilterInput of={filterOf} value={filter[filterOf.name]} />
          </div>
        ))}
      {sorts && (
        <div>
          <label for="f-sort">Ordem</label>
          <Choice name="sort" choices={SORTS} chosen={filter.sort} all={sorts.first} />
        </div>
      )}
      <button class="button small" type="submit">
        Filtrar
      </button>
      {Object.keys(filter).length > 0 && <a href={path}>Limpar</a>}
    </form>
  );
}

function FilterInput({ of, value = '' }: { of: Filter; value: string | undefined }) {
  const { name, choices, kind } = of;
  const id = `f-${name}`;
  if (choices) return <Choice name={name} choices={choices} chosen={value} all="Todos" />;
  if (kind === 'day') return <input id={id} name={name} type="date" value={value} />;
  return <input id={id} name={name} type="search" value={value} maxLength={100} />;
}

const Choice = (props: {
  name: string;
  choices: Readonly<Record<string, string>>;
  chosen: string | undefined;
  all?: string | undefined;
}) => (
  <select id={`f-${props.name}`} name={props.name}>
    {props.all && <option value="">{props.all}</option>}
    {Object.entries(props.choices).map(([value, text]) => (
      <option key={value} value={value} selected={value === props.chosen}>
        {text}
      </option>
    ))}
    {props.chosen && !(props.chosen in props.choices) && <option selected>{props.chosen}</option>}
  </select>
);

/** By key where the service gives one: a page far down a long list costs no more than the first. */
export function Turn(props: {
  of: Answer<unknown>['pagination'];
  address: (changes: Record<string, string>) => string;
}) {
  const { page, pages, estimated, next, prev } = props.of;
  const address = (to: number, cursor?: Record<string, string | undefined>) => {
    const [[name, key] = []] = Object.entries(cursor ?? {});
    return props.address({ page: String(to), ...(name && key && to > 1 && { [name]: key }) });
  };
  if (pages <= 1) return null;
  return (
    <nav class="office-turn" aria-label="Páginas">
      {page > 1 ? (
        <a href={address(page - 1, { before: prev })} rel="prev">
          Anterior
        </a>
      ) : (
        <span />
      )}
      <span>
        Página {count(page)} de {estimated && 'cerca de '}
        {count(pages)}
      </span>
      {next || page < pages ? (
        <a href={address(page + 1, { after: next })} rel="next">
          Próxima
        </a>
      ) : (
        <span />
      )}
    </nav>
  );
}
