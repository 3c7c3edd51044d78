import { inReais, spokenReais } from '#core/money.ts';
import { FileFault } from '#platform/files/read-lines.ts';
import { readOccurrences } from './occurrences.ts';
import { type PayoutResult, type ReturnLine, unclear } from './return-line.ts';

const LENGTH = 240;
const CTRL_Z = '\x1a';

/** Fields as FEBRABAN numbers them: from and to this character, the first is 1. */
const field = (record: string, from: number, to: number): string => record.slice(from - 1, to).trim();

const recordType = (record: string): string => field(record, 8, 8);

/**
 * A return file of payments by FEBRABAN's CNAB 240: what became of each segment A. Editors cut blanks at the end of a line, and
 * some banks end the file with a Ctrl-Z.
 */
export async function* readCnab240(lines: AsyncIterable<string>): AsyncGenerator<ReturnLine> {
  let line = 0;
  let last = '';
  let payments = 0;
  for await (const text of lines) {
    line++;
    const record = text.replaceAll(CTRL_Z, '').trimEnd();
    if (record === '') continue;
    checkRecord(record, line, last === '');
    last = record;
    if (recordType(record) !== '3' || field(record, 14, 14) !== 'A') continue;
    payments++;
    yield { line, ...readSegmentA(record) };
  }
  if (recordType(last) !== '9')
    throw new FileFault({
      en: 'The file is cut off: its last record is no trailer (type 9). Get it from the bank again.',
      pt: 'O arquivo está cortado: o último registro não é o trailer (tipo 9). Baixe de novo no banco.',
    });
  if (payments === 0)
    throw new FileFault({
      en: 'The file has no payment (segment A).',
      pt: 'O arquivo não tem pagamento (segmento A).',
    });
}

function checkRecord(record: string, line: number, isFirst: boolean): void {
  if (record.length > LENGTH || !/^\d{7}[0-59]/.test(record))
    throw new FileFault({
      en: `Line ${line} is no record of CNAB 240.`,
      pt: `A linha ${line} não é um registro CNAB 240.`,
    });
  if (!isFirst) return;
  if (recordType(record) !== '0')
    throw new FileFault({
      en: 'The file does not begin with the header of CNAB 240 (type 0).',
      pt: 'O arquivo não começa com o cabeçalho CNAB 240 (tipo 0).',
    });
  if (field(record, 143, 143) !== '2')
    throw new FileFault({
      en: 'The file is not what the bank returned, by its header (position 143).',
      pt: 'Pelo cabeçalho (posição 143), o arquivo não é um retorno do banco.',
    });
}

function readSegmentA(record: string): PayoutResult {
  const name = field(record, 74, 93).toLowerCase();
  const amountCents = readCents(field(record, 120, 134));
  const number = field(record, 135, 154);
  // Zero where the bank does not tell it.
  const paidCents = readCents(field(record, 163, 177)) || amountCents;
  const says = readOccurrences(field(record, 231, LENGTH), /^0*$/.test(number) ? '' : number);
  if (amountCents === undefined)
    return { name, amountCents, says: unclear('Its value is no number.', 'O valor não é um número.') };
  if (says.status !== 'paid' || paidCents === amountCents) return { name, amountCents, says };
  return {
    name,
    amountCents,
    says: unclear(
      `Of ${inReais(amountCents)}, ${inReais(paidCents!)} was paid. Ask the bank, and mark it by hand.`,
      `De ${spokenReais(amountCents)}, foram pagos ${spokenReais(paidCents!)}. Pergunte ao banco e marque à mão.`,
    ),
  };
}

const readCents = (digits: string): number | undefined =>
  /^\d{1,15}$/.test(digits) ? Number(digits) : undefined;
