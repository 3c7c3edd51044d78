import type { Bilingual } from '#core/bilingual.ts';
import { FileFault } from './read-lines.ts';

/** The cells of a row, or what is wrong with it, with the number of the line it begins on. */
export type CsvRow = { line: number } & ({ cells: string[] } | { fault: Bilingual });

/** A record, or what is wrong with it, with the number of the line it begins on. */
export type NumberedRecord = { line: number } & ({ record: Record<string, unknown> } | { fault: Bilingual });

/** A table with a heading. `readHeading` checks the names of the columns; `hint` says what they are to be. */
export async function* readTable(
  lines: AsyncIterable<string>,
  { readHeading, hint }: { readHeading: (names: string[]) => string[]; hint: Bilingual },
): AsyncGenerator<NumberedRecord> {
  let names: string[] | undefined;
  for await (const row of readCsv(lines)) {
    if (names === undefined) {
      if ('fault' in row)
        throw new FileFault({ en: `The heading ${row.fault.en}.`, pt: `O cabeçalho ${row.fault.pt}.` });
      names = readHeading(row.cells);
    } else if ('fault' in row) yield row;
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
  if (names === undefined)
    throw new FileFault({ en: `The file is empty. ${hint.en}`, pt: `O arquivo está vazio. ${hint.pt}` });
}

/** Refuses a heading in which a column stands twice. */
export function refuseDoubled(names: readonly string[]): void {
  const doubled = names.filter((name, i) => names.indexOf(name) !== i);
  if (doubled.length === 0) return;
  throw new FileFault({
    en: `The first line names ${quoted(doubled)} more than once.`,
    pt: `A primeira linha tem ${quoted(doubled)} mais de uma vez.`,
  });
}

export const quoted = (names: readonly string[]): string => names.map((name) => `'${name}'`).join(', ');

/** More than any record needs: a quote still open after this many characters is a stray one. */
const LONGEST_ROW = 1_000_000;

/**
 * CSV as spreadsheets write it: cells between commas, semicolons or tabs, in quotes where they hold such a mark or a line
 * end. Empty rows are skipped. A row whose quotes do not match is a fault by itself: reading goes on with the line after
 * the one it begins on, so that one stray quote does not swallow the rest of the file.
 */
export async function* readCsv(lines: AsyncIterable<string>): AsyncGenerator<CsvRow> {
  const reader = new CsvReader();
  for await (const text of lines) yield* reader.take(text);
  yield* reader.end();
}

const UNCLOSED = { en: 'has a quote that is not closed', pt: 'tem aspas que não se fecham' };

class CsvReader {
  #delimiter: string | undefined;
  /** The row that is being read: its lines, the number of the first, and its cells so far. */
  #held: string[] = [];
  #heldLength = 0;
  #firstLine = 1;
  #cells: string[] = [];
  /** What was read of the cell whose quote is open. */
  #quoted: string | undefined;

  *take(text: string): Generator<CsvRow> {
    if (this.#held.length === 0 && text.trim() === '') {
      this.#begin(this.#firstLine + 1);
      return;
    }
    this.#delimiter ??= likelyDelimiter(text);
    this.#held.push(text);
    this.#heldLength += text.length;
    const row = this.#read(text, this.#delimiter);
    if (row === 'whole') {
      if (this.#cells.some((cell) => cell !== '')) yield { line: this.#firstLine, cells: this.#cells };
      this.#begin(this.#firstLine + this.#held.length);
    } else if (row === 'broken') {
      yield* this.#giveUp({
        en: 'has text after a closing quote',
        pt: 'tem texto depois de aspas fechadas',
      });
    } else if (this.#heldLength > LONGEST_ROW) {
      yield* this.#giveUp(UNCLOSED);
    }
  }

  *end(): Generator<CsvRow> {
    while (this.#held.length > 0) yield* this.#giveUp(UNCLOSED);
  }

  *#giveUp(fault: Bilingual): Generator<CsvRow> {
    const [, ...after] = this.#held;
    yield { line: this.#firstLine, fault };
    this.#begin(this.#firstLine + 1);
    for (const text of after) yield* this.take(text);
  }

  #begin(line: number): void {
    this.#held = [];
    this.#heldLength = 0;
    this.#firstLine = line;
    this.#cells = [];
    this.#quoted = undefined;
  }

  #read(text: string, delimiter: string): 'whole' | 'open' | 'broken' {
    const endOfCell = (from: number) => {
      const found = text.indexOf(delimiter, from);
      return found < 0 ? text.length : found;
    };
    let at = 0;
    for (;;) {
      if (this.#quoted === undefined) {
        OPENING_QUOTE.lastIndex = at;
        if (OPENING_QUOTE.test(text)) {
          this.#quoted = '';
          at = OPENING_QUOTE.lastIndex;
          continue;
        }
        const end = endOfCell(at);
        this.#cells.push(text.slice(at, end).trim());
        if (end === text.length) return 'whole';
        at = end + 1;
        continue;
      }
      const quote = text.indexOf('"', at);
      if (quote < 0) {
        this.#quoted += `${text.slice(at)}\n`;
        return 'open';
      }
      this.#quoted += text.slice(at, quote);
      if (text[quote + 1] === '"') {
        this.#quoted += '"';
        at = quote + 2;
        continue;
      }
      const end = endOfCell(quote + 1);
      if (text.slice(quote + 1, end).trim() !== '') return 'broken';
      this.#cells.push(this.#quoted);
      this.#quoted = undefined;
      if (end === text.length) return 'whole';
      at = end + 1;
    }
  }
}

/** Only at the beginning of a cell; elsewhere a quote is an ordinary character (TV 32"). */
const OPENING_QUOTE = / *"/y;

/** Brazilian spreadsheets write semicolons, most others commas. */
function likelyDelimiter(heading: string): string {
  const count = (mark: string) => heading.split(mark).length;
  return [',', ';', '\t'].reduce((best, mark) => (count(mark) > count(best) ? mark : best));
}
