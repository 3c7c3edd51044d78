import type { ComponentChildren } from 'preact';
import { count, percent } from '../text/format.ts';
import { Code, Money, maskedName, type Names, OnDay, Status, When } from './parts.tsx';

/** A column of a table, or a fact of one row. */
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
