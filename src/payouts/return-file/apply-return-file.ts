import type { Events } from '#events';
import type { Db } from '#platform/database/db.ts';
import { type Bytes, type Encoding, FileFault, readLines } from '#platform/files/read-lines.ts';
import { type Change, recordChange, recordCreation } from '#platform/privacy/trail.ts';
import { failPayout, payoutSubject, payPayout } from '../close-payout.ts';
import { OUTCOMES } from '../schemas.ts';
import { listNamedPayouts, lockPayout, type PayoutRow } from '../store.ts';
import { judge, type Verdict } from './judge.ts';
import { readCnab240 } from './read-cnab240.ts';
import { readCsvReturn } from './read-csv-return.ts';
import type { ReturnLine } from './return-line.ts';

export const RETURN_FORMATS = ['csv', 'cnab240'] as const;
export type ReturnFormat = (typeof RETURN_FORMATS)[number];

type ReturnFile = {
  bytes: Bytes;
  format: ReturnFormat;
  encoding: Encoding;
  /** Nothing is written: what would happen. */
  isDry: boolean;
  mostLines?: number;
};

type By = { change: Change; events: Events };

/** What became of a line. `payout` is the one that it names. */
export type LineResult = Verdict & { line: number; payout: PayoutRow | undefined };

const READERS = { csv: readCsvReturn, cnab240: readCnab240 };

/**
 * Marks payouts as the bank's file says. The file is read whole before anything is changed: a FileFault if it cannot be. Each payout
 * is marked in a transaction of its own, and the same file again changes nothing.
 */
export async function applyReturnFile(db: Db, file: ReturnFile, by: By): Promise<LineResult[]> {
  const lines = await readWhole(file);
  const named = await findPayouts(db, lines);
  const results: LineResult[] = [];
  for (const line of lines) {
    const found = 'name' in line ? (named.get(line.name) ?? []) : [];
    let verdict = judge(line, found);
    const [payout] = found;
    if (verdict.closing && payout) {
      // A later line about the same payout is compared with what this one made of it.
      if (file.isDry) Object.assign(payout, verdict.closing);
      else verdict = await close(db, line, payout, by);
    }
    results.push({ line: line.line, payout: found.length === 1 ? payout : undefined, ...verdict });
  }
  if (!file.isDry) await recordFile(db, by.change, file, results);
  return results;
}

async function readWhole({ bytes, format, encoding, mostLines }: ReturnFile): Promise<ReturnLine[]> {
  const lines: ReturnLine[] = [];
  for await (const line of READERS[format](readLines(bytes, encoding))) {
    lines.push(line);
    if (mostLines !== undefined && lines.length > mostLines)
      throw new FileFault({
        en: `The file has more than ${mostLines} lines. Send it in parts, or use 'semana payout return-file'.`,
        pt: `O arquivo tem mais de ${mostLines} linhas. Envie em partes ou use 'semana payout return-file'.`,
      });
  }
  return lines;
}

/** By id and by bank number. */
async function findPayouts(db: Db, lines: readonly ReturnLine[]): Promise<Map<string, PayoutRow[]>> {
  const names = new Set(lines.flatMap((line) => ('name' in line ? [line.name] : [])));
  const likely = [...names].filter((name) => /^[0-9a-z_]{20,30}$/.test(name));
  const found = new Map<string, PayoutRow[]>();
  for (const row of await listNamedPayouts(db, likely)) {
    const number = row.id.slice(-20);
    found.set(row.id, [row]);
    found.set(number, [...(found.get(number) ?? []), row]);
  }
  return found;
}

/** Marks the payout, unless the line does not fit it any more now that it is locked. `payout` is brought up to date. */
async function close(db: Db, line: ReturnLine, payout: PayoutRow, { change, events }: By): Promise<Verdict> {
  const { id } = payout;
  const { now } = change;
  const { verdict, after } = await db.transaction(async (tx) => {
    const locked = (await lockPayout(tx, id))!;
    const verdict = judge(line, [locked]);
    const { closing } = verdict;
    if (closing?.status === 'paid')
      await recordChange(tx, change, { of: payoutSubject, id }, () =>
        payPayout(tx, id, closing.reference, { events, now }),
      );
    if (closing?.status === 'failed')
      await recordChange(tx, { ...change, reason: closing.reason }, { of: payoutSubject, id }, () =>
        failPayout(tx, id, closing.reason, { now }),
      );
    return { verdict, after: { ...locked, ...closing } };
  });
  Object.assign(payout, after);
  return verdict;
}

/** Who sent a file, and how many of its lines became what. */
async function recordFile(
  db: Db,
  change: Change,
  { format }: ReturnFile,
  results: readonly LineResult[],
): Promise<void> {
  const counts = OUTCOMES.map((outcome) => [
    outcome,
    results.filter((result) => result.outcome === outcome).length,
  ]);
  const subject = { kind: 'payout_return_file', id: change.now.toISOString() };
  await db.transaction((tx) =>
    recordCreation(tx, change, subject, { format, ...Object.fromEntries(counts) }),
  );
}
