import { Readable } from 'node:stream';

/**
 * Spreadsheets treat a cell that begins like this as a formula. Where the decimal separator is a comma, as in Brazil, they also
 * split cells at semicolons and ignore quotes inside a cell: then these characters can begin a cell, too.
 */
const FORMULA = /(?<=^|[;\t\r\n])(?=[=+\-@\t\r])/g;

function cellOf(value: string | number | null): string {
  if (typeof value === 'number') return String(value);
  const text = value === null ? '' : value.replaceAll(FORMULA, "'");
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** CSV (RFC 4180) with a line of headings, streamed. */
export function csvOf<T>(
  columns: Readonly<Record<string, (row: T) => string | number | null>>,
  batches: AsyncIterable<readonly T[]>,
): Readable {
  const cells = Object.values(columns);
  const lineOf = (values: ReadonlyArray<string | number | null>) => `${values.map(cellOf).join(',')}\r\n`;
  async function* lines() {
    yield lineOf(Object.keys(columns));
    for await (const batch of batches)
      yield batch.map((row) => lineOf(cells.map((cell) => cell(row)))).join('');
  }
  return Readable.from(lines());
}

/** Whether the caller prefers CSV. */
export const wantsCsv = ({ accept }: { accept?: string | undefined }): boolean =>
  /^\s*text\/csv\s*(;|,|$)/i.test(accept ?? '');
