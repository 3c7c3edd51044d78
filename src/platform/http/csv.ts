import { Readable } from 'node:stream';
import { type TSchema, Type } from 'typebox';
import { preferredLanguage } from './problem-body.ts';

export type Cell = string | number | null;
/** `decimals`: as many are written, whatever the number. */
export type Column<T> = { readonly of: (row: T) => Cell; readonly decimals?: number };
export type Columns<T> = Readonly<Record<string, Column<T>>>;

/** `plain`: RFC 4180. `br`: as a spreadsheet set up for Brazil opens it, with semicolons, decimal commas and a byte order mark. */
export const CSV_STYLES = ['plain', 'br'] as const;
export type CsvStyle = (typeof CSV_STYLES)[number];

const BYTE_ORDER_MARK = '\ufeff';
const SEPARATORS: Record<CsvStyle, string> = { plain: ',', br: ';' };

/**
 * Spreadsheets treat a cell that begins like this as a formula. Where the decimal separator is a comma, as in Brazil, they also
 * split cells at semicolons and ignore quotes inside a cell: then these characters can begin a cell, too.
 */
const FORMULA = /(?<=^|[;\t\r\n])(?=[=+\-@\t\r])/g;

/** A text as it was before it was written to CSV. */
export const withoutApostrophes = (cell: string): string => cell.replaceAll(WRITTEN_FORMULA, '');
const WRITTEN_FORMULA = /(?<=^|[;\t\r\n])'(?=[=+\-@\t\r])/g;

function writtenCell(value: Cell, decimals: number | undefined, style: CsvStyle): string {
  if (typeof value === 'number') {
    const number = decimals === undefined ? String(value) : value.toFixed(decimals);
    return style === 'br' ? number.replace('.', ',') : number;
  }
  const text = value === null ? '' : value.replaceAll(FORMULA, "'");
  return /[",;\r\n]/.test(text) && (/["\r\n]/.test(text) || text.includes(SEPARATORS[style]))
    ? `"${text.replaceAll('"', '""')}"`
    : text;
}

/** Separated values with a line of headings, sent as they are read. */
export function csvOf<T>(
  columns: Columns<T>,
  batches: AsyncIterable<readonly T[]>,
  style: CsvStyle = 'plain',
): Readable {
  const cells = Object.values(columns);
  const lineOf = (values: readonly string[]) => `${values.join(SEPARATORS[style])}\r\n`;
  async function* lines() {
    const head = Object.keys(columns).map((name) => writtenCell(name, undefined, style));
    yield (style === 'br' ? BYTE_ORDER_MARK : '') + lineOf(head);
    for await (const batch of batches)
      yield batch
        .map((row) => lineOf(cells.map(({ of, decimals }) => writtenCell(of(row), decimals, style))))
        .join('');
  }
  return Readable.from(lines());
}

type CsvRequest = {
  headers: { accept?: string | undefined; 'accept-language'?: string | undefined };
  query: unknown;
};

/** A parameter of every endpoint that answers with CSV. */
export const csvParameter = {
  csv: Type.Optional(
    Type.Enum([...CSV_STYLES], {
      description:
        'Answers with CSV, as `Accept: text/csv` does. `br`: semicolons, decimal commas and a byte order mark, for a spreadsheet set up ' +
        'for Brazil; so it is too when `Accept-Language` prefers Portuguese. `plain`: RFC 4180.',
    }),
  ),
};

const askedStyle = ({ query }: CsvRequest) => (query as { csv?: CsvStyle }).csv;

/** Whether the caller would rather have it as CSV. */
export const wantsCsv = (request: CsvRequest): boolean =>
  askedStyle(request) !== undefined || /^\s*text\/csv\s*(;|,|$)/i.test(request.headers.accept ?? '');

const styleOf = (request: CsvRequest): CsvStyle =>
  askedStyle(request) ?? (preferredLanguage(request.headers['accept-language']) === 'pt' ? 'br' : 'plain');

type CsvReply<S> = {
  header(name: string, value: string): { type(contentType: string): { send(body: Readable): S } };
};

/** Answers with a file of this name. */
export const sendCsv = <T, S>(
  { request, reply }: { request: CsvRequest; reply: CsvReply<S> },
  name: string,
  columns: Columns<T>,
  batches: AsyncIterable<readonly T[]>,
): S =>
  reply
    .header('content-disposition', `attachment; filename="${name}.csv"`)
    .type('text/csv; charset=utf-8')
    .send(csvOf(columns, batches, styleOf(request)));

type Field = TSchema & { type?: string | string[]; format?: string; items?: { type?: string } };

/** A column for each field, those of an object in it as `object_field`; lists of objects are left out. Amounts have two decimals. */
export function columnsOf(schema: TSchema, path: readonly string[] = []): Columns<unknown> {
  const { properties } = schema as { properties: Record<string, Field> };
  return Object.assign(
    {},
    ...Object.entries(properties).map(([name, field]) => {
      const at = [...path, name];
      if (field.type === 'array' && field.items?.type === 'object') return {};
      if (field.type === 'object' && 'properties' in field) return columnsOf(field, at);
      const of = (record: unknown) => cellOf(at.reduce(memberOf, record));
      return { [at.join('_')]: field.format === 'reais' ? { of, decimals: 2 } : { of } };
    }),
  );
}

const memberOf = (value: unknown, name: string): unknown =>
  (value as Record<string, unknown> | null)?.[name] ?? null;

function cellOf(value: unknown): Cell {
  if (typeof value === 'string' || typeof value === 'number' || value === null) return value;
  if (Array.isArray(value)) return value.join(';');
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}
