import { shownDay, shownInstant } from './times.ts';

// Columns of a table (reading.ts) that show a field in a format of its own.

export const reais =
  <F extends string>(field: F) =>
  (record: Readonly<Record<F, number>>): string =>
    record[field].toFixed(2);

type Instants<F extends string> = Readonly<Record<F, Date | string | null>>;

export const instant =
  <F extends string>(field: F) =>
  (record: Instants<F>): string =>
    shownInstant(record[field]);

export const day =
  <F extends string>(field: F) =>
  (record: Instants<F>): string =>
    shownDay(record[field]);
