import type { Static } from 'typebox';
import type { Bilingual } from '#core/values/bilingual.ts';
import { cents, centsToReais, formatPlainReais, formatReais, sum, toReais } from '#core/values/money.ts';
import type { Events } from '#events';
import type { Db } from '#platform/database/db.ts';
import { type AuditContext, recordAuditEntry, withAuditedUpdate } from '#platform/privacy/audit-trail.ts';
import { type Bytes, type Encoding, FileError, readLines } from '#platform/text-file.ts';
import { markPayoutFailed, markPayoutPaid, payoutAuditEntity } from '../payouts.ts';
import { RETURN_LINE_OUTCOMES, type ReturnFileOutcome, type ReturnLineOutcome } from '../schemas.ts';
import { listPayoutsByIdOrNumber, lockPayout, type PayoutRow } from '../store.ts';
import { parseCnab240, parseCsvReturn, type ReportedStatus, type ReturnLine } from './parse-return-file.ts';

export const RETURN_FORMATS = ['csv', 'cnab240'] as const;
type ReturnFormat = (typeof RETURN_FORMATS)[number];

type ReturnFile = {
  bytes: Bytes;
  format: ReturnFormat;
  encoding: Encoding;
  /** If true, computes the results without writing. */
  isDryRun: boolean;
  maxLines: number;
};

type ReturnFileContext = { auditContext: AuditContext; events: Events };

type LineResult = LineEvaluation & { lineNumber: number; payout: PayoutRow | undefined };

const PARSERS = { csv: parseCsvReturn, cnab240: parseCnab240 };

/**
 * Marks payouts as paid or failed from a return file of the bank. Parses the whole file first, and throws a FileError if it is malformed.
 * Marks each payout in its own transaction. Repeating the same file changes nothing.
 */
export async function applyReturnFile(
  db: Db,
  file: ReturnFile,
  context: ReturnFileContext,
): Promise<LineResult[]> {
  const lines = await parseFile(file);
  const payoutsByKey = await findMatchingPayouts(db, lines);
  const results: LineResult[] = [];
  for (const line of lines) {
    const matches = 'payoutKey' in line ? (payoutsByKey.get(line.payoutKey) ?? []) : [];
    let evaluation = evaluateLine(line, matches);
    const [payout] = matches;
    if (evaluation.finalStatus && payout) {
      // A later line about the same payout is compared with the state after this line.
      if (file.isDryRun) Object.assign(payout, evaluation.finalStatus);
      else evaluation = await markPayout(db, line, payout, context);
    }
    results.push({
      lineNumber: line.lineNumber,
      payout: matches.length === 1 ? payout : undefined,
      ...evaluation,
    });
  }
  if (!file.isDryRun) await recordFile(db, context.auditContext, file, results);
  return results;
}

async function parseFile({ bytes, format, encoding, maxLines }: ReturnFile): Promise<ReturnLine[]> {
  const lines: ReturnLine[] = [];
  for await (const line of PARSERS[format](readLines(bytes, encoding))) {
    lines.push(line);
    if (lines.length > maxLines)
      throw new FileError({
        en: `The file has more than ${maxLines} lines. Send it in parts.`,
        pt: `O arquivo tem mais de ${maxLines} linhas. Envie em partes.`,
      });
  }
  return lines;
}

async function findMatchingPayouts(db: Db, lines: readonly ReturnLine[]): Promise<Map<string, PayoutRow[]>> {
  const keys = new Set(lines.flatMap((line) => ('payoutKey' in line ? [line.payoutKey] : [])));
  // A bank number has 20 characters, and an id 30.
  const plausibleKeys = [...keys].filter((key) => /^[0-9a-z_]{20,30}$/.test(key));
  const payoutsByKey = new Map<string, PayoutRow[]>();
  for (const payout of await listPayoutsByIdOrNumber(db, plausibleKeys)) {
    const bankNumber = payout.id.slice(-20);
    payoutsByKey.set(payout.id, [payout]);
    payoutsByKey.set(bankNumber, [...(payoutsByKey.get(bankNumber) ?? []), payout]);
  }
  return payoutsByKey;
}

/**
 * Locks the payout, evaluates the line again, because the payout may have changed, and marks the payout. Updates `payout` in place, for
 * later lines about it.
 */
async function markPayout(
  db: Db,
  line: ReturnLine,
  payout: PayoutRow,
  { auditContext, events }: ReturnFileContext,
): Promise<LineEvaluation> {
  const { id } = payout;
  const { now } = auditContext;
  const { evaluation, updatedPayout } = await db.transaction(async (tx) => {
    const lockedPayout = (await lockPayout(tx, id))!;
    const newEvaluation = evaluateLine(line, [lockedPayout]);
    const { finalStatus } = newEvaluation;
    const target = { entity: payoutAuditEntity, id };
    if (finalStatus?.status === 'paid')
      await withAuditedUpdate(tx, auditContext, target, () =>
        markPayoutPaid(tx, id, finalStatus.reference, { events, now }),
      );
    if (finalStatus?.status === 'failed') {
      const { reason } = finalStatus;
      await withAuditedUpdate(tx, { ...auditContext, reason }, target, () =>
        markPayoutFailed(tx, id, reason, now),
      );
    }
    return { evaluation: newEvaluation, updatedPayout: { ...lockedPayout, ...finalStatus } };
  });
  Object.assign(payout, updatedPayout);
  return evaluation;
}

type FinalStatus = Extract<ReportedStatus, { status: 'paid' | 'failed' }>;

/** `finalStatus` is set if the payout must be marked as paid or failed. */
type LineEvaluation = { outcome: ReturnLineOutcome; message: Bilingual; finalStatus?: FinalStatus };

const toBadEvaluation = (en: string, pt: string): LineEvaluation => ({ outcome: 'bad', message: { en, pt } });

/** Evaluates a line against the payouts that match its key. Never guesses: a person must check a line that does not match exactly. */
function evaluateLine(line: ReturnLine, payouts: readonly PayoutRow[]): LineEvaluation {
  if ('error' in line) return { outcome: 'bad', message: line.error };
  const { payoutKey, amountCents, report } = line;
  const [payout, ...otherPayouts] = payouts;
  if (!payout)
    return toBadEvaluation(
      `No payout has the id or bank number '${payoutKey}'. Check whether the file belongs to another company.`,
      `Nenhum repasse tem o id ou número '${payoutKey}'. Veja se o arquivo é de outra empresa.`,
    );
  if (otherPayouts.length > 0)
    return toBadEvaluation(
      'More than one payout has this bank number. Mark it manually.',
      'Mais de um repasse tem este número. Marque à mão.',
    );
  if (report.status === 'unclear') return { outcome: 'bad', message: report.message };
  if (amountCents !== undefined && amountCents !== payout.amount_cents)
    return toBadEvaluation(
      `The file says ${formatPlainReais(amountCents)}, but the payout is ${formatPlainReais(payout.amount_cents)}. Ask the bank and mark it manually.`,
      `O arquivo diz ${formatReais(amountCents)}, o repasse é de ${formatReais(payout.amount_cents)}. Pergunte ao banco e marque à mão.`,
    );
  if (report.status === 'pending') return { outcome: 'waiting', message: report.note };
  if (payout.status === 'pending')
    return { outcome: report.status, message: describeFinalStatus(report), finalStatus: report };
  return isRecorded(report, payout)
    ? { outcome: 'already', message: { en: 'Already recorded.', pt: 'Já estava registrado.' } }
    : { outcome: 'bad', message: describeContradiction(report, payout) };
}

const describeFinalStatus = (report: FinalStatus): Bilingual =>
  report.status === 'paid'
    ? {
        en: `Paid by the bank as '${report.reference}'.`,
        pt: `Pago pelo banco como '${report.reference}'.`,
      }
    : {
        en: `Not paid by the bank: ${report.reason}. It is owed again.`,
        pt: `Não pago pelo banco: ${report.reason}. O valor volta a ser devido.`,
      };

/** Two references may mean two payments, so the reference must match. Reasons of a failure may differ. */
const isRecorded = (report: FinalStatus, payout: PayoutRow): boolean =>
  report.status === payout.status && (report.status === 'failed' || report.reference === payout.reference);

function describeContradiction(report: FinalStatus, { status, reference, reason }: PayoutRow): Bilingual {
  if (status === 'failed')
    return {
      en: `It is recorded as failed (${reason}), but the file says that it was paid. It is owed again: ask the bank before it is paid twice.`,
      pt: `Está registrado que falhou (${reason}), e o arquivo diz que foi pago. O valor voltou a ser devido: pergunte ao banco antes que se pague duas vezes.`,
    };
  return report.status === 'paid'
    ? {
        en: `It is recorded as paid as '${reference}', but the file says '${report.reference}'. Ask the bank whether it was paid twice.`,
        pt: `Está registrado como pago com '${reference}', o arquivo diz '${report.reference}'. Pergunte ao banco se foi pago duas vezes.`,
      }
    : {
        en: `It is recorded as paid as '${reference}', but the file says that it failed (${report.reason}). Ask the bank.`,
        pt: `Está registrado como pago com '${reference}', e o arquivo diz que falhou (${report.reason}). Pergunte ao banco.`,
      };
}

/** Records in the audit trail who sent the file, and the count of each outcome. */
async function recordFile(
  db: Db,
  auditContext: AuditContext,
  { format }: ReturnFile,
  results: readonly LineResult[],
): Promise<void> {
  const counts = RETURN_LINE_OUTCOMES.map((outcome) => [
    outcome,
    results.filter((result) => result.outcome === outcome).length,
  ]);
  const entity = { kind: 'payout_return_file', id: auditContext.now.toISOString() };
  await db.transaction((tx) =>
    recordAuditEntry(tx, auditContext, entity, { format, ...Object.fromEntries(counts) }),
  );
}

/** Counts the lines with this outcome, and sums the amounts of their payouts. */
function sumOutcome(
  results: readonly LineResult[],
  outcome: ReturnLineOutcome,
): { lines: number; amount: number } {
  const matchingResults = results.filter((result) => result.outcome === outcome);
  const amounts = matchingResults.map(({ payout }) => cents(payout?.amount_cents ?? 0));
  return { lines: matchingResults.length, amount: toReais(sum(amounts)) };
}

export const renderOutcome = (
  results: readonly LineResult[],
  language: 'en' | 'pt',
): Static<typeof ReturnFileOutcome> => ({
  totals: {
    paid: sumOutcome(results, 'paid'),
    failed: sumOutcome(results, 'failed'),
    already: sumOutcome(results, 'already'),
    waiting: sumOutcome(results, 'waiting'),
    bad: sumOutcome(results, 'bad'),
  },
  data: results.map(({ lineNumber, outcome, payout, message }) => ({
    line: lineNumber,
    outcome,
    payout: payout?.id ?? null,
    merchant: payout?.merchant_slug ?? null,
    amount: payout ? centsToReais(payout.amount_cents) : null,
    message: message[language],
  })),
});
