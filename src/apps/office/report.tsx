import type { ComponentChildren } from 'preact';
import { isProblem } from '#client';
import type { CallId, OutputOf, StaffClient } from '#staff-client';
import { type ColumnSpec, type ColumnTexts, resolveColumn } from './columns.tsx';
import { toCsvDownload } from './csv.ts';
import { RecordLayout } from './layout.tsx';
import { Table } from './tables.tsx';
import type { Download, OfficePageHandler, OfficeVisit } from './visit.ts';

type ReportId = CallId & `get${string}Report`;

export type Report = ColumnTexts & {
  path: string;
  title: string;
  call: ReportId;
  /** The columns of the table and of the CSV file. */
  columns: ReadonlyArray<ColumnSpec<never>>;
  render: (api: StaffClient, query: { on?: string }) => Promise<ComponentChildren>;
};

type ReportDeclaration<O extends ReportId> = Omit<Report, 'call' | 'render'> & {
  call: O;
  render: (report: OutputOf<O>) => ComponentChildren;
};

export const defineReport = <O extends ReportId>({
  render,
  ...declaration
}: ReportDeclaration<O>): Report => ({
  ...declaration,
  render: async (api, query) =>
    render((await api.call(declaration.call as 'getAgingReport', { query })).data as OutputOf<O>),
});

type RowOf<O extends ReportId> = OutputOf<O> extends { data: Array<infer Row> } ? Row : never;

/** A report that is a table. */
export const defineTableReport = <O extends ReportId>(
  declaration: Omit<ReportDeclaration<O>, 'columns' | 'render'> & {
    columns: ReadonlyArray<ColumnSpec<RowOf<O>>>;
    /** Defaults to the title. */
    caption?: string | ((report: OutputOf<O>) => string);
    emptyText?: string;
    /** The page with the records that the row counts. */
    rowHref?: (row: RowOf<O>, report: OutputOf<O>) => string;
    /** Rendered above the table. */
    summary?: (report: OutputOf<O>) => ComponentChildren;
  },
): Report => {
  const { caption = declaration.title, emptyText, rowHref, summary, ...rest } = declaration;
  return defineReport({
    ...rest,
    render: (report) => (
      <>
        {summary?.(report)}
        <Table<RowOf<O>>
          caption={typeof caption === 'string' ? caption : caption(report)}
          rows={(report as { data: unknown[] }).data as Array<RowOf<O>>}
          rowHref={rowHref && ((row) => rowHref(row, report))}
          columns={rest.columns}
          labels={rest.labels}
          titles={rest.titles}
          {...(emptyText && { emptyText })}
        />
      </>
    ),
  });
};

const readReportQuery = ({ search }: OfficeVisit): { on?: string } => {
  const on = search.get('on') ?? '';
  return /^\d{4}-\d{2}-\d{2}$/.test(on) ? { on } : {};
};

export const createReportPage =
  ({ path, title, render }: Report): OfficePageHandler =>
  async (visit) => {
    const query = readReportQuery(visit);
    const content = await render(visit.api, query).catch((error: unknown) => {
      // The figures of this day are being computed; the message says how far.
      if (isProblem(error) && error.status === 409) return <p role="status">{error.message}</p>;
      throw error;
    });
    return (
      <RecordLayout title={title} visit={visit}>
        <form class="office-filters" action={path}>
          <div>
            <label for="on">No dia</label>
            <input id="on" type="date" name="on" value={query.on ?? ''} />
          </div>
          <button class="button small" type="submit">
            Ver
          </button>
          <a href={`${path}.csv?${new URLSearchParams(query)}`} data-download>
            Baixar CSV
          </a>
        </form>
        {content}
      </RecordLayout>
    );
  };

export const createReportDownload =
  ({ path, call, columns, ...texts }: Report): Download =>
  async (visit) => {
    const query = { ...readReportQuery(visit), csv: 'br' as const };
    return toCsvDownload(
      path,
      columns.map((column) => resolveColumn(column, texts)),
      await visit.api.open(call as 'getAgingReport', { query }),
    );
  };
