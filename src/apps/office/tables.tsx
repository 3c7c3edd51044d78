import type { ComponentChildren } from 'preact';
import { maskName } from '#core/values/mask-name.ts';
import { isAmountField } from '#staff-client';
import {
  formatNumber,
  formatPercent,
  formatPhone,
  formatReais,
  formatShortDayWithYear,
  formatShortTimeWithYear,
} from '../text/format.ts';
import { getFieldLabel } from './field-labels.ts';
import { type Labels, YES_NO_LABELS } from './labels.ts';

export const Money = ({ amount }: { amount: number }) => <span class="figure">{formatReais(amount)}</span>;
export const Timestamp = ({ instant }: { instant: string | null }) =>
  instant === null ? (
    <span class="muted">nunca</span>
  ) : (
    <time dateTime={instant}>{formatShortTimeWithYear(instant, new Date())}</time>
  );
export const Code = ({ children }: { children: ComponentChildren }) => <code>{children}</code>;

export const NoWrap = ({ children }: { children: ComponentChildren }) => (
  <span class="whole">{children}</span>
);

/** The label names the status, so that it is not conveyed by colour alone. */
export const StatusBadge = ({ status, labels }: { status: string; labels: Labels }) => (
  <span class={`status-word ${status}`}>{labels[status] ?? status}</span>
);

/** Lists show only enough of a name to recognise the customer; the customer's page shows all of it. */
export const toMaskedName = (name: string | null): string => {
  if (name === null) return 'dados apagados';
  return name.includes('*') ? name : maskName(name);
};
/** Returns a phone number as (11) *****-0001. */
export const toMaskedPhone = (phone: string): string =>
  phone.includes('*')
    ? phone
    : formatPhone(phone).replace(/\d{4,5}(?=-)/, (middle) => '*'.repeat(middle.length));

/** A column of a table, or a labelled value of a single record. */
export type Column<Row> = {
  title: string;
  render: (row: Row) => ComponentChildren;
  /** Defaults to whether `getValue` returns numbers. */
  isNumber?: boolean;
  getValue?: (row: Row) => unknown;
  /** The column of the staff API's CSV that holds this value. */
  csvField?: string;
  /** Translates a cell of that CSV column. */
  formatForCsv?: (cell: string) => string;
};

/** The name of a field; 'amounts.paid' names a field of a nested object. */
export type FieldPath<Row> = {
  [Name in keyof Row & string]: NonNullable<Row[Name]> extends readonly unknown[]
    ? Name
    : NonNullable<Row[Name]> extends object
      ? `${Name}.${keyof NonNullable<Row[Name]> & string}`
      : Name;
}[keyof Row & string];

/** The name of a field is a column with the title of the field; its values are rendered by their type and the name of the field. */
export type ColumnSpec<Row> = FieldPath<Row> | Column<Row>;

/** Texts of columns by the path of the field: the labels of values, the titles, and the texts for null. */
export type ColumnTexts = {
  labels?: Readonly<Record<string, Labels>> | undefined;
  titles?: Labels | undefined;
  emptyTexts?: Labels | undefined;
};

/** A row with this field, or with this path to a nested field. */
type RowWith<Name extends string, Value> = Name extends `${infer Outer}.${infer Inner}`
  ? Record<Outer, RowWith<Inner, Value>>
  : Record<Name, Value>;
type FieldColumn<Path extends string> = Column<RowWith<Path, unknown>>;

const readField = (row: unknown, path: string): unknown =>
  path
    .split('.')
    .reduce<unknown>((object, name) => (object as Record<string, unknown> | null)?.[name] ?? null, row);

export const INSTANT_PATTERN = /^\d{4}-\d\d-\d\dT[\d:.]+Z$/;
export const DAY_PATTERN = /^\d{4}-\d\d-\d\d$/;
/** Fields whose labelled values are rendered as badges. */
const STATUS_FIELDS = new Set(['status', 'outcome', 'role']);
const CODE_FIELDS = new Set(['txid', 'end_to_end_id', 'hint', 'installment_id', 'task']);
/** Long ids are shown in part: the start of a hash is random, and so is the end of an id. */
const SHORTENED_FIELDS: Readonly<Record<string, (id: string) => string>> = {
  id: (id) => id.slice(-8),
  hash: (hash) => hash.slice(0, 8),
  checkout_hash: (hash) => hash.slice(0, 8),
};

/** Renders a value by its type and the name of its field. */
function renderValue(name: string, value: unknown, labels?: Labels): ComponentChildren {
  if (name === 'customer_name') return toMaskedName(value as string | null);
  if (value === null) return name.endsWith('_at') ? <Timestamp instant={null} /> : '';
  if (typeof value === 'boolean')
    return <StatusBadge status={String(value)} labels={labels ?? YES_NO_LABELS} />;
  if (typeof value === 'number') {
    if (name.endsWith('_percent')) return formatPercent(value);
    return isAmountField(name) ? <Money amount={value} /> : formatNumber(value);
  }
  if (Array.isArray(value)) return value.join(', ');
  const text = String(value);
  if (labels)
    return STATUS_FIELDS.has(name) ? <StatusBadge status={text} labels={labels} /> : (labels[text] ?? text);
  if (INSTANT_PATTERN.test(text)) return <Timestamp instant={text} />;
  if (DAY_PATTERN.test(text)) return <time dateTime={text}>{formatShortDayWithYear(text, new Date())}</time>;
  const shorten = SHORTENED_FIELDS[name];
  if (shorten) return <Code>{shorten(text)}</Code>;
  return CODE_FIELDS.has(name) ? <Code>{text}</Code> : text;
}

type ColumnOptions = {
  labels?: Labels | undefined;
  /** What is rendered where the field is null. */
  emptyText?: string | undefined;
  /** Whether the number is a count or an amount, if it is not what `isAmountField` says of its name. */
  unit?: 'count' | 'amount';
};

/** A column of a table, or a row of a `DescriptionList`, that renders a field under a title of its own. */
export function withTitle<Path extends string>(
  path: Path,
  title: string,
  { labels, emptyText, unit }: ColumnOptions = {},
): FieldColumn<Path> {
  const getValue = (row: unknown) => readField(row, path);
  return {
    title,
    getValue,
    render(row) {
      const value = getValue(row);
      if (value === null && emptyText !== undefined) return emptyText;
      if (unit === 'count') return formatNumber(value as number);
      if (unit === 'amount') return <Money amount={value as number} />;
      return renderValue(path.split('.').at(-1)!, value, labels);
    },
    csvField: path.replaceAll('.', '_'),
    ...(labels && { formatForCsv: (cell) => labels[cell] ?? cell }),
  };
}

export const resolveColumn = <Row,>(
  spec: ColumnSpec<Row>,
  { labels, titles, emptyTexts }: ColumnTexts = {},
): Column<Row> => {
  if (typeof spec !== 'string') return spec as Column<Row>;
  const title = titles?.[spec] ?? getFieldLabel(spec.replaceAll('.', '_'));
  return withTitle(spec, title, { labels: labels?.[spec], emptyText: emptyTexts?.[spec] }) as Column<Row>;
};

/** With `href` the value is a link. */
type TitledValue = readonly [title: string, value: ComponentChildren, href?: string];
type Falsy = undefined | null | false | '';

/** Renders titles and values of a record. A row is a field, a column, or a title with its value; falsy rows are left out. */
export const DescriptionList = <Item,>({
  record,
  rows,
  ...texts
}: ColumnTexts &
  (
    | { record: Item; rows: ReadonlyArray<ColumnSpec<Item> | TitledValue | Falsy> }
    | { record?: undefined; rows: ReadonlyArray<TitledValue | Falsy> }
  )) => (
  <dl class="office-facts">
    {rows.map((row) => {
      if (!row) return null;
      const [title, value, href] = Array.isArray(row)
        ? (row as TitledValue)
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

function renderField<Item>(spec: ColumnSpec<Item>, record: Item, texts: ColumnTexts): TitledValue {
  const { title, render } = resolveColumn(spec, texts);
  return [title, render(record)];
}

/** Makes rows selectable by checkboxes. The label names a row to screen readers and in the results of a bulk action. */
export type RowSelection<Row> = { getId: (row: Row) => string; getLabel: (row: Row) => string };

type TableProps<Row> = ColumnTexts & {
  caption: string;
  columns: ReadonlyArray<ColumnSpec<Row>>;
  /** Titles of the columns that are hidden if all their values are null, blank or zero. */
  hiddenIfEmpty?: readonly string[] | undefined;
  rows: readonly Row[];
  /** The URL that the first cell of a row links to. */
  rowHref?: ((row: Row) => string | undefined) | undefined;
  selection?: RowSelection<Row> | undefined;
  emptyText?: string | undefined;
};

/** On a narrow screen the table scrolls, not the page. For `data-all` and `data-rows` see the script `browser/office.ts`. */
export function Table<Row>(props: TableProps<Row>) {
  const { caption, rows, rowHref, selection, hiddenIfEmpty = [], emptyText = 'Nada aqui.' } = props;
  if (rows.length === 0) return <p class="empty">{emptyText}</p>;
  const hasNumbers = ({ getValue }: Column<Row>) => rows.some((row) => typeof getValue?.(row) === 'number');
  const columns = props.columns
    .map((spec) => resolveColumn(spec, props))
    .map((column) => ({ ...column, isNumber: column.isNumber ?? hasNumbers(column) }))
    .filter(({ title, getValue }) => !hiddenIfEmpty.includes(title) || rows.some((row) => getValue?.(row)));
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
                      value={selection.getId(row)}
                      aria-label={`Escolher ${selection.getLabel(row)}`}
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

/** The children are rendered below the table. */
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
