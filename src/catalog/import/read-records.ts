import type { Bilingual } from '#core/bilingual.ts';
import { type CsvRow, readCsv } from './read-csv.ts';
import { type Encoding, FileFault, readLines } from './read-lines.ts';

export type Format = 'csv' | 'jsonl';

/** A record, or what is wrong with it, with the number of the line it begins on. */
export type NumberedRecord = { line: number } & ({ record: Record<string, unknown> } | { fault: Bilingual });

/** Columns of a CSV file: all known ones, the key, and those required for new records. */
export type Columns = { known: string[]; key: string; required: string[] };

export function readRecords(
  bytes: AsyncIterable<Buffer>,
  file: { format: Format; encoding: Encoding; columns: Columns },
): AsyncGenerator<NumberedRecord> {
  const lines = readLines(bytes, file.encoding);
  return file.format === 'csv' ? readTable(readCsv(lines), file.columns) : readJsonLines(lines);
}

async function* readJsonLines(lines: AsyncIterable<string>): AsyncGenerator<NumberedRecord> {
  let line = 0;
  for await (const text of lines) {
    line++;
    if (text.trim() !== '') yield { line, ...parseLine(text) };
  }
}

function parseLine(text: string): { record: Record<string, unknown> } | { fault: Bilingual } {
  try {
    const record: unknown = JSON.parse(text);
    if (typeof record === 'object' && record !== null && !Array.isArray(record)) {
      return { record: record as Record<string, unknown> };
    }
    return { fault: { en: 'is not a JSON object', pt: 'não é um objeto JSON' } };
  } catch (error) {
    // The parser's position is within this one line: leave it out.
    const message = (error as Error).message.replace(/ \(line 1 column \d+\)$/, '');
    return { fault: { en: `is not JSON: ${message}`, pt: `não é JSON: ${message}` } };
  }
}

async function* readTable(rows: AsyncIterable<CsvRow>, columns: Columns): AsyncGenerator<NumberedRecord> {
  let names: string[] | undefined;
  for await (const row of rows) {
    if (names === undefined) names = readHeading(row, columns);
    else if ('fault' in row) yield row;
    else if (row.cells.length !== names.length) {
      yield {
        line: row.line,
        fault: {
          en: `the heading names ${names.length} columns, this row has ${row.cells.length}`,
          pt: `o cabeçalho tem ${names.length} colunas, esta linha tem ${row.cells.length}`,
        },
      };
    } else {
      const { line, cells } = row;
      yield { line, record: Object.fromEntries(names.map((name, i) => [name, cells[i]])) };
    }
  }
  if (names === undefined) throw new FileFault(`The file is empty. ${headingHint(columns)}`);
}

function readHeading(row: CsvRow, columns: Columns): string[] {
  if ('fault' in row) throw new FileFault(`The heading ${row.fault.en}.`);
  const names = row.cells;
  const quoted = (some: string[]) => some.map((name) => `'${name}'`).join(', ');
  const unknown = names.filter((name) => !columns.known.includes(name));
  if (unknown.length > 0) {
    throw new FileFault(`The first line names unknown columns: ${quoted(unknown)}. ${headingHint(columns)}`);
  }
  const doubled = names.filter((name, i) => names.indexOf(name) !== i);
  if (doubled.length > 0) throw new FileFault(`The first line names ${quoted(doubled)} more than once.`);
  if (!names.includes(columns.key)) {
    throw new FileFault(`The first line lacks the column '${columns.key}'. ${headingHint(columns)}`);
  }
  return names;
}

function headingHint({ known, key, required }: Columns): string {
  const others = required.filter((name) => name !== key);
  const free = known.filter((name) => !required.includes(name));
  return (
    `A CSV file begins with a heading, the names of its columns: ${key}` +
    `${others.length > 0 ? `, for new records ${others.join(', ')}` : ''} and, as you like, ${free.join(', ') || 'no others'}.`
  );
}
