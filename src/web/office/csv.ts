import type { Column } from './columns.tsx';
import { fieldName } from './fields.ts';
import type { Download } from './visit.ts';

/** A cell and what ends it. One that holds such a mark is in quotes, and quotes in it are doubled. */
const CELL = /("[^"]*(?:""[^"]*)*"|[^";\r\n]*)(;|\r\n)/y;
const BYTE_ORDER_MARK = '\ufeff';
const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z$/;
const inSaoPaulo = new Intl.DateTimeFormat('sv-SE', {
  timeZone: 'America/Sao_Paulo',
  dateStyle: 'short',
  timeStyle: 'medium',
});
const YES_NO: Readonly<Record<string, string>> = { true: 'Sim', false: 'Não' };

type FileColumn = Pick<Column<never>, 'title' | 'field' | 'inFile'>;

/**
 * CSV of the staff door, written for a spreadsheet set up for Brazil, as the file of a page: called as the page is, with its
 * headings, its names of states and times of São Paulo. A field without a column there is called as in the dictionary. All else
 * passes unchanged, as it arrives.
 */
export const fileOf = (
  path: string,
  columns: readonly FileColumn[],
  { headers, body }: { headers: Record<string, string | undefined>; body: AsyncIterable<Uint8Array> },
): Awaited<ReturnType<Download>> => {
  const [day = ''] = /-\d{4}-\d\d-\d\d/.exec(headers['content-disposition'] ?? '') ?? [];
  const name = `${path.split('/').at(-1)}${day}.csv`;
  return {
    headers: { ...headers, 'content-disposition': `attachment; filename="${name}"` },
    body: inWordsOf(columns, body),
  };
};

async function* inWordsOf(
  columns: readonly FileColumn[],
  body: AsyncIterable<Uint8Array>,
): AsyncGenerator<string> {
  const shown = new Map(columns.map((column) => [column.field, column]));
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  const cell = new RegExp(CELL);
  const fields: string[] = [];
  let isHeading = true;
  let at = 0;
  let rest = '';
  for await (const chunk of body) {
    const text = rest + decoder.decode(chunk, { stream: true });
    let out = '';
    let end = 0;
    for (let found = cell.exec(text); found !== null; found = cell.exec(text)) {
      const [, written = '', mark] = found;
      end = cell.lastIndex;
      if (isHeading) {
        const mine = written.startsWith(BYTE_ORDER_MARK) ? BYTE_ORDER_MARK : '';
        const field = written.slice(mine.length);
        fields.push(field);
        out += mine + quoted(shown.get(field)?.title ?? fieldName(field));
      } else {
        out += inWords(written, shown.get(fields[at]!));
      }
      out += mark;
      at = mark === ';' ? at + 1 : 0;
      isHeading &&= mark === ';';
    }
    rest = text.slice(end);
    yield out;
  }
  yield rest;
}

function inWords(written: string, column: FileColumn | undefined): string {
  if (column?.inFile) return quoted(column.inFile(plain(written)));
  return INSTANT.test(written) ? inSaoPaulo.format(new Date(written)) : (YES_NO[written] ?? written);
}

const plain = (written: string) =>
  written.startsWith('"') ? written.slice(1, -1).replaceAll('""', '"') : written;
const quoted = (text: string) => (/[";\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
