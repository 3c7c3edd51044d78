import type { Bilingual } from '#core/bilingual.ts';
import { readReais } from '#core/money.ts';
import { type NumberedRecord, quoted, readTable, refuseDoubled } from '#platform/files/read-csv.ts';
import { FileFault } from '#platform/files/read-lines.ts';
import { withoutApostrophes } from '#platform/http/csv.ts';
import { isText } from '#platform/http/formats.ts';
import { MOST_REASON, MOST_REFERENCE, type ReturnLine, type Says, unclear } from './return-line.ts';

const COLUMNS = ['id', 'bank_number', 'status', 'amount', 'reference', 'reason'];

/** What files of the back office call them. */
const IN_PORTUGUESE: Readonly<Record<string, string>> = {
  repasse: 'id',
  'número no banco': 'bank_number',
  situação: 'status',
  valor: 'amount',
  referência: 'reference',
  motivo: 'reason',
};

const HINT: Bilingual = {
  en: 'A CSV file is the list of payouts with what became of them: id or bank_number, status, reference, reason and, as you like, amount.',
  pt: 'Um arquivo CSV é a lista de repasses com o que houve: Repasse ou Número no banco, Situação, Referência, Motivo e, se quiser, Valor.',
};

/** The list of payouts as the service writes it, in either style, filled in by the bank or by a person. Other columns are ignored. */
export async function* readCsvReturn(lines: AsyncIterable<string>): AsyncGenerator<ReturnLine> {
  for await (const numbered of readTable(lines, { readHeading, hint: HINT })) yield readRecord(numbered);
}

function readHeading(cells: string[]): string[] {
  const given = cells.map((name) => name.trim().toLowerCase());
  const names = given.map((name) => IN_PORTUGUESE[name] ?? name);
  refuseDoubled(names.filter((name) => COLUMNS.includes(name)));
  const missing = [
    ...(names.includes('id') || names.includes('bank_number') ? [] : ['id']),
    ...(names.includes('status') ? [] : ['status']),
  ];
  if (missing.length === 0) return names;
  throw new FileFault({
    en: `The first line lacks ${quoted(missing)}. ${HINT.en}`,
    pt: `Falta na primeira linha: ${quoted(missing)}. ${HINT.pt}`,
  });
}

function readRecord(numbered: NumberedRecord): ReturnLine {
  if ('fault' in numbered) return numbered;
  const { line, record } = numbered;
  const cell = (name: string) => withoutApostrophes(String(record[name] ?? '').trim());
  const name = (cell('id') || cell('bank_number')).toLowerCase();
  const amount = cell('amount');
  const amountCents = readReais(amount) ?? undefined;
  if (amount !== '' && amountCents === undefined)
    return {
      line,
      name,
      amountCents,
      says: unclear(`'${amount}' is no amount.`, `'${amount}' não é um valor.`),
    };
  return { line, name, amountCents, says: readStatus(cell) };
}

const STATUS_WORDS: Readonly<Record<'paid' | 'failed' | 'pending', readonly string[]>> = {
  paid: ['paid', 'pago', 'paga'],
  failed: ['failed', 'falhou', 'recusado', 'rejeitado'],
  pending: ['', 'pending', 'pendente', 'agendado', 'a pagar'],
};

function readStatus(cell: (name: string) => string): Says {
  const status = cell('status');
  const is = (word: keyof typeof STATUS_WORDS) => STATUS_WORDS[word].includes(status.toLowerCase());
  if (is('paid')) {
    const reference = cell('reference');
    if (isText(reference) && reference.length <= MOST_REFERENCE) return { status: 'paid', reference };
    return unclear(
      `Paid, but without a reference of the bank of 1 to ${MOST_REFERENCE} characters.`,
      `Pago, mas sem um comprovante do banco (reference) de 1 a ${MOST_REFERENCE} caracteres.`,
    );
  }
  if (is('failed')) {
    const reason = cell('reason');
    if (isText(reason) && reason.length <= MOST_REASON) return { status: 'failed', reason };
    return unclear(
      `Failed, but without a reason of 1 to ${MOST_REASON} characters.`,
      `Falhou, mas sem um motivo (reason) de 1 a ${MOST_REASON} caracteres.`,
    );
  }
  if (is('pending'))
    return {
      status: 'pending',
      note: { en: 'The file says of no outcome yet.', pt: 'O arquivo ainda não diz o resultado.' },
    };
  return unclear(
    `The status is '${status}'; it is paid, failed or pending.`,
    `O status é '${status}'; deve ser pago, falhou ou pendente.`,
  );
}
