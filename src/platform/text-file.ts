import { setImmediate } from 'node:timers/promises';
import type { Bilingual } from '#core/values/bilingual.ts';

export const ENCODINGS = ['utf-8', 'latin1'] as const;
export type Encoding = (typeof ENCODINGS)[number];

/** An error that rejects the whole file. */
export class FileError extends Error {
  readonly text: Bilingual;

  constructor(text: Bilingual) {
    super(text.en);
    this.text = text;
  }
}

/** Longer than any valid record. The limit prevents a file without line breaks from filling the memory. */
const MAX_LINE_LENGTH = 2_000_000;

export type Bytes = AsyncIterable<Buffer> | Iterable<Buffer>;

/** Reads the lines of a text file. Lines end with \n, \r\n or \r. */
export async function* readLines(bytes: Bytes, encoding: Encoding): AsyncGenerator<string> {
  let partialLine = '';
  for await (const chunk of decode(bytes, encoding)) {
    // A carriage return at the end of a chunk may be half of \r\n, so it is left for the next chunk.
    const lines = (partialLine + chunk).split(/\r\n|\n|\r(?!$)/);
    partialLine = lines.pop()!;
    if (partialLine.length > MAX_LINE_LENGTH) {
      throw new FileError({
        en: 'A line has more than two million characters.',
        pt: 'Uma linha tem mais de dois milhões de caracteres.',
      });
    }
    yield* lines;
  }
  if (partialLine !== '') yield partialLine.replace(/\r$/, '');
}

async function* decode(bytes: Bytes, encoding: Encoding): AsyncGenerator<string> {
  const decoder = new TextDecoder(encoding, { fatal: true });
  const decodeChunk = (chunk?: Buffer): string => {
    try {
      return decoder.decode(chunk, { stream: chunk !== undefined });
    } catch {
      throw new FileError({
        en: 'The file is not UTF-8. Save it as UTF-8, or set the encoding to latin1.',
        pt: 'O arquivo não está em UTF-8. Salve em UTF-8 ou diga a codificação: latin1.',
      });
    }
  };
  for await (const chunk of bytes) yield decodeChunk(chunk);
  yield decodeChunk();
}

/** The cells of a row or its error, with the number of its first line. */
export type CsvRow = { line: number } & ({ cells: string[] } | { error: Bilingual });

export type NumberedRecord = { line: number } & ({ record: Record<string, unknown> } | { error: Bilingual });

/** Reads a table with a heading. `readHeading` validates the names of the columns; `hint` describes the expected columns. */
export async function* readTable(
  lines: AsyncIterable<string>,
  { readHeading, hint }: { readHeading: (names: string[]) => string[]; hint: Bilingual },
): AsyncGenerator<NumberedRecord> {
  let columnNames: string[] | undefined;
  for await (const row of readCsv(lines)) {
    if (columnNames === undefined) {
      if ('error' in row)
        throw new FileError({ en: `The heading ${row.error.en}.`, pt: `O cabeçalho ${row.error.pt}.` });
      columnNames = readHeading(row.cells);
    } else if ('error' in row) yield row;
    else {
      const { line, cells } = row;
      const error = {
        en: `the heading has ${columnNames.length} columns, this row has ${cells.length}`,
        pt: `o cabeçalho tem ${columnNames.length} colunas, esta linha tem ${cells.length}`,
      };
      const record = Object.fromEntries(columnNames.map((name, i) => [name, cells[i]]));
      yield cells.length === columnNames.length ? { line, record } : { line, error };
    }
  }
  if (columnNames === undefined)
    throw new FileError({ en: `The file is empty. ${hint.en}`, pt: `O arquivo está vazio. ${hint.pt}` });
}

export function refuseDuplicateColumns(names: readonly string[]): void {
  const duplicates = names.filter((name, i) => names.indexOf(name) !== i);
  if (duplicates.length === 0) return;
  throw new FileError({
    en: `The first line contains ${quoteNames(duplicates)} more than once.`,
    pt: `A primeira linha tem ${quoteNames(duplicates)} mais de uma vez.`,
  });
}

export const quoteNames = (names: readonly string[]): string => names.map((name) => `'${name}'`).join(', ');

/** Longer than any valid record. A quote that is not closed within this many characters is a stray quote. */
const MAX_ROW_LENGTH = 1_000_000;

/** The number of lines and rows that are read before other work of the process may run. */
const STEPS_PER_PAUSE = 500;

/**
 * Reads rows of cells that commas, semicolons or tabs separate. For a row with unmatched quotes it yields an error, and continues with the
 * line after the first of that row. Each line is scanned at most twice, whatever the file contains.
 */
export async function* readCsv(lines: AsyncIterable<string>): AsyncGenerator<CsvRow> {
  const reader = new CsvReader();
  let stepCount = 0;
  const isPauseDueAfterStep = () => ++stepCount % STEPS_PER_PAUSE === 0;
  for await (const text of lines) {
    if (isPauseDueAfterStep()) await setImmediate();
    for (const row of reader.readLine(text)) {
      if (isPauseDueAfterStep()) await setImmediate();
      yield row;
    }
  }
  for (const row of reader.end()) {
    if (isPauseDueAfterStep()) await setImmediate();
    yield row;
  }
}

const UNCLOSED_QUOTE = { en: 'has a quote that is not closed', pt: 'tem aspas que não se fecham' };
const TEXT_AFTER_QUOTE = { en: 'has text after a closing quote', pt: 'tem texto depois de aspas fechadas' };

class CsvReader {
  #delimiter: string | undefined;
  /** The state of the current row: its lines, its length, the number of its first line, and the cells that have been read. */
  #lines: string[] = [];
  #rowLength = 0;
  #firstLineNumber = 1;
  #cells: string[] = [];
  /** The text of a cell whose quote is not closed yet. */
  #quotedText: string | undefined;

  *readLine(text: string): Generator<CsvRow> {
    if (this.#lines.length === 0 && text.trim() === '') {
      this.#startRow(this.#firstLineNumber + 1);
      return;
    }
    this.#delimiter ??= guessDelimiter(text);
    this.#lines.push(text);
    this.#rowLength += text.length;
    const rowState = this.#readCells(text, this.#delimiter);
    if (rowState === 'complete') {
      if (this.#cells.some((cell) => cell !== '')) yield { line: this.#firstLineNumber, cells: this.#cells };
      this.#startRow(this.#firstLineNumber + this.#lines.length);
    } else if (rowState === 'broken') yield* this.#failRow(TEXT_AFTER_QUOTE);
    else if (this.#rowLength > MAX_ROW_LENGTH) yield* this.#failRow(UNCLOSED_QUOTE);
  }

  *end(): Generator<CsvRow> {
    // The last line of a failed row may open another quote.
    while (this.#lines.length > 0) yield* this.#failRow(UNCLOSED_QUOTE);
  }

  /** Yields an error for the first line, and reads the later lines as rows. A quote that one of them leaves open fails without another scan. */
  *#failRow(error: Bilingual): Generator<CsvRow> {
    const [, ...laterLines] = this.#lines;
    const lastLine = laterLines.pop();
    yield { line: this.#firstLineNumber, error };
    this.#startRow(this.#firstLineNumber + 1);
    for (const text of laterLines) {
      yield* this.readLine(text);
      if (this.#lines.length === 0) continue;
      yield { line: this.#firstLineNumber, error };
      this.#startRow(this.#firstLineNumber + 1);
    }
    if (lastLine !== undefined) yield* this.readLine(lastLine);
  }

  #startRow(firstLineNumber: number): void {
    this.#lines = [];
    this.#rowLength = 0;
    this.#firstLineNumber = firstLineNumber;
    this.#cells = [];
    this.#quotedText = undefined;
  }

  /** Reads the cells of a line. The row is `open` if the line ends inside quotes, and `broken` if text follows a closing quote. */
  #readCells(text: string, delimiter: string): 'complete' | 'open' | 'broken' {
    const findCellEnd = (from: number) => {
      const delimiterIndex = text.indexOf(delimiter, from);
      return delimiterIndex < 0 ? text.length : delimiterIndex;
    };
    let position = 0;
    for (;;) {
      if (this.#quotedText === undefined) {
        OPENING_QUOTE.lastIndex = position;
        if (OPENING_QUOTE.test(text)) {
          this.#quotedText = '';
          position = OPENING_QUOTE.lastIndex;
          continue;
        }
        const end = findCellEnd(position);
        this.#cells.push(text.slice(position, end).trim());
        if (end === text.length) return 'complete';
        position = end + 1;
        continue;
      }
      const quoteIndex = text.indexOf('"', position);
      if (quoteIndex < 0) {
        this.#quotedText += `${text.slice(position)}\n`;
        return 'open';
      }
      this.#quotedText += text.slice(position, quoteIndex);
      if (text[quoteIndex + 1] === '"') {
        this.#quotedText += '"';
        position = quoteIndex + 2;
        continue;
      }
      const end = findCellEnd(quoteIndex + 1);
      if (text.slice(quoteIndex + 1, end).trim() !== '') return 'broken';
      this.#cells.push(this.#quotedText);
      this.#quotedText = undefined;
      if (end === text.length) return 'complete';
      position = end + 1;
    }
  }
}

/** A quote opens a quoted cell only at its beginning; elsewhere it is an ordinary character (TV 32"). */
const OPENING_QUOTE = / *"/y;

/** Guesses the separator: Brazilian spreadsheets write semicolons, most others commas. */
function guessDelimiter(heading: string): string {
  const countCells = (delimiter: string) => heading.split(delimiter).length;
  return [',', ';', '\t'].reduce((best, delimiter) =>
    countCells(delimiter) > countCells(best) ? delimiter : best,
  );
}
