import { Readable } from 'node:stream';

/**
 * A spreadsheet takes a cell that begins like this for a formula, whoever wrote it. Where numbers have a decimal comma, as in Brazil, it
 * ends cells at semicolons, and knows no quotes in the middle of one: then these begin cells, too.
 */
const FORMULA = /(?<=^|[;\t\r\n])(?=[=+\-@\t\r])/g;

function cellOf(value: string | number | null): string {
  if (typeof value === 'number') return String(value);
  const text = value === null ? '' : value.replaceAll(FORMULA, "'");
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** Comma separated values (RFC 4180) with a line of headings, sent as they are read. */
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

/** Whether the caller would rather have it as CSV. */
export const wantsCsv = ({ accept }: { accept?: string | undefined }): boolean =>
  /^\s*text\/csv\s*(;|,|$)/i.test(accept ?? '');
