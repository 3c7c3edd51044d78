import type { Bilingual } from '#core/values/bilingual.ts';
import { parseReaisInput } from '#core/values/money.ts';
import {
  type NumberedRecord,
  quoteNames,
  readTable,
  refuseDuplicateColumns,
} from '#platform/files/read-csv.ts';
import { FileError } from '#platform/files/read-lines.ts';
import { stripFormulaGuards } from '#platform/http/csv.ts';
import { isText } from '#platform/http/formats.ts';
import {
  MAX_REASON_LENGTH,
  MAX_REFERENCE_LENGTH,
  type ReportedStatus,
  type ReturnLine,
  unclearStatus,
} from './evaluate-line.ts';

const COLUMNS = ['id', 'bank_number', 'status', 'amount', 'reference', 'reason'];

/** The headings of CSV files from the back office. */
const PORTUGUESE_HEADINGS: Readonly<Record<string, string>> = {
  repasse: 'id',
  'número no banco': 'bank_number',
  situação: 'status',
  valor: 'amount',
  referência: 'reference',
  motivo: 'reason',
};

const HINT: Bilingual = {
  en: 'A CSV file is the list of payouts with their results: id or bank_number, status, reference, reason and, optionally, amount.',
  pt: 'Um arquivo CSV é a lista de repasses com o que houve: Repasse ou Número no banco, Situação, Referência, Motivo e, se quiser, Valor.',
};

/** Parses the CSV list of payouts, in either dialect, filled in by the bank or by a person. Ignores other columns. */
export async function* parseCsvReturn(lines: AsyncIterable<string>): AsyncGenerator<ReturnLine> {
  for await (const numberedRecord of readTable(lines, { readHeading, hint: HINT }))
    yield parseRecord(numberedRecord);
}

function readHeading(cells: string[]): string[] {
  const headings = cells.map((name) => name.trim().toLowerCase());
  const names = headings.map((name) => PORTUGUESE_HEADINGS[name] ?? name);
  refuseDuplicateColumns(names.filter((name) => COLUMNS.includes(name)));
  const missing = [
    ...(names.includes('id') || names.includes('bank_number') ? [] : ['id']),
    ...(names.includes('status') ? [] : ['status']),
  ];
  if (missing.length === 0) return names;
  throw new FileError({
    en: `The first line is missing ${quoteNames(missing)}. ${HINT.en}`,
    pt: `Falta na primeira linha: ${quoteNames(missing)}. ${HINT.pt}`,
  });
}

function parseRecord(numberedRecord: NumberedRecord): ReturnLine {
  if ('fault' in numberedRecord) return numberedRecord;
  const { line, record } = numberedRecord;
  const cell = (name: string) => stripFormulaGuards(String(record[name] ?? '').trim());
  const payoutKey = (cell('id') || cell('bank_number')).toLowerCase();
  const amount = cell('amount');
  const amountCents = parseReaisInput(amount) ?? undefined;
  if (amount !== '' && amountCents === undefined)
    return {
      line,
      payoutKey,
      amountCents,
      reported: unclearStatus(`'${amount}' is not an amount.`, `'${amount}' não é um valor.`),
    };
  return { line, payoutKey, amountCents, reported: parseStatus(cell) };
}

const STATUS_WORDS: Readonly<Record<'paid' | 'failed' | 'pending', readonly string[]>> = {
  paid: ['paid', 'pago', 'paga'],
  failed: ['failed', 'falhou', 'recusado', 'rejeitado'],
  pending: ['', 'pending', 'pendente', 'agendado', 'a pagar'],
};

function parseStatus(cell: (name: string) => string): ReportedStatus {
  const status = cell('status');
  const hasStatus = (word: keyof typeof STATUS_WORDS) => STATUS_WORDS[word].includes(status.toLowerCase());
  if (hasStatus('paid')) {
    const reference = cell('reference');
    if (isText(reference) && reference.length <= MAX_REFERENCE_LENGTH) return { status: 'paid', reference };
    return unclearStatus(
      `Paid, but without a reference of the bank (1 to ${MAX_REFERENCE_LENGTH} characters).`,
      `Pago, mas sem um comprovante do banco (reference) de 1 a ${MAX_REFERENCE_LENGTH} caracteres.`,
    );
  }
  if (hasStatus('failed')) {
    const reason = cell('reason');
    if (isText(reason) && reason.length <= MAX_REASON_LENGTH) return { status: 'failed', reason };
    return unclearStatus(
      `Failed, but without a reason (1 to ${MAX_REASON_LENGTH} characters).`,
      `Falhou, mas sem um motivo (reason) de 1 a ${MAX_REASON_LENGTH} caracteres.`,
    );
  }
  if (hasStatus('pending'))
    return {
      status: 'pending',
      note: { en: 'The file has no result yet.', pt: 'O arquivo ainda não diz o resultado.' },
    };
  return unclearStatus(
    `The status is '${status}'; it must be paid, failed or pending.`,
    `O status é '${status}'; deve ser pago, falhou ou pendente.`,
  );
}
