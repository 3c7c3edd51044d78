import { Readable } from 'node:stream';
import { type TSchema, Type } from 'typebox';
import { negotiateLanguage } from './problem-body.ts';

export type Cell = string | number | null;
export type Column<T> = { readonly getValue: (row: T) => Cell; readonly decimals?: number };
export type Columns<T> = Readonly<Record<string, Column<T>>>;

/** `plain` follows RFC 4180. `br` is for spreadsheets with Brazilian settings: semicolons, decimal commas and a byte order mark. */
const CSV_STYLES = ['plain', 'br'] as const;
type CsvStyle = (typeof CSV_STYLES)[number];

const BYTE_ORDER_MARK = '\ufeff';
const SEPARATORS: Record<CsvStyle, string> = { plain: ',', br: ';' };

/** Spreadsheets treat such a cell as a formula. With decimal commas they also split cells at semicolons and ignore quotes. */
const FORMULA_START = /(?<=^|[;\t\r\n])(?=[=+\-@\t\r])/g;

/** Removes the apostrophes that `writeCell` puts before formulas. */
export const stripFormulaGuards = (cell: string): string => cell.replaceAll(GUARDED_FORMULA, '');
const GUARDED_FORMULA = /(?<=^|[;\t\r\n])'(?=[=+\-@\t\r])/g;

function writeCell(value: Cell, decimals: number | undefined, style: CsvStyle): string {
  if (typeof value === 'number') {
    const numberText = decimals === undefined ? String(value) : value.toFixed(decimals);
    return style === 'br' ? numberText.replace('.', ',') : numberText;
  }
  const text = value === null ? '' : value.replaceAll(FORMULA_START, "'");
  return /["\r\n]/.test(text) || text.includes(SEPARATORS[style]) ? `"${text.replaceAll('"', '""')}"` : text;
}

export function toCsv<T>(
  columns: Columns<T>,
  batches: AsyncIterable<readonly T[]>,
  style: CsvStyle = 'plain',
): Readable {
  const cellColumns = Object.values(columns);
  const writeLine = (values: readonly string[]) => `${values.join(SEPARATORS[style])}\r\n`;
  async function* renderLines() {
    const headingCells = Object.keys(columns).map((name) => writeCell(name, undefined, style));
    yield (style === 'br' ? BYTE_ORDER_MARK : '') + writeLine(headingCells);
    for await (const batch of batches)
      yield batch
        .map((row) =>
          writeLine(cellColumns.map(({ getValue, decimals }) => writeCell(getValue(row), decimals, style))),
        )
        .join('');
  }
  return Readable.from(renderLines());
}

type CsvRequest = {
  headers: { accept?: string | undefined; 'accept-language'?: string | undefined };
  query: unknown;
};

export const csvParameter = {
  csv: Type.Optional(
    Type.Enum([...CSV_STYLES], {
      description:
        'Responds with CSV, as `Accept: text/csv` does. `br`: semicolons, decimal commas and a byte order mark, for spreadsheets with ' +
        'Brazilian settings; the default if `Accept-Language` prefers Portuguese. `plain`: RFC 4180.',
    }),
  ),
};

/** The query parameter of lists of the staff API with personal data of customers. */
export const exportReasonParameter = {
  reason: Type.Optional(
    Type.String({
      maxLength: 500,
      format: 'text',
      description:
        'Reason for CSV with unmasked personal data, stored in the audit trail. Without it CSV is masked for every role. At most 10,000 ' +
        'rows, and 20 such downloads a day for each staff user.',
    }),
  ),
};

/** Returns the reason for CSV with unmasked data of customers. */
export const readExportReason = ({ query }: Pick<CsvRequest, 'query'>): string | undefined =>
  (query as { reason?: string }).reason;

const getRequestedStyle = ({ query }: CsvRequest) => (query as { csv?: CsvStyle }).csv;

export const wantsCsv = (request: CsvRequest): boolean =>
  getRequestedStyle(request) !== undefined || /^\s*text\/csv\s*(;|,|$)/i.test(request.headers.accept ?? '');

const chooseStyle = (request: CsvRequest): CsvStyle =>
  getRequestedStyle(request) ??
  (negotiateLanguage(request.headers['accept-language']) === 'pt' ? 'br' : 'plain');

type CsvReply<S> = {
  header(name: string, value: string): { type(contentType: string): { send(body: Readable): S } };
};

export const sendCsv = <T, S>(
  { request, reply }: { request: CsvRequest; reply: CsvReply<S> },
  name: string,
  columns: Columns<T>,
  batches: AsyncIterable<readonly T[]>,
): S =>
  reply
    .header('content-disposition', `attachment; filename="${name}.csv"`)
    .type('text/csv; charset=utf-8')
    .send(toCsv(columns, batches, chooseStyle(request)));

type Field = TSchema & { type?: string | string[]; format?: string; items?: { type?: string } };

/** Builds a column for each field; fields of a nested object become `object_field`. Lists of objects are left out. Amounts have two decimals. */
export function buildColumns(schema: TSchema, path: readonly string[] = []): Columns<unknown> {
  const { properties } = schema as { properties: Record<string, Field> };
  return Object.assign(
    {},
    ...Object.entries(properties).map(([name, field]) => {
      const fieldPath = [...path, name];
      if (field.type === 'array' && field.items?.type === 'object') return {};
      if (field.type === 'object' && 'properties' in field) return buildColumns(field, fieldPath);
      const getValue = (record: unknown) => toCell(fieldPath.reduce(readMember, record));
      return { [fieldPath.join('_')]: field.format === 'reais' ? { getValue, decimals: 2 } : { getValue } };
    }),
  );
}

const readMember = (value: unknown, name: string): unknown =>
  (value as Record<string, unknown> | null)?.[name] ?? null;

function toCell(value: unknown): Cell {
  if (typeof value === 'string' || typeof value === 'number' || value === null) return value;
  if (Array.isArray(value)) return value.join(';');
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}
