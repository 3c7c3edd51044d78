import type { Bilingual } from '#core/values/bilingual.ts';
import { formatPlainReais, formatReais } from '#core/values/money.ts';
import type { LineOutcome } from '../schemas.ts';
import type { PayoutRow } from '../store.ts';

/** The status of a payout according to a line of the bank's file. `unclear`: a person must check it. */
export type ReportedStatus =
  | { status: 'paid'; reference: string }
  | { status: 'failed'; reason: string }
  | { status: 'pending'; note: Bilingual }
  | { status: 'unclear'; message: Bilingual };

/** `payoutKey` is the id or the bank number of the payout, in lower case. */
export type PayoutResult = { payoutKey: string; amountCents: number | undefined; reported: ReportedStatus };

/** A line about a payout, or the error in the line. */
export type ReturnLine = { line: number } & (PayoutResult | { fault: Bilingual });

export const MAX_REFERENCE_LENGTH = 100;
export const MAX_REASON_LENGTH = 200;

export const toUnclearStatus = (en: string, pt: string): ReportedStatus => ({
  status: 'unclear',
  message: { en, pt },
});

type FinalStatus = Extract<ReportedStatus, { status: 'paid' | 'failed' }>;

/** `finalStatus` is set if the payout must be marked as paid or failed. */
export type LineEvaluation = { outcome: LineOutcome; message: Bilingual; finalStatus?: FinalStatus };

const rejectLine = (en: string, pt: string): LineEvaluation => ({ outcome: 'bad', message: { en, pt } });

/** Evaluates a line against the payouts that match its key. Never guesses: a person must check a line that does not match exactly. */
export function evaluateLine(line: ReturnLine, payouts: readonly PayoutRow[]): LineEvaluation {
  if ('fault' in line) return { outcome: 'bad', message: line.fault };
  const { payoutKey, amountCents, reported } = line;
  const [payout, ...otherPayouts] = payouts;
  if (!payout)
    return rejectLine(
      `No payout has the id or bank number '${payoutKey}'. Check whether the file belongs to another company.`,
      `Nenhum repasse tem o id ou número '${payoutKey}'. Veja se o arquivo é de outra empresa.`,
    );
  if (otherPayouts.length > 0)
    return rejectLine(
      'More than one payout has this bank number. Mark it manually.',
      'Mais de um repasse tem este número. Marque à mão.',
    );
  if (reported.status === 'unclear') return { outcome: 'bad', message: reported.message };
  if (amountCents !== undefined && amountCents !== payout.amount_cents)
    return rejectLine(
      `The file says ${formatPlainReais(amountCents)}, but the payout is ${formatPlainReais(payout.amount_cents)}. Ask the bank and mark it manually.`,
      `O arquivo diz ${formatReais(amountCents)}, o repasse é de ${formatReais(payout.amount_cents)}. Pergunte ao banco e marque à mão.`,
    );
  if (reported.status === 'pending') return { outcome: 'waiting', message: reported.note };
  if (payout.status === 'pending')
    return { outcome: reported.status, message: describeFinalStatus(reported), finalStatus: reported };
  return isRecorded(reported, payout)
    ? { outcome: 'already', message: { en: 'Already recorded.', pt: 'Já estava registrado.' } }
    : { outcome: 'bad', message: describeContradiction(reported, payout) };
}

const describeFinalStatus = (reported: FinalStatus): Bilingual =>
  reported.status === 'paid'
    ? {
        en: `Paid by the bank as '${reported.reference}'.`,
        pt: `Pago pelo banco como '${reported.reference}'.`,
      }
    : {
        en: `Not paid by the bank: ${reported.reason}. It is owed again.`,
        pt: `Não pago pelo banco: ${reported.reason}. O valor volta a ser devido.`,
      };

/** Two references may mean two payments, so the reference must match. Reasons of a failure may differ. */
const isRecorded = (reported: FinalStatus, payout: PayoutRow): boolean =>
  reported.status === payout.status &&
  (reported.status === 'failed' || reported.reference === payout.reference);

function describeContradiction(reported: FinalStatus, { status, reference, reason }: PayoutRow): Bilingual {
  if (status === 'failed')
    return {
      en: `It is recorded as failed (${reason}), but the file says that it was paid. It is owed again: ask the bank before it is paid twice.`,
      pt: `Está registrado que falhou (${reason}), e o arquivo diz que foi pago. O valor voltou a ser devido: pergunte ao banco antes que se pague duas vezes.`,
    };
  return reported.status === 'paid'
    ? {
        en: `It is recorded as paid as '${reference}', but the file says '${reported.reference}'. Ask the bank whether it was paid twice.`,
        pt: `Está registrado como pago com '${reference}', o arquivo diz '${reported.reference}'. Pergunte ao banco se foi pago duas vezes.`,
      }
    : {
        en: `It is recorded as paid as '${reference}', but the file says that it failed (${reported.reason}). Ask the bank.`,
        pt: `Está registrado como pago com '${reference}', e o arquivo diz que falhou (${reported.reason}). Pergunte ao banco.`,
      };
}
