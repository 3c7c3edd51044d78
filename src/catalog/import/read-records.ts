import { type CsvError, parse } from 'csv-parse';

export type Format = 'csv' | 'jsonl';
export type Encoding = 'utf-8' | 'latin1';

/** A record with the number of the line it begins on, or what is wrong with that line. */
export type NumberedRecord = { line: number } & ({ record: Record<string, unknown> } | { fault: string });

/** The file as a whole cannot be read; nothing was imported from it. */
export class FileFault extends Error {}

export function readRecords(
  bytes: AsyncIterable<Buffer>,
  format: Format,
  encoding: Encoding,
): AsyncGenerator<NumberedRecord> {
  const chunks = decode(bytes, encoding);
  return format === 'csv' ? readCsv(chunks) : readJsonLines(chunks);
}

async function* decode(bytes: AsyncIterable<Buffer>, encoding: Encoding): AsyncGenerator<string> {
  const decoder = new TextDecoder(encoding, { fatal: true });
  try {
    for await (const chunk of bytes) yield decoder.decode(chunk, { stream: true });
    yield decoder.decode();
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    throw new FileFault(`The file is not ${encoding}. Save it as UTF-8, or try --encoding latin1.`);
  }
}

async function* readJsonLines(chunks: AsyncGenerator<string>): AsyncGenerator<NumberedRecord> {
  let line = 0;
  let rest = '';
  for await (const chunk of chunks) {
    const lines = (rest + chunk).split('\n');
    rest = lines.pop()!;
    for (const text of lines) {
      line++;
      if (text.trim() !== '') yield { line, ...parseLine(text) };
    }
  }
  if (rest.trim() !== '') yield { line: line + 1, ...parseLine(rest) };
}

function parseLine(text: string): { record: Record<string, unknown> } | { fault: string } {
  try {
    const record: unknown = JSON.parse(text);
    if (typeof record === 'object' && record !== null && !Array.isArray(record)) {
      return { record: record as Record<string, unknown> };
    }
    return { fault: 'is not a JSON object' };
  } catch (error) {
    return { fault: `is not JSON: ${(error as Error).message}` };
  }
}

type CsvRow = { info: { lines: number }; record: Record<string, string> };

async function* readCsv(chunks: AsyncGenerator<string>): AsyncGenerator<NumberedRecord> {
  const first = await chunks.next();
  const head = first.done ? '' : first.value;
  let lastLine = 1;
  const skipped: NumberedRecord[] = [];
  const parser = parse({
    bom: true,
    columns: (header: string[]) => header.map((name) => name.trim()),
    delimiter: likelyDelimiter(head),
    info: true,
    skip_empty_lines: true,
    skip_records_with_error: true,
    trim: true,
  });
  parser.on('skip', (error: CsvError & { lines?: number }) => {
    skipped.push({ line: error.lines ?? lastLine + 1, fault: explain(error) });
  });
  feed(head, chunks, parser).catch((error: Error) => parser.destroy(error));

  for await (const { info, record } of parser as AsyncIterable<CsvRow>) {
    yield* skipped.splice(0);
    // `lines` is where the record ends; a record may span several.
    yield { line: lastLine + 1, record };
    lastLine = info.lines;
  }
  yield* skipped;
}

async function feed(
  head: string,
  chunks: AsyncGenerator<string>,
  parser: ReturnType<typeof parse>,
): Promise<void> {
  parser.write(head);
  for await (const chunk of chunks) {
    if (!parser.write(chunk)) await new Promise((resolve) => parser.once('drain', resolve));
  }
  parser.end();
}

/** Spreadsheets in Brazil write semicolons, most others commas. */
function likelyDelimiter(head: string): string {
  const header = head.split('\n', 1)[0]!;
  const count = (mark: string) => header.split(mark).length;
  return [',', ';', '\t'].reduce((best, mark) => (count(mark) > count(best) ? mark : best));
}

function explain(error: CsvError): string {
  return error.code === 'CSV_RECORD_INCONSISTENT_COLUMNS'
    ? 'does not have as many columns as the heading'
    : `is not well-formed CSV: ${error.message}`;
}
