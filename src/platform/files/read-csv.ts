import { setImmediate } from 'node:timers/promises';
import type { Bilingual } from '#core/values/bilingual.ts';
import { FileError } from './read-lines.ts';

/** The cells of a row or its error, with the number of its first line. */
export type CsvRow = { line: number } & ({ cells: string[] } | { fault: Bilingual });

export type NumberedRecord = { line: number } & ({ record: Record<string, unknown> } | { fault: Bilingual });

/** Reads a table with a heading. `readHeading` validates the names of the columns; `hint` describes the expected columns. */
export async function* readTable(
  lines: AsyncIterable<string>,
  { readHeading, hint }: { readHeading: (names: string[]) => string[]; hint: Bilingual },
): AsyncGenerator<NumberedRecord> {
  let names: string[] | undefined;
  for await (const row of readCsv(lines)) {
    if (names === undefined) {
      if ('fault' in row)
        throw new FileError({ en: `The heading ${row.fault.en}.`, pt: `O cabeçalho ${row.fault.pt}.` });
      names = readHeading(row.cells);
    } else if ('fault' in row) yield row;
    else {
      const { line, cells } = row;
      const fault = {
        en: `the heading has ${names.length} columns, this row has ${cells.length}`,
        pt: `o cabeçalho tem ${names.length} colunas, esta linha tem ${cells.length}`,
      };
      const record = Object.fromEntries(names.map((name, i) => [name, cells[i]]));
      yield cells.length === names.length ? { line, record } : { line, fault };
    }
  }
  if (names === undefined)
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

/** More than any record needs. A quote that is not closed within this many characters is a stray quote. */
const MAX_ROW_LENGTH = 1_000_000;

/** How many lines and rows are read before other work of the process gets its turn. */
const STEPS_PER_TURN = 500;

/**
 * Cells are separated by commas, semicolons or tabs. A row with unmatched quotes is an error of its own, and reading continues with the
 * line after its first. Each line is scanned at most twice, whatever the file contains.
 */
export async function* readCsv(lines: AsyncIterable<string>): AsyncGenerator<CsvRow> {
  const reader = new CsvReader();
  let stepCount = 0;
  const isTurnOver = () => ++stepCount % STEPS_PER_TURN === 0;
  for await (const text of lines) {
    if (isTurnOver()) await setImmediate();
    for (const row of reader.take(text)) {
      if (isTurnOver()) await setImmediate();
      yield row;
    }
  }
  for (const row of reader.end()) {
    if (isTurnOver()) await setImmediate();
    yield row;
  }
}

const UNCLOSED = { en: 'has a quote that is not closed', pt: 'tem aspas que não se fecham' };
const BROKEN = { en: 'has text after a closing quote', pt: 'tem texto depois de aspas fechadas' };

class CsvReader {
  #delimiter: string | undefined;
  /** The current row: its lines, the number of its first line, and its cells so far. */
  #lines: string[] = [];
  #rowLength = 0;
  #firstLine = 1;
  #cells: string[] = [];
  /** The text so far of a cell whose quote is not closed yet. */
  #quoted: string | undefined;

  *take(text: string): Generator<CsvRow> {
    if (this.#lines.length === 0 && text.trim() === '') {
      this.#startRow(this.#firstLine + 1);
      return;
    }
    this.#delimiter ??= guessDelimiter(text);
    this.#lines.push(text);
    this.#rowLength += text.length;
    const row = this.#readCells(text, this.#delimiter);
    if (row === 'complete') {
      if (this.#cells.some((cell) => cell !== '')) yield { line: this.#firstLine, cells: this.#cells };
      this.#startRow(this.#firstLine + this.#lines.length);
    } else if (row === 'broken') yield* this.#failRow(BROKEN);
    else if (this.#rowLength > MAX_ROW_LENGTH) yield* this.#failRow(UNCLOSED);
  }

  *end(): Generator<CsvRow> {
    // The last line of a failed row may open a quote of its own.
    while (this.#lines.length > 0) yield* this.#failRow(UNCLOSED);
  }

  /** Reports the first line, and reads the later ones as rows. A quote that one of them leaves open fails without another scan. */
  *#failRow(fault: Bilingual): Generator<CsvRow> {
    const [, ...laterLines] = this.#lines;
    const lastLine = laterLines.pop();
    yield { line: this.#firstLine, fault };
    this.#startRow(this.#firstLine + 1);
    for (const text of laterLines) {
      yield* this.take(text);
      if (this.#lines.length === 0) continue;
      yield { line: this.#firstLine, fault };
      this.#startRow(this.#firstLine + 1);
    }
    if (lastLine !== undefined) yield* this.take(lastLine);
  }

  #startRow(line: number): void {
    this.#lines = [];
    this.#rowLength = 0;
    this.#firstLine = line;
    this.#cells = [];
    this.#quoted = undefined;
  }

  #readCells(text: string, delimiter: string): 'complete' | 'open' | 'broken' {
    const endOfCell = (from: number) => {
      const found = text.indexOf(delimiter, from);
      return found < 0 ? text.length : found;
    };
    let position = 0;
    for (;;) {
      if (this.#quoted === undefined) {
        OPENING_QUOTE.lastIndex = position;
        if (OPENING_QUOTE.test(text)) {
          this.#quoted = '';
          position = OPENING_QUOTE.lastIndex;
          continue;
        }
        const end = endOfCell(position);
        this.#cells.push(text.slice(position, end).trim());
        if (end === text.length) return 'complete';
        position = end + 1;
        continue;
      }
      const quote = text.indexOf('"', position);
      if (quote < 0) {
        this.#quoted += `${text.slice(position)}\n`;
        return 'open';
      }
      this.#quoted += text.slice(position, quote);
      if (text[quote + 1] === '"') {
        this.#quoted += '"';
        position = quote + 2;
        continue;
      }
      const end = endOfCell(quote + 1);
      if (text.slice(quote + 1, end).trim() !== '') return 'broken';
      this.#cells.push(this.#quoted);
      this.#quoted = undefined;
      if (end === text.length) return 'complete';
      position = end + 1;
    }
  }
}

/** A quote opens a quoted cell only at its beginning; elsewhere it is an ordinary character (TV 32"). */
const OPENING_QUOTE = / *"/y;

/** Guesses the separator: Brazilian spreadsheets write semicolons, most others commas. */
function guessDelimiter(heading: string): string {
  const count = (delimiter: string) => heading.split(delimiter).length;
  return [',', ';', '\t'].reduce((best, delimiter) => (count(delimiter) > count(best) ? delimiter : best));
}
