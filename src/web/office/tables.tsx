import type { ComponentChildren } from 'preact';
import type { Column } from './columns.tsx';

/** A name, its value, and where it leads. */
type Pair = readonly [title: string, value: ComponentChildren, href?: string];
type Nothing = undefined | null | false | '';

/** Names and values: pairs, and columns of this row. What is nothing is left out. */
export const Facts = <Row,>({
  of,
  are,
}:
  | { of: Row; are: ReadonlyArray<Column<Row> | Pair | Nothing> }
  | { of?: undefined; are: ReadonlyArray<Pair | Nothing> }) => (
  <dl class="office-facts">
    {are.map((fact) => {
      if (!fact) return null;
      const [title, value, href] = 'show' in fact ? ([fact.title, fact.show(of as Row)] as const) : fact;
      return (
        <div key={title}>
          <dt>{title}</dt>
          <dd>{href ? <a href={href}>{value}</a> : value}</dd>
        </div>
      );
    })}
  </dl>
);

/** Rows with a box to choose them by. */
export type Choosing<Row> = { idOf: (row: Row) => string; labelOf: (row: Row) => string };

type TableProps<Row> = {
  caption: string;
  columns: ReadonlyArray<Column<Row>>;
  rows: readonly Row[];
  /** Where the first cell of a row leads. */
  open?: ((row: Row) => string | undefined) | undefined;
  choosing?: Choosing<Row> | undefined;
  empty?: string;
};

/** A table that scrolls by itself where the screen is narrow. */
export function Table<Row>(props: TableProps<Row>) {
  const { caption, columns, rows, open, choosing, empty = 'Nada aqui.' } = props;
  if (rows.length === 0) return <p class="empty">{empty}</p>;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
    <section class="office-table" aria-label={caption} tabIndex={0}>
      <table data-rows>
        <caption class="sr">{caption}</caption>
        <thead>
          <tr>
            {choosing && (
              <th scope="col">
                <span class="sr">Escolher</span>
                <input type="checkbox" aria-label="Escolher todas" data-all="id" hidden />
              </th>
            )}
            {columns.map(({ title, isNumber }) => (
              <th key={title} scope="col" class={isNumber && 'number'}>
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, i) => {
            const to = open?.(row);
            return (
              <tr key={i}>
                {choosing && (
                  <td>
                    <input
                      type="checkbox"
                      name="id"
                      value={choosing.idOf(row)}
                      aria-label={`Escolher ${choosing.labelOf(row)}`}
                    />
                  </td>
                )}
                {columns.map(({ title, show, isNumber }, at) => (
                  <td key={title} class={isNumber && 'number'}>
                    {at === 0 && to !== undefined ? <a href={to}>{show(row)}</a> : show(row)}
                  </td>
                ))}
              </tr>
            );
          })}
        </tbody>
      </table>
    </section>
  );
}

type SectionProps = {
  title: string;
  /** The way to the rest of it. */
  more?: { href: string; text: string } | undefined;
  children?: ComponentChildren;
};

export const Section = ({ title, more, children }: SectionProps) => (
  <section class="office-section">
    <div class="office-section-title">
      <h2>{title}</h2>
      {more && <a href={more.href}>{more.text}</a>}
    </div>
    {children}
  </section>
);

/** A table with a title, and what is under it. */
export const TableSection = <Row,>({
  title,
  more,
  children,
  ...table
}: SectionProps & Omit<TableProps<Row>, 'caption'> & { caption?: string }) => (
  <Section title={title} more={more}>
    <Table caption={title} {...table} />
    {children}
  </Section>
);
