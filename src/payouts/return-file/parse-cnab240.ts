import { formatPlainReais, formatReais } from '#core/values/money.ts';
import { FileError } from '#platform/files/read-lines.ts';
import { parseOccurrences } from './occurrences.ts';
import { type PayoutResult, type ReturnLine, unclearStatus } from './return-line.ts';

const RECORD_LENGTH = 240;
const CTRL_Z = '\x1a';

/** Field positions as in FEBRABAN's specification: both ends are included, and the first character is 1. */
const readField = (record: string, from: number, to: number): string => record.slice(from - 1, to).trim();

const readRecordType = (record: string): string => readField(record, 8, 8);

/**
 * Parses a return file of payments in FEBRABAN's CNAB 240 format: one line for each segment A. Accepts records without trailing blanks,
 * which editors remove, and a Ctrl-Z at the end, which some banks add.
 */
export async function* parseCnab240(lines: AsyncIterable<string>): AsyncGenerator<ReturnLine> {
  let line = 0;
  let lastRecord = '';
  let payments = 0;
  for await (const text of lines) {
    line++;
    const record = text.replaceAll(CTRL_Z, '').trimEnd();
    if (record === '') continue;
    checkRecord(record, { line, isFirst: lastRecord === '' });
    lastRecord = record;
    if (readRecordType(record) !== '3' || readField(record, 14, 14) !== 'A') continue;
    payments++;
    yield { line, ...parseSegmentA(record) };
  }
  if (readRecordType(lastRecord) !== '9')
    throw new FileError({
      en: 'The file is incomplete: its last record is not the trailer (type 9). Download it from the bank again.',
      pt: 'O arquivo está cortado: o último registro não é o trailer (tipo 9). Baixe de novo no banco.',
    });
  if (payments === 0)
    throw new FileError({
      en: 'The file has no payment (segment A).',
      pt: 'O arquivo não tem pagamento (segmento A).',
    });
}

function checkRecord(record: string, { line, isFirst }: { line: number; isFirst: boolean }): void {
  if (record.length > RECORD_LENGTH || !/^\d{7}[0-59]/.test(record))
    throw new FileError({
      en: `Line ${line} is not a CNAB 240 record.`,
      pt: `A linha ${line} não é um registro CNAB 240.`,
    });
  if (!isFirst) return;
  if (readRecordType(record) !== '0')
    throw new FileError({
      en: 'The file does not start with the CNAB 240 header (type 0).',
      pt: 'O arquivo não começa com o cabeçalho CNAB 240 (tipo 0).',
    });
  if (readField(record, 143, 143) !== '2')
    throw new FileError({
      en: 'The file is not a return file of the bank, according to its header (position 143).',
      pt: 'Pelo cabeçalho (posição 143), o arquivo não é um retorno do banco.',
    });
}

function parseSegmentA(record: string): PayoutResult {
  const payoutKey = readField(record, 74, 93).toLowerCase();
  const amountCents = parseCents(readField(record, 120, 134));
  const bankReference = readField(record, 135, 154);
  // Zero if the bank does not report it.
  const paidCents = parseCents(readField(record, 163, 177)) || amountCents;
  const reported = parseOccurrences(
    readField(record, 231, RECORD_LENGTH),
    /^0*$/.test(bankReference) ? '' : bankReference,
  );
  if (amountCents === undefined)
    return {
      payoutKey,
      amountCents,
      reported: unclearStatus('The amount is not a number.', 'O valor não é um número.'),
    };
  if (reported.status !== 'paid' || paidCents === amountCents) return { payoutKey, amountCents, reported };
  return {
    payoutKey,
    amountCents,
    reported: unclearStatus(
      `Of ${formatPlainReais(amountCents)}, ${formatPlainReais(paidCents!)} was paid. Ask the bank and mark it manually.`,
      `De ${formatReais(amountCents)}, foram pagos ${formatReais(paidCents!)}. Pergunte ao banco e marque à mão.`,
    ),
  };
}

const parseCents = (digits: string): number | undefined =>
  /^\d{1,15}$/.test(digits) ? Number(digits) : undefined;
