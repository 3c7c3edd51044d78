import type { Bilingual } from '#core/values/bilingual.ts';
import {
  type NumberedRecord,
  quoteNames,
  readTable,
  refuseDuplicateColumns,
} from '#platform/files/read-csv.ts';
import { type Bytes, type Encoding, FileError, readLines } from '#platform/files/read-lines.ts';

export type Format = 'csv' | 'jsonl';

/** The columns of a CSV file: all known ones, the key, and those that new records require. */
export type Columns = { known: string[]; key: string; required: string[] };

export function readRecords(bytes: Bytes, file: { format: Format; encoding: Encoding; columns: Columns }) {
  const lines = readLines(bytes, file.encoding);
  if (file.format === 'jsonl') return readJsonLines(lines);
  const { columns } = file;
  return readTable(lines, {
    readHeading: (names) => readHeading(names, columns),
    hint: headingHint(columns),
  });
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
    // The position in the parser's message is within this line, not within the file.
    const message = (error as Error).message.replace(/ \(line 1 column \d+\)$/, '');
    return { fault: { en: `is not JSON: ${message}`, pt: `não é JSON: ${message}` } };
  }
}

function readHeading(names: string[], columns: Columns): string[] {
  const hint = headingHint(columns);
  const unknownNames = quoteNames(names.filter((name) => !columns.known.includes(name)));
  if (unknownNames !== '') {
    throw new FileError({
      en: `The first line names unknown columns: ${unknownNames}. ${hint.en}`,
      pt: `A primeira linha tem colunas desconhecidas: ${unknownNames}. ${hint.pt}`,
    });
  }
  refuseDuplicateColumns(names);
  if (!names.includes(columns.key)) {
    throw new FileError({
      en: `The first line lacks the column '${columns.key}'. ${hint.en}`,
      pt: `Falta na primeira linha a coluna '${columns.key}'. ${hint.pt}`,
    });
  }
  return names;
}

function headingHint({ known, key, required }: Columns): Bilingual {
  const others = required.filter((name) => name !== key);
  const optional = known.filter((name) => !required.includes(name)).join(', ');
  return {
    en:
      `A CSV file begins with a heading, the names of its columns: ${key}` +
      `${others.length > 0 ? `, for new records ${others.join(', ')}` : ''} and, optionally, ${optional || 'no others'}.`,
    pt:
      `Um arquivo CSV começa com um cabeçalho, os nomes das colunas: ${key}` +
      `${others.length > 0 ? `, para registros novos ${others.join(', ')}` : ''} e, se quiser, ${optional || 'nenhuma outra'}.`,
  };
}
