import { isDeepStrictEqual } from 'node:util';
import type { Bilingual } from '#core/values/bilingual.ts';
import type { Db, Tx } from '#platform/database/db.ts';
import { type AuditContext, recordAuditEntries } from '#platform/privacy/audit-trail.ts';
import {
  type Bytes,
  type Encoding,
  FileError,
  type NumberedRecord,
  quoteNames,
  readLines,
  readTable,
  refuseDuplicateColumns,
} from '#platform/text-file.ts';
import { describeViolations } from '../content/fields.ts';
import {
  type CellValue,
  type ContentKind,
  checkPatch,
  checkRecord,
  type FileColumns,
  type GetMaxPlanRate,
  KINDS,
  type KindName,
  readKey,
} from '../content/kinds.ts';
import { lockImports } from '../content/record-store.ts';

export type Format = 'csv' | 'jsonl';

export function readRecords(
  bytes: Bytes,
  file: { format: Format; encoding: Encoding; columns: FileColumns },
) {
  const lines = readLines(bytes, file.encoding);
  if (file.format === 'jsonl') return readJsonLines(lines);
  const { columns } = file;
  return readTable(lines, {
    readHeading: (names) => readHeading(names, columns),
    hint: describeHeading(columns),
  });
}

async function* readJsonLines(lines: AsyncIterable<string>): AsyncGenerator<NumberedRecord> {
  let lineNumber = 0;
  for await (const text of lines) {
    lineNumber++;
    if (text.trim() !== '') yield { line: lineNumber, ...parseLine(text) };
  }
}

function parseLine(text: string): { record: Record<string, unknown> } | { error: Bilingual } {
  try {
    const record: unknown = JSON.parse(text);
    if (typeof record === 'object' && record !== null && !Array.isArray(record)) {
      return { record: record as Record<string, unknown> };
    }
    return { error: { en: 'is not a JSON object', pt: 'não é um objeto JSON' } };
  } catch (error) {
    // The position in the parser's message is within this line, not within the file.
    const message = (error as Error).message.replace(/ \(line 1 column \d+\)$/, '');
    return { error: { en: `is not JSON: ${message}`, pt: `não é JSON: ${message}` } };
  }
}

function readHeading(names: string[], columns: FileColumns): string[] {
  const hint = describeHeading(columns);
  const unknownNames = quoteNames(names.filter((name) => !columns.names.includes(name)));
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

function describeHeading({ names, key, requiredNames }: FileColumns): Bilingual {
  const otherColumns = requiredNames.filter((name) => name !== key);
  const optionalColumns = names.filter((name) => !requiredNames.includes(name)).join(', ');
  return {
    en:
      `A CSV file begins with a heading, the names of its columns: ${key}` +
      `${otherColumns.length > 0 ? `; ${otherColumns.join(', ')} (for new records)` : ''}; optional: ${optionalColumns || 'no others'}.`,
    pt:
      `Um arquivo CSV começa com um cabeçalho, os nomes das colunas: ${key}` +
      `${otherColumns.length > 0 ? `, para registros novos ${otherColumns.join(', ')}` : ''} e, se quiser, ${optionalColumns || 'nenhuma outra'}.`,
  };
}

/** Small, because the audit trail needs each record before and after the change: it is in memory about five times. */
const BATCH_SIZE = 250;

export type ImportMode = 'skip-invalid-lines' | 'all-or-nothing' | 'dry-run';

type ImportOptions = {
  kind: KindName;
  mode: ImportMode;
  getMaxRate: GetMaxPlanRate;
  /** The context of the audit trail entries that are written for every changed record. */
  auditContext: AuditContext;
  onInvalidLine(line: number, message: Bilingual): void;
  onProgress?(): void;
  /** Called for every record that is added or changed, in the order of the file. */
  onChange?(change: ChangedRecord): void;
};

/** A record with the fields that an import changes. `before` is null in a new record. */
export type ChangedRecord = {
  key: string;
  isNew: boolean;
  fields: Array<{ name: string; before: CellValue; after: CellValue }>;
};

/** Thrown to roll the transaction back without failing the import. */
class Rollback extends Error {}

export async function importRecords(db: Db, records: AsyncIterable<NumberedRecord>, options: ImportOptions) {
  const importRun = new ImportRun(KINDS[options.kind], options);
  try {
    // One transaction, so that a file that is unreadable half-way changes nothing, and nodes see all changes together.
    await db.transaction(async (tx) => {
      await lockImports(tx);
      for await (const batch of splitIntoBatches(records)) {
        await importRun.importBatch(tx, batch);
        options.onProgress?.();
      }
      const { mode } = options;
      if (mode === 'dry-run' || (mode === 'all-or-nothing' && importRun.report.invalidCount > 0))
        throw new Rollback();
    });
  } catch (error) {
    if (!(error instanceof Rollback)) throw error;
  }
  return importRun.report;
}

async function* splitIntoBatches(records: AsyncIterable<NumberedRecord>): AsyncGenerator<NumberedRecord[]> {
  let batch: NumberedRecord[] = [];
  for await (const record of records) {
    batch.push(record);
    if (batch.length < BATCH_SIZE) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}

type StoredRecords = ReadonlyMap<string, Record<string, unknown>>;

const orderFields = ({ fields }: ContentKind, cells: Record<string, unknown>) =>
  Object.fromEntries(Object.keys(fields).map((name) => [name, cells[name]]));

class ImportRun {
  readonly report = { validCount: 0, invalidCount: 0 };
  readonly #kind: ContentKind;
  readonly #options: ImportOptions;
  readonly #lineByKey = new Map<string, number>();

  constructor(kind: ContentKind, options: ImportOptions) {
    this.#kind = kind;
    this.#options = options;
  }

  /** Writes the valid records and reports the invalid ones, in the order of their lines. */
  async importBatch(tx: Tx, batch: NumberedRecord[]): Promise<void> {
    const storedRecords = await this.#lockStoredRecords(tx, batch);
    const checkedLines = batch.map((item) => ({ line: item.line, ...this.#validate(item, storedRecords) }));
    const validRecords = checkedLines.flatMap((checkedLine) =>
      'record' in checkedLine ? [checkedLine.record] : [],
    );
    const violations = await this.#kind.write(tx, validRecords);
    const writtenRecords = validRecords.filter((record) => !violations.has(record));
    await this.#recordChanges(tx, writtenRecords, storedRecords);
    this.report.validCount += writtenRecords.length;
    for (const checkedLine of checkedLines) {
      if ('message' in checkedLine) this.#reportInvalidLine(checkedLine.line, checkedLine.message);
      else {
        const violation = violations.get(checkedLine.record);
        if (violation) this.#reportInvalidLine(checkedLine.line, describeViolations([violation]));
      }
    }
  }

  async #recordChanges(
    tx: Tx,
    writtenRecords: Array<Record<string, unknown>>,
    storedRecords: StoredRecords,
  ): Promise<void> {
    const { auditKind, key, toCells } = this.#kind;
    const changes = writtenRecords.map((record) => {
      const id = record[key] as string;
      const before = storedRecords.get(id);
      return { id, before: before && toCells(before), after: orderFields(this.#kind, toCells(record)) };
    });
    await recordAuditEntries(tx, this.#options.auditContext, auditKind, changes);
    const { onChange } = this.#options;
    if (!onChange) return;
    for (const { id, before, after } of changes) {
      const fields = Object.entries(after)
        .map(([field, value]) => ({
          name: field,
          before: before?.[field] ?? null,
          after: (value ?? null) as CellValue,
        }))
        .filter((field) => !isDeepStrictEqual(field.before, field.after));
      if (fields.length > 0) onChange({ key: id, isNew: before === undefined, fields });
    }
  }

  /** Locks and reads the stored records of the batch, because columns that the file lacks keep their values. */
  async #lockStoredRecords(tx: Tx, batch: NumberedRecord[]): Promise<StoredRecords> {
    const { key, lock } = this.#kind;
    const keys = batch.map((item) => ('record' in item ? readKey(this.#kind, item.record) : undefined));
    const validKeys = keys.filter((recordKey) => recordKey !== undefined);
    const storedRecords = await lock(tx, validKeys);
    return new Map(storedRecords.map((record) => [record[key] as string, record]));
  }

  /** Returns the complete record as it will be stored, or the reason why it is invalid. */
  #validate(
    item: NumberedRecord,
    storedRecords: StoredRecords,
  ): { record: Record<string, unknown> } | { message: Bilingual } {
    if ('error' in item) return { message: item.error };
    const { line, record } = item;
    const key = readKey(this.#kind, record);
    const storedRecord = key === undefined ? undefined : storedRecords.get(key);
    const check = storedRecord === undefined ? checkRecord : checkPatch;
    const checkResult = check(this.#kind, record, this.#options.getMaxRate);
    if ('violations' in checkResult) return { message: describeViolations(checkResult.violations) };
    const earlierLine = this.#lineByKey.get(key!);
    if (earlierLine !== undefined)
      return {
        message: {
          en: `${this.#kind.key}: '${key}' is already on line ${earlierLine}`,
          pt: `${this.#kind.key}: '${key}' já está na linha ${earlierLine}`,
        },
      };
    this.#lineByKey.set(key!, line);
    return { record: { ...storedRecord, ...checkResult.value } };
  }

  #reportInvalidLine(line: number, message: Bilingual): void {
    this.report.invalidCount++;
    this.#options.onInvalidLine(line, message);
  }
}

const allowAnyRate: GetMaxPlanRate = () => 100;

/** Writes records that must all be valid, such as the demo data. Throws an Error at the first invalid one. */
export async function writeContent(tx: Tx, name: KindName, records: Array<Record<string, unknown>>) {
  const kind = KINDS[name];
  const values = records.map((record, i) => {
    const checkResult = checkRecord(kind, record, allowAnyRate);
    if ('violations' in checkResult)
      throw new Error(`${name}, record ${i + 1}: ${describeViolations(checkResult.violations).en}`);
    return checkResult.value;
  });
  for (const [record, violation] of await kind.write(tx, values))
    throw new Error(`${name}, record ${values.indexOf(record) + 1}: ${describeViolations([violation]).en}`);
}
