import type { ComponentChildren } from 'preact';
import { type ColumnSpec, type ColumnTexts, resolveColumn } from './columns.tsx';

/** A title, its value, and an optional link. */
type LabelledValue = readonly [title: string, value: ComponentChildren, href?: string];
type Falsy = undefined | null | false | '';

/** Titles and values of a record. A row is a field, a column, or a title with its value; falsy rows are left out. */
export const Facts = <Item,>({
  record,
  rows,
  ...texts
}: ColumnTexts &
  (
    | { record: Item; rows: ReadonlyArray<ColumnSpec<Item> | LabelledValue | Falsy> }
    | { record?: undefined; rows: ReadonlyArray<LabelledValue | Falsy> }
  )) => (
  <dl class="office-facts">
    {rows.map((row) => {
      if (!row) return null;
      const [title, value, href] = Array.isArray(row)
        ? (row as LabelledValue)
        : renderField(row as ColumnSpec<Item>, record as Item, texts);
      return (
        <div key={title}>
          <dt>{title}</dt>
          <dd>{href ? <a href={href}>{value}</a> : value}</dd>
        </div>
      );
    })}
  </dl>
);

function renderField<Item>(spec: ColumnSpec<Item>, record: Item, texts: ColumnTexts): LabelledValue {
  const { title, render } = resolveColumn(spec, texts);
  return [title, render(record)];
}

/** Gives each row of a table a checkbox. */
export type RowSelection<Row> = { idOf: (row: Row) => string; labelOf: (row: Row) => string };

type TableProps<Row> = ColumnTexts & {
  caption: string;
  columns: ReadonlyArray<ColumnSpec<Row>>;
  /** Titles of columns that are left out if they have neither a text nor an amount in any row. */
  rareColumns?: readonly string[] | undefined;
  rows: readonly Row[];
  /** The address that the first cell of a row links to. */
  rowHref?: ((row: Row) => string | undefined) | undefined;
  selection?: RowSelection<Row> | undefined;
  emptyText?: string;
};

/** On a narrow screen the table scrolls, not the page. */
export function Table<Row>(props: TableProps<Row>) {
  const { caption, rows, rowHref, selection, emptyText = 'Nada aqui.' } = props;
  if (rows.length === 0) return <p class="empty">{emptyText}</p>;
  const columns = props.columns
    .map((spec) => {
      const { isNumber, ...column } = resolveColumn(spec, props);
      return { ...column, isNumber: isNumber ?? rows.some((row) => typeof column.read?.(row) === 'number') };
    })
    .filter(({ title, read }) => !props.rareColumns?.includes(title) || rows.some((row) => read?.(row)));
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable area must be reachable by keyboard
    <section class="office-table" aria-label={caption} tabIndex={0}>
      <table data-rows>
        <caption class="sr">{caption}</caption>
        <thead>
          <tr>
            {selection && (
              <th scope="col">
                <span class="sr">Escolher</span>
                <input type="checkbox" aria-label="Escolher todas" data-all="id" hidden />
              </th>
            )}
            {columns.map(({ title, isNumber }) => (
              <th key={title} scope="col" class={isNumber ? 'number' : undefined}>
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, rowIndex) => {
            const href = rowHref?.(row);
            return (
              <tr key={rowIndex}>
                {selection && (
                  <td>
                    <input
                      type="checkbox"
                      name="id"
                      value={selection.idOf(row)}
                      aria-label={`Escolher ${selection.labelOf(row)}`}
                    />
                  </td>
                )}
                {columns.map(({ title, render, isNumber }, columnIndex) => (
                  <td key={title} class={isNumber ? 'number' : undefined}>
                    {columnIndex === 0 && href !== undefined ? <a href={href}>{render(row)}</a> : render(row)}
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
  /** Links to all rows, if the section shows only some. */
  moreLink?: { href: string; text: string } | undefined;
  children?: ComponentChildren;
};

export const Section = ({ title, moreLink, children }: SectionProps) => (
  <section class="office-section">
    <div class="office-section-title">
      <h2>{title}</h2>
      {moreLink && <a href={moreLink.href}>{moreLink.text}</a>}
    </div>
    {children}
  </section>
);

/** A section with a table; its children are rendered below the table. */
export const TableSection = <Row,>({
  title,
  moreLink,
  children,
  ...tableProps
}: SectionProps & Omit<TableProps<Row>, 'caption'> & { caption?: string }) => (
  <Section title={title} moreLink={moreLink}>
    <Table caption={title} {...tableProps} />
    {children}
  </Section>
);
