import type { ComponentChildren } from 'preact';
import { maskName } from '#core/mask-name.ts';
import { count, dayInYear, inReais, percent, showPhone, timeInYear } from '../ui/format.ts';

export const Money = ({ of }: { of: number }) => <span class="figure">{inReais(of)}</span>;
export const When = ({ at }: { at: string | null }) =>
  at === null ? <span class="muted">nunca</span> : <time dateTime={at}>{timeInYear(at, new Date())}</time>;
export const OnDay = ({ day }: { day: string | null }) =>
  day === null ? <span class="muted">nenhum</span> : <time dateTime={day}>{dayInYear(day, new Date())}</time>;
export const Code = ({ children }: { children: ComponentChildren }) => <code>{children}</code>;

/** On one line. */
export const Whole = ({ children }: { children: ComponentChildren }) => <span class="whole">{children}</span>;

type Names = Readonly<Record<string, string>>;

/** Nothing is only a colour: the text says it. */
export const Status = ({ of, names }: { of: string; names: Names }) => (
  <span class={`status-word ${of}`}>{names[of] ?? of}</span>
);

/** In lists: enough to recognise somebody. The whole is on the person's page. */
export const maskedName = (name: string | null): string =>
  name === null ? 'dados apagados' : name.includes('*') ? name : maskName(name);
/** (11) *****-0001 */
export const maskedPhone = (phone: string): string =>
  phone.includes('*')
    ? phone
    : showPhone(phone).replace(/\d{4,5}(?=-)/, (middle) => '*'.repeat(middle.length));

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

export type Column<Row> = {
  title: string;
  show: (row: Row) => ComponentChildren;
  isNumber?: true;
  /** The same in a CSV of the staff door: which of its columns, and what is written for a cell of it. */
  field?: string;
  inFile?: (cell: string) => string;
};

/** A row with this field; 'amounts.paid' is a field of an object in it. */
type Having<Name extends string, Value> = Name extends `${infer Outer}.${infer Inner}`
  ? Record<Outer, Having<Inner, Value>>
  : Record<Name, Value>;

const column =
  <Value,>(show: (value: Value) => ComponentChildren, isNumber?: true) =>
  /** `none`: what is shown where the field is null. */
  <Name extends string>(title: string, name: Name, none?: string): Column<Having<Name, Value>> => {
    const path = name.split('.');
    return {
      title,
      show(row) {
        const value = path.reduce<unknown>((held, part) => (held as Record<string, unknown>)[part], row);
        return value === null && none !== undefined ? none : show(value as Value);
      },
      field: path.join('_'),
      ...(isNumber && { isNumber }),
    };
  };

/** Columns of one field each. */
export const money = column((value: number | null) => value !== null && <Money of={value} />, true);
export const number = column((value: number | null) => value !== null && count(value), true);
export const share = column((value: number | null) => value !== null && percent(value), true);
export const moment = column((at: string | null) => <When at={at} />);
export const day = column((on: string | null) => <OnDay day={on} />);
export const text = column((value: string | null) => value);
export const code = column((value: string | null) => value !== null && <Code>{value}</Code>);
/** A customer, as `maskedName`. */
export const person = column(maskedName);

/** A field with a few values, each of which has a name. */
export const named = <Name extends string>(title: string, name: Name, names: Names) => ({
  ...column((value: string | null) => names[value ?? ''] ?? value)(title, name),
  inFile: (cell: string) => names[cell] ?? cell,
});

/** The same of a state. */
export const state = <Name extends string>(title: string, name: Name, names: Names) => ({
  ...column((value: string | boolean) => <Status of={String(value)} names={names} />)(title, name),
  inFile: (cell: string) => names[cell] ?? cell,
});

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
