import type { ComponentChildren } from 'preact';
import type { Column } from './columns.tsx';
import { fileOf } from './csv.ts';
import { RecordLayout } from './record.tsx';
import type { CallId, OutputOf, StaffClient } from './staff/client.ts';
import { Table } from './tables.tsx';
import type { Download, MakeOfficePage, OfficeVisit } from './visit.ts';

type ReportId = CallId & `get${string}Report`;

export type Report = {
  path: string;
  title: string;
  call: ReportId;
  /** Of its table, and of the file. */
  columns: ReadonlyArray<Column<never>>;
  show: (api: StaffClient, query: { on?: string }) => Promise<ComponentChildren>;
};

type Shown<O extends ReportId> = Pick<Report, 'path' | 'title' | 'columns'> & {
  call: O;
  show: (answer: OutputOf<O>) => ComponentChildren;
};

export const report = <O extends ReportId>({ show, ...declared }: Shown<O>): Report => ({
  ...declared,
  show: async (api, query) =>
    show((await api.call(declared.call as 'getAgingReport', { query })).data as OutputOf<O>),
});

type RowOf<O extends ReportId> = OutputOf<O> extends { data: Array<infer Row> } ? Row : never;

/** A report that is a table. */
export const tableReport = <O extends ReportId>(
  declared: Omit<Shown<O>, 'columns' | 'show'> & {
    columns: ReadonlyArray<Column<RowOf<O>>>;
    /** If not given: the title. */
    caption?: string | ((answer: OutputOf<O>) => string);
    empty?: string;
    /** The rows behind one of its own. */
    open?: (row: RowOf<O>, answer: OutputOf<O>) => string;
    /** Above the table. */
    figures?: (answer: OutputOf<O>) => ComponentChildren;
  },
): Report => {
  const { caption = declared.title, empty, open, figures, ...rest } = declared;
  return report({
    ...rest,
    show: (answer) => (
      <>
        {figures?.(answer)}
        <Table<RowOf<O>>
          caption={typeof caption === 'string' ? caption : caption(answer)}
          rows={(answer as { data: unknown[] }).data as Array<RowOf<O>>}
          open={open && ((row) => open(row, answer))}
          columns={rest.columns}
          {...(empty && { empty })}
        />
      </>
    ),
  });
};

const onOf = ({ search }: OfficeVisit): { on?: string } => {
  const on = search.get('on') ?? '';
  return /^\d{4}-\d{2}-\d{2}$/.test(on) ? { on } : {};
};

export const reportPage =
  ({ path, title, show }: Report): MakeOfficePage =>
  async (visit) => {
    const query = onOf(visit);
    const shown = await show(visit.api, query);
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
        {shown}
      </RecordLayout>
    );
  };

export const reportDownload =
  ({ path, call, columns }: Report): Download =>
  async (visit) => {
    const query = { ...onOf(visit), csv: 'br' as const };
    return fileOf(path, columns, await visit.api.open(call as 'getAgingReport', { query }));
  };
