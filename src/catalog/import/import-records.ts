import type { Db, Tx } from '#platform/db.ts';
import { checkRecord } from './check-record.ts';
import { KINDS, type Kind, type KindName } from './kinds.ts';
import type { NumberedRecord } from './read-records.ts';

const BATCH = 1_000;

export type ImportReport = {
  good: number;
  bad: number;
};

export type ImportOptions = {
  kind: KindName;
  /** 'rest': good lines are kept whatever the others are. 'none': one bad line and nothing is. 'dry': nothing is written. */
  keep: 'rest' | 'none' | 'dry';
  onFault(line: number, fault: string): void;
  onProgress(): void;
};

type Numbered = { line: number; value: Record<string, unknown> };

/** Thrown to roll back what must not stay. */
class TakenBack extends Error {}

export async function importRecords(
  db: Db,
  records: AsyncIterable<NumberedRecord>,
  options: ImportOptions,
): Promise<ImportReport> {
  const run = new ImportRun(KINDS[options.kind], options);
  try {
    // One transaction: a file that turns out to be unreadable half-way leaves nothing behind, and nodes take it in at once.
    await db.transaction(async (tx) => {
      for await (const batch of run.batches(records)) run.settle(await run.write(tx, batch), batch);
      const { keep } = options;
      if (keep === 'dry' || (keep === 'none' && run.report.bad > 0)) throw new TakenBack();
    });
  } catch (error) {
    if (!(error instanceof TakenBack)) throw error;
  }
  return run.report;
}

class ImportRun {
  readonly report: ImportReport = { good: 0, bad: 0 };
  readonly #kind: Kind;
  readonly #options: ImportOptions;
  readonly #lineOfKey = new Map<unknown, number>();

  constructor(kind: Kind, options: ImportOptions) {
    this.#kind = kind;
    this.#options = options;
  }

  /** Good records, many at a time; the bad ones are told on the way. */
  async *batches(records: AsyncIterable<NumberedRecord>): AsyncGenerator<Numbered[]> {
    let batch: Numbered[] = [];
    for await (const numbered of records) {
      const value = this.#check(numbered);
      if (value) batch.push({ line: numbered.line, value });
      if (batch.length >= BATCH) {
        yield batch;
        batch = [];
        this.#options.onProgress();
      }
    }
    if (batch.length > 0) yield batch;
    this.#options.onProgress();
  }

  write(tx: Tx, batch: Numbered[]): Promise<Map<number, string>> {
    const { write } = this.#kind;
    return write(
      tx,
      batch.map(({ value }) => value),
    );
  }

  settle(refused: Map<number, string>, batch: Numbered[]): void {
    for (const [i, fault] of refused) this.#fault(batch[i]!.line, fault);
    this.report.good += batch.length - refused.size;
  }

  #check(numbered: NumberedRecord): Record<string, unknown> | undefined {
    if ('fault' in numbered) {
      this.#fault(numbered.line, numbered.fault);
      return undefined;
    }
    const checked = checkRecord(this.#kind, numbered.record);
    if ('faults' in checked) {
      this.#fault(numbered.line, checked.faults.join('; '));
      return undefined;
    }
    const key = checked.value[this.#kind.key];
    const earlier = this.#lineOfKey.get(key);
    if (earlier !== undefined) {
      this.#fault(numbered.line, `${this.#kind.key}: '${key}' stands on line ${earlier} already`);
      return undefined;
    }
    this.#lineOfKey.set(key, numbered.line);
    return checked.value;
  }

  #fault(line: number, fault: string): void {
    this.report.bad++;
    this.#options.onFault(line, fault);
  }
}
