import { formatSaoPauloTime } from '../text/format.ts';
import { getFieldLabel } from './field-labels.ts';
import { type Labels, YES_NO_LABELS } from './labels.ts';
import type { Column } from './tables.tsx';
import type { Download } from './visit.ts';

/** A cell (quoted if it contains a delimiter, with inner quotes doubled) and its delimiter. */
const CELL_PATTERN = /("[^"]*(?:""[^"]*)*"|[^";\r\n]*)(;|\r\n)/gy;
const BYTE_ORDER_MARK = '\ufeff';
const UTC_TIME_PATTERN = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z$/;

/** `YES_NO_LABELS` with a type that any cell can index. */
const BOOLEAN_LABELS: Labels = YES_NO_LABELS;

type CsvColumn = Pick<Column<never>, 'title' | 'csvField' | 'formatForCsv'>;

/**
 * Adapts a CSV of the staff API to an office page: the file is named after the page and has the page's headings and status labels, and
 * times are São Paulo times. A field that has no column on the page gets its heading from the field labels. Everything else is
 * streamed unchanged.
 */
export const toCsvDownload = (
  path: string,
  columns: readonly CsvColumn[],
  { headers, body }: { headers: Record<string, string | undefined>; body: AsyncIterable<Uint8Array> },
): Awaited<ReturnType<Download>> => {
  const [daySuffix = ''] = /-\d{4}-\d\d-\d\d/.exec(headers['content-disposition'] ?? '') ?? [];
  const fileName = `${path.split('/').at(-1)}${daySuffix}.csv`;
  return {
    headers: { ...headers, 'content-disposition': `attachment; filename="${fileName}"` },
    body: translateCsv(columns, body),
  };
};

async function* translateCsv(
  columns: readonly CsvColumn[],
  body: AsyncIterable<Uint8Array>,
): AsyncGenerator<string> {
  const columnByField = new Map(columns.map((column) => [column.csvField, column]));
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  const fields: string[] = [];
  let isHeadingLine = true;
  let columnIndex = 0;
  /** The end of the last chunk, after its last complete cell. */
  let incompleteCell = '';
  /** Returns the complete cells of the text, translated. The rest of the text becomes `incompleteCell`. */
  const translateCells = (text: string): string => {
    let output = '';
    let endIndex = 0;
    for (const [match, cell = '', delimiter] of text.matchAll(CELL_PATTERN)) {
      endIndex += match.length;
      if (isHeadingLine) {
        const prefix = cell.startsWith(BYTE_ORDER_MARK) ? BYTE_ORDER_MARK : '';
        const field = cell.slice(prefix.length);
        fields.push(field);
        output += prefix + quoteIfNeeded(columnByField.get(field)?.title ?? getFieldLabel(field));
      } else {
        output += translateCell(cell, columnByField.get(fields[columnIndex]!));
      }
      output += delimiter;
      columnIndex = delimiter === ';' ? columnIndex + 1 : 0;
      isHeadingLine &&= delimiter === ';';
    }
    incompleteCell = text.slice(endIndex);
    return output;
  };
  for await (const chunk of body)
    yield translateCells(incompleteCell + decoder.decode(chunk, { stream: true }));
  // The last line may lack its line break, without which its last cell is not complete. What remains even then is a cell with an
  // open quote, which is sent unchanged.
  if (incompleteCell === '') return;
  const lastCells = translateCells(`${incompleteCell}\r\n`);
  yield lastCells + incompleteCell;
}

function translateCell(cell: string, column: CsvColumn | undefined): string {
  if (column?.formatForCsv) return quoteIfNeeded(column.formatForCsv(unquote(cell)));
  return UTC_TIME_PATTERN.test(cell) ? formatSaoPauloTime(cell) : (BOOLEAN_LABELS[cell] ?? cell);
}

const unquote = (cell: string) => (cell.startsWith('"') ? cell.slice(1, -1).replaceAll('""', '"') : cell);
const quoteIfNeeded = (text: string) => (/[";\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
