import { isDeepStrictEqual } from 'node:util';
import type { Bilingual } from '#core/bilingual.ts';
import type { Db, Tx } from '#platform/database/db.ts';
import type { NumberedRecord } from '#platform/files/read-csv.ts';
import { type Change, recordChanges } from '#platform/privacy/trail.ts';
import { checkRecord, readKey } from './check-record.ts';
import { describeFaults } from './fields.ts';
import { type CellValue, type ImportKind, KINDS, type KindName } from './kinds.ts';
import { lockImports } from './store.ts';

/** Small, because each record is in memory about five times: the trail needs it before and after the change. */
const BATCH = 250;

type ImportOptions = {
  kind: KindName;
  /** 'rest': good lines are imported, bad ones skipped. 'none': one bad line and nothing is imported. 'dry': nothing is written. */
  keep: 'rest' | 'none' | 'dry';
  /** Who imports. Every changed record is recorded in the trail. */
  change: Change;
  onFault(line: number, fault: Bilingual): void;
  onProgress(): void;
  /** For every record that is added or changed, in the order of the file. */
  onChange?(changed: ChangedRecord): void;
};

/** As shown; undefined before: it is new. Only the fields that differ. */
export type ChangedRecord = {
  key: string;
  isNew: boolean;
  fields: Array<{ name: string; before: CellValue; after: CellValue }>;
};

/** Thrown to roll back the transaction. */
class TakenBack extends Error {}

export async function importRecords(db: Db, records: AsyncIterable<NumberedRecord>, options: ImportOptions) {
  const run = new ImportRun(KINDS[options.kind], options);
  try {
    // One transaction: a file that is unreadable half-way changes nothing, and nodes see all of it at once.
    await db.transaction(async (tx) => {
      await lockImports(tx);
      for await (const batch of batches(records)) {
        await run.take(tx, batch);
        options.onProgress();
      }
      const { keep } = options;
      if (keep === 'dry' || (keep === 'none' && run.report.bad > 0)) throw new TakenBack();
    });
  } catch (error) {
    if (!(error instanceof TakenBack)) throw error;
  }
  return run.report;
}

async function* batches(records: AsyncIterable<NumberedRecord>): AsyncGenerator<NumberedRecord[]> {
  let batch: NumberedRecord[] = [];
  for await (const numbered of records) {
    batch.push(numbered);
    if (batch.length < BATCH) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}

const ordered = ({ fields }: ImportKind, shown: Record<string, unknown>) =>
  Object.fromEntries(Object.keys(fields).map((name) => [name, shown[name]]));

class ImportRun {
  readonly report = { good: 0, bad: 0 };
  readonly #kind: ImportKind;
  readonly #options: ImportOptions;
  readonly #lineOfKey = new Map<string, number>();

  constructor(kind: ImportKind, options: ImportOptions) {
    this.#kind = kind;
    this.#options = options;
  }

  /** Writes the good records and reports the bad ones, in the order of their lines. */
  async take(tx: Tx, batch: NumberedRecord[]): Promise<void> {
    const kept = await this.#lockKept(tx, batch);
    const outcomes = batch.map((numbered) => this.#check(numbered, kept));
    const good = outcomes.flatMap((outcome) => ('record' in outcome ? [outcome.record] : []));
    const refused = await this.#kind.write(tx, good);
    await this.#record(
      tx,
      good.filter((_, i) => !refused.has(i)),
      kept,
    );
    let written = 0;
    for (const [i, outcome] of outcomes.entries()) {
      const fault = 'fault' in outcome ? outcome.fault : refused.get(written++);
      if (fault === undefined) this.report.good++;
      else this.#fault(batch[i]!.line, 'field' in fault ? describeFaults([fault]) : fault);
    }
  }

  async #record(
    tx: Tx,
    written: Array<Record<string, unknown>>,
    kept: Map<string, Record<string, unknown>>,
  ): Promise<void> {
    const { subject, key, show } = this.#kind;
    const changes = written.map((record) => {
      const id = record[key] as string;
      const before = kept.get(id);
      return { id, before: before && show(before), after: ordered(this.#kind, show(record)) };
    });
    await recordChanges(tx, this.#options.change, subject, changes);
    const { onChange } = this.#options;
    if (!onChange) return;
    for (const { id: name, before, after } of changes) {
      const fields = Object.entries(after)
        .map(([field, value]) => ({
          name: field,
          before: before?.[field] ?? null,
          after: (value ?? null) as CellValue,
        }))
        .filter((field) => !isDeepStrictEqual(field.before, field.after));
      if (fields.length > 0) onChange({ key: name, isNew: before === undefined, fields });
    }
  }

  /** Locks and reads the stored records of the batch: columns the file does not have keep their values. */
  async #lockKept(tx: Tx, batch: NumberedRecord[]): Promise<Map<string, Record<string, unknown>>> {
    const { key, lock } = this.#kind;
    const keys = batch.flatMap((item) => ('record' in item ? (readKey(this.#kind, item.record) ?? []) : []));
    const kept = await lock(tx, keys);
    return new Map(kept.map((record) => [record[key] as string, record]));
  }

  /** The whole record as it will be stored, or what is wrong with it. */
  #check(
    numbered: NumberedRecord,
    kept: Map<string, Record<string, unknown>>,
  ): { record: Record<string, unknown> } | { fault: Bilingual } {
    if ('fault' in numbered) return numbered;
    const { line, record } = numbered;
    const key = readKey(this.#kind, record);
    const before = key === undefined ? undefined : kept.get(key);
    const checked = checkRecord(this.#kind, record, before === undefined);
    if ('faults' in checked) return { fault: describeFaults(checked.faults) };
    const earlier = this.#lineOfKey.get(key!);
    if (earlier !== undefined)
      return {
        fault: {
          en: `${this.#kind.key}: '${key}' stands on line ${earlier} already`,
          pt: `${this.#kind.key}: '${key}' já está na linha ${earlier}`,
        },
      };
    this.#lineOfKey.set(key!, line);
    return { record: { ...before, ...checked.value } };
  }

  #fault(line: number, fault: Bilingual): void {
    this.report.bad++;
    this.#options.onFault(line, fault);
  }
}
