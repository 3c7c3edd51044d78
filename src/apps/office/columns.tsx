import type { ComponentChildren } from 'preact';
import { formatNumber, percent } from '../text/format.ts';
import { Code, DayText, type Labels, Money, StatusBadge, Timestamp, toMaskedName } from './parts.tsx';

/** A column of a table, or a labelled value of a single record. */
export type Column<Row> = {
  title: string;
  render: (row: Row) => ComponentChildren;
  isNumber?: true;
  /** The column of the staff API's CSV that holds this value. */
  csvField?: string;
  /** Translates a cell of that CSV column. */
  formatForCsv?: (cell: string) => string;
};

/** A row with this field; 'amounts.paid' names a field of a nested object. */
type RowWith<Name extends string, Value> = Name extends `${infer Outer}.${infer Inner}`
  ? Record<Outer, RowWith<Inner, Value>>
  : Record<Name, Value>;

const defineColumn =
  <Value,>(renderValue: (value: Value) => ComponentChildren, isNumber?: true) =>
  /** `nullText` is rendered where the field is null. */
  <Name extends string>(title: string, name: Name, nullText?: string): Column<RowWith<Name, Value>> => {
    const path = name.split('.');
    return {
      title,
      render(row) {
        const value = path.reduce<unknown>((object, key) => (object as Record<string, unknown>)[key], row);
        return value === null && nullText !== undefined ? nullText : renderValue(value as Value);
      },
      csvField: path.join('_'),
      ...(isNumber && { isNumber }),
    };
  };

export const money = defineColumn((value: number | null) => value !== null && <Money amount={value} />, true);
export const number = defineColumn((value: number | null) => value !== null && formatNumber(value), true);
export const percentage = defineColumn((value: number | null) => value !== null && percent(value), true);
export const timestamp = defineColumn((value: string | null) => <Timestamp instant={value} />);
export const day = defineColumn((value: string | null) => <DayText day={value} />);
export const text = defineColumn((value: string | null) => value);
export const code = defineColumn((value: string | null) => value !== null && <Code>{value}</Code>);
/** The name of a customer, masked. */
export const maskedPerson = defineColumn(toMaskedName);

/** A field with a few values, each of which has a label. */
export const labelled = <Name extends string>(title: string, name: Name, labels: Labels) => ({
  ...defineColumn((value: string | null) => labels[value ?? ''] ?? value)(title, name),
  formatForCsv: (cell: string) => labels[cell] ?? cell,
});

/** A status, rendered as a badge with its label. */
export const statusBadge = <Name extends string>(title: string, name: Name, labels: Labels) => ({
  ...defineColumn((value: string | boolean) => <StatusBadge status={String(value)} labels={labels} />)(
    title,
    name,
  ),
  formatForCsv: (cell: string) => labels[cell] ?? cell,
});
