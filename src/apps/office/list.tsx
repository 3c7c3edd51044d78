import type { ComponentChildren, VNode } from 'preact';
import { isProblem } from '#client';
import { getListFilters, type Item, isReversible, type ListId, type StaffSchemas } from '#staff-client';
import { formatNumber, formatReais } from '../text/format.ts';
import { Submit } from '../ui/buttons.tsx';
import { PageLinks } from '../ui/components.tsx';
import { HiddenInputs, Options } from '../ui/forms.tsx';
import { type Action, mayPerform } from './action.tsx';
import { BulkButtons, type BulkOptions, createBulkRoutes, listAllowedRowActions } from './bulk.tsx';
import { toCsvDownload } from './csv.ts';
import { getFieldLabel } from './field-labels.ts';
import { type Labels, YES_NO_LABELS } from './labels.ts';
import { Alert, OfficeLayout } from './layout.tsx';
import { toScreenText } from './problem-texts.ts';
import { createViewForms, SavedViews } from './saved-views.tsx';
import {
  type ColumnSpec,
  type ColumnTexts,
  type FieldPath,
  resolveColumn,
  Table,
  TableSection,
} from './tables.tsx';
import type { Download, OfficeFormHandler, OfficePageHandler, OfficeVisit } from './visit.ts';

/** The declaration of a list screen. The operation determines the filters. The URL contains filters, order and page number. */
type ListScreen<O extends ListId> = ColumnTexts & {
  path: string;
  title: string;
  operation: O;
  /** The label of the filter `q`, which says what the search finds. */
  searchLabel?: string;
  columns: ReadonlyArray<ColumnSpec<Item<O>>>;
  /** Replaces how a field is rendered, if its own value is not enough. */
  cells?: { readonly [Path in FieldPath<Item<O>>]?: (row: Item<O>) => ComponentChildren };
  /** The label of the default order, if that is not newest first. */
  defaultOrderLabel?: string;
  rowHref?: (row: Item<O>) => string | undefined;
  /** Actions that need no row, such as adding a record. */
  actions?: readonly Action[];
  bulk?: BulkOptions<Item<O>>;
  emptyText?: string;
};

/**
 * A filter sets a query parameter of the operation. It is a select if it has `choices`, a date input if its kind is `day`, and
 * otherwise a text input. A `linked` filter is set by links from other pages and is rendered only if the URL contains it.
 */
type Filter = { name: string; label: string; choices?: Labels; kind?: 'day' | 'linked' };

const LINKED_FILTERS: Labels = {
  actor: 'Quem (id)',
  checkout: 'Compra (código)',
  customer: 'Cliente (id ou telefone)',
  end_to_end_id: 'Id do PIX (E…)',
  merchant: 'Loja (endereço)',
  reference: 'Referência da loja',
};
const FILTER_LABELS: Labels = { ...LINKED_FILTERS, from: 'De', to: 'Até' };
/** Filters of the API that the screens do not have: `q` finds names too, and `from` sets the first day. */
const UNUSED_FILTERS = ['name', 'since'];

function deriveFilters({ operation, searchLabel, titles = {}, labels = {} }: ListScreen<ListId>): Filter[] {
  const filters = Object.entries(getListFilters(operation)).map(([name, kindOrValues]): Filter => {
    const allowedValues = typeof kindOrValues === 'string' ? undefined : kindOrValues;
    const valueLabels: Labels | undefined =
      labels[name] ?? (allowedValues?.includes('true') ? YES_NO_LABELS : undefined);
    const choices = allowedValues
      ? Object.fromEntries(allowedValues.map((value) => [value, valueLabels?.[value] ?? value]))
      : valueLabels;
    return {
      name,
      label: name === 'q' ? searchLabel! : (titles[name] ?? FILTER_LABELS[name] ?? getFieldLabel(name)),
      ...(choices && { choices }),
      ...(kindOrValues === 'day' && { kind: 'day' }),
      ...(name in LINKED_FILTERS && { kind: 'linked' }),
    };
  });
  // The search comes first, the days come last.
  const getRank = ({ name, kind }: Filter) => (name === 'q' ? 0 : kind === 'day' ? 2 : 1);
  return filters
    .filter(({ name }) => !UNUSED_FILTERS.includes(name))
    .toSorted((a, b) => getRank(a) - getRank(b));
}

export type ListRoutes = {
  path: string;
  pages: Record<string, OfficePageHandler>;
  forms: Record<string, OfficeFormHandler>;
  /** CSV of the filtered rows, with all of their fields. */
  download: Download;
};

type ListResponse<Row> = {
  data: Row[];
  /** `estimated`: there are too many rows to count them exactly. */
  pagination: StaffSchemas['ListPagination'];
  totals?: { amount: number };
};
const SORT_LABELS = { newest: 'Mais novos primeiro', oldest: 'Mais antigos primeiro' };
const PAGE_SIZE = 50;

/** Reads the page number from this parameter of the URL; 1 if it is missing or invalid. */
export const readPageNumber = (search: URLSearchParams, name: string): number =>
  Math.max(1, Math.floor(Number(search.get(name)) || 1));

/** `after` and `before` are cursors, which `Pagination` adds to the links to neighbouring pages. */
const readPagePosition = (search: URLSearchParams): Record<string, string | number> => ({
  page: readPageNumber(search, 'page'),
  ...pickParams(search, ['after', 'before']),
});

/** Picks the parameters with these names that are not empty. */
const pickParams = (search: URLSearchParams, names: readonly string[]): Record<string, string> =>
  Object.fromEntries(names.map((name) => [name, search.get(name)?.trim()]).filter(([, value]) => value));

type ListSection<Row> = (props: {
  list: ListResponse<Row>;
  /** The query that `list` was read with. The link to the full list has the same filters. */
  query: Record<string, string | number>;
  /** Titles of columns to leave out, because they are the same in all rows. */
  omit?: readonly string[];
  /** Defaults to the title of the list. */
  title?: string;
  /** False if the links of the rows would lead to the page that has the section. */
  hasRowLinks?: boolean;
}) => VNode;

export function defineListScreen<O extends ListId>(
  screen: ListScreen<O>,
): ListRoutes & {
  /** The first rows of the filtered list, for the page of a record that they belong to. */
  Section: ListSection<Item<O>>;
} {
  const { path, title, operation, rowHref, emptyText } = screen;
  const filters = deriveFilters(screen as unknown as ListScreen<ListId>);
  const columns = screen.columns.map((spec) => {
    const column = resolveColumn(spec, screen);
    const render = typeof spec === 'string' ? screen.cells?.[spec] : undefined;
    return render ? { ...column, render } : column;
  });
  const paramNames = [...filters.map(({ name }) => name), 'sort'];
  const readFilterValues = (search: URLSearchParams) => pickParams(search, paramNames);

  const readList = ({ api, search }: OfficeVisit): Promise<ListResponse<Item<O>>> => {
    const query = { ...readFilterValues(search), ...readPagePosition(search), limit: PAGE_SIZE };
    // The compiler does not relate a function of the client to the type parameter.
    return (api[operation] as unknown as (input: object) => Promise<ListResponse<Item<O>>>)({ query });
  };

  /** Returns an error instead of the list if the service rejects a filter of the URL. */
  const readListOrError = async (
    visit: OfficeVisit,
  ): Promise<{ list?: ListResponse<Item<O>>; filterError?: string }> => {
    try {
      return { list: await readList(visit) };
    } catch (error) {
      if (!isProblem(error, 'validation_failed')) throw error;
      return { filterError: describeInvalidFilter(error.errors, filters) };
    }
  };

  const listPage: OfficePageHandler = async (visit) => {
    const { api, search, user } = visit;
    const filterValues = readFilterValues(search);
    const hasFilters = Object.keys(filterValues).length > 0;
    const [{ list, filterError }, views] = await Promise.all([
      readListOrError(visit),
      api.listSavedViews({ query: { list: operation } }),
    ]);
    const bulk =
      screen.bulk && listAllowedRowActions(screen.bulk, user!).length > 0 ? screen.bulk : undefined;
    const actions = (screen.actions ?? []).filter((action) => mayPerform(user!.role, action));
    const buildHref = (changes: Record<string, string>) =>
      `${path}?${new URLSearchParams({ ...filterValues, ...changes })}`;
    return (
      <OfficeLayout
        title={title}
        visit={visit}
        actionLinks={actions.map((action) => (
          <a key={action.path} class="button small" href={action.path}>
            {action.title}
          </a>
        ))}
      >
        {filters.length > 0 && (
          <SavedViews visit={visit} path={path} views={views.data} filterValues={filterValues} />
        )}
        <FilterForm
          path={path}
          filters={filters}
          filterValues={filterValues}
          order={isReversible(operation) ? { defaultLabel: screen.defaultOrderLabel } : undefined}
        />
        {filterError && <Alert text={filterError} />}
        {list && (
          <>
            <Totals list={list} csvHref={`${path}.csv?${new URLSearchParams(filterValues)}`} />
            <SelectionForm
              path={path}
              listParams={{ ...filterValues, ...readPagePosition(search) }}
              buttons={bulk && list.data.length > 0 && <BulkButtons bulk={bulk} user={user!} />}
            >
              <Table
                caption={title}
                columns={columns}
                rows={list.data}
                rowHref={rowHref}
                selection={bulk}
                emptyText={emptyText ?? (hasFilters ? 'Nenhuma linha com estes filtros.' : 'Nenhuma linha.')}
              />
            </SelectionForm>
            <Pagination pagination={list.pagination} buildHref={buildHref} />
          </>
        )}
      </OfficeLayout>
    );
  };
  const bulkRoutes = screen.bulk
    ? createBulkRoutes(
        { path, title, columns, bulk: screen.bulk },
        async (visit) => (await readList(visit)).data,
      )
    : { pages: {}, forms: {} };
  return {
    path,
    pages: { [path]: listPage, ...bulkRoutes.pages },
    forms: { ...createViewForms({ path, operation }), ...bulkRoutes.forms },
    Section: ({ list, query, omit = [], title: sectionTitle = title, hasRowLinks = true }) => {
      const { limit: _, ...filterValues } = query;
      const search = new URLSearchParams(
        Object.entries(filterValues).map(([name, value]) => [name, String(value)]),
      );
      return (
        <TableSection
          title={sectionTitle}
          moreLink={{ href: `${path}?${search}`, text: `Na lista (${formatNumber(list.pagination.total)})` }}
          rows={list.data}
          rowHref={hasRowLinks ? rowHref : undefined}
          columns={columns.filter((column) => !omit.includes(column.title))}
        />
      );
    },
    async download({ api, search }) {
      const query = { ...readFilterValues(search), csv: 'br' as const }; // semicolons and decimal commas
      // The types of the client require one particular operation; any list will do.
      return toCsvDownload(path, columns, await api.open(operation as 'listPartners', { query }));
    },
  };
}

/** Renders the number of rows, the sum of their amounts if they have any, and a link to the CSV. */
const Totals = ({ list, csvHref }: { list: ListResponse<unknown>; csvHref: string }) => (
  <div class="office-total">
    <p role="status">
      {list.pagination.estimated && 'cerca de '}
      <b>{formatNumber(list.pagination.total)}</b> {list.pagination.total === 1 ? 'linha' : 'linhas'}
      {list.totals && (
        <>
          {' '}
          · soma <b class="figure">{formatReais(list.totals.amount)}</b>
        </>
      )}
    </p>
    <a href={csvHref} data-download>
      Baixar CSV
    </a>
  </div>
);

/** Wraps selectable rows in a form that leads to the preview of the bulk action. Without buttons there is no form. */
function SelectionForm(props: {
  path: string;
  /** Filters and page of the list, so that the preview can read the same rows. */
  listParams: Record<string, string | number>;
  buttons: ComponentChildren;
  children: ComponentChildren;
}) {
  const { path, listParams, buttons, children } = props;
  if (!buttons) return <>{children}</>;
  return (
    <form action={`${path}/varios`}>
      <HiddenInputs values={listParams} />
      {children}
      {buttons}
    </form>
  );
}

/** Describes the errors of a query that the service rejected. */
const describeInvalidFilter = (
  errors: ReadonlyArray<{ pointer: string; message: string }>,
  filters: readonly Filter[],
) => {
  const getLabel = (name: string) =>
    filters.find((filter) => filter.name === name)?.label ?? getFieldLabel(name);
  return `O filtro não serve: ${errors.map(({ pointer, message }) => `“${getLabel(pointer.slice(1))}” ${toScreenText(message)}`).join('; ')}`;
};

function FilterForm(props: {
  path: string;
  filters: readonly Filter[];
  filterValues: Record<string, string>;
  /** Undefined if the list has only one order. */
  order: { defaultLabel: string | undefined } | undefined;
}) {
  const { path, filters, filterValues, order } = props;
  if (filters.length === 0) return null;
  return (
    <form class="office-filters" action={path}>
      {filters
        .filter(({ name, kind }) => kind !== 'linked' || filterValues[name])
        .map((filter) => (
          <div key={filter.name}>
            <label for={`f-${filter.name}`}>{filter.label}</label>
            <FilterInput filter={filter} value={filterValues[filter.name]} />
          </div>
        ))}
      {order && (
        <div>
          <label for="f-sort">Ordem</label>
          <Select
            name="sort"
            choices={SORT_LABELS}
            selectedValue={filterValues.sort}
            emptyLabel={order.defaultLabel}
          />
        </div>
      )}
      <Submit class="small">Filtrar</Submit>
      {Object.keys(filterValues).length > 0 && <a href={path}>Limpar</a>}
    </form>
  );
}

function FilterInput({ filter, value = '' }: { filter: Filter; value: string | undefined }) {
  const { name, choices, kind } = filter;
  const id = `f-${name}`;
  if (choices) return <Select name={name} choices={choices} selectedValue={value} emptyLabel="Todos" />;
  if (kind === 'day') return <input id={id} name={name} type="date" value={value} />;
  return <input id={id} name={name} type="search" value={value} maxLength={100} />;
}

const Select = (props: {
  name: string;
  choices: Readonly<Record<string, string>>;
  selectedValue: string | undefined;
  /** The label of the empty value; without it there is no empty value. */
  emptyLabel?: string | undefined;
}) => (
  <select id={`f-${props.name}`} name={props.name}>
    {props.emptyLabel && <option value="">{props.emptyLabel}</option>}
    <Options choices={props.choices} selected={props.selectedValue} />
    {/* A value from the URL that is not among the choices stays selected. */}
    {props.selectedValue && !(props.selectedValue in props.choices) && (
      <option selected>{props.selectedValue}</option>
    )}
  </select>
);

/** Links to the neighbouring pages, by cursor if the service returns a cursor: then the last page of a long list costs no more than the first. */
export function Pagination(props: {
  pagination: ListResponse<unknown>['pagination'];
  /** Builds the URL of the list with these parameters changed. */
  buildHref: (changes: Record<string, string>) => string;
}) {
  const { page, pages, estimated, next, prev } = props.pagination;
  const buildPageHref = (pageNumber: number, cursorName: 'before' | 'after', cursor: string | undefined) =>
    props.buildHref({ page: String(pageNumber), ...(cursor && pageNumber > 1 && { [cursorName]: cursor }) });
  if (pages <= 1) return null;
  return (
    <PageLinks
      class="office-pagination"
      previousHref={page > 1 && buildPageHref(page - 1, 'before', prev)}
      nextHref={(Boolean(next) || page < pages) && buildPageHref(page + 1, 'after', next)}
    >
      <span>
        Página {formatNumber(page)} de {estimated && 'cerca de '}
        {formatNumber(pages)}
      </span>
    </PageLinks>
  );
}
