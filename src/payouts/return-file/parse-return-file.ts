import type { Bilingual } from '#core/values/bilingual.ts';
import { formatPlainReais, formatReais, parseReaisInput } from '#core/values/money.ts';
import { stripFormulaGuards } from '#platform/http/csv.ts';
import { isText } from '#platform/http/formats.ts';
import {
  FileError,
  type NumberedRecord,
  quoteNames,
  readTable,
  refuseDuplicateColumns,
} from '#platform/text-file.ts';

/** The status of a payout according to a line of the bank's file. `unclear`: a person must check it. */
export type ReportedStatus =
  | { status: 'paid'; reference: string }
  | { status: 'failed'; reason: string }
  | { status: 'pending'; note: Bilingual }
  | { status: 'unclear'; message: Bilingual };

/** `payoutKey` is the id or the bank number of the payout, in lower case. */
type PayoutResult = { payoutKey: string; amountCents: number | undefined; report: ReportedStatus };

/** A line about a payout, or the error in the line. */
export type ReturnLine = { lineNumber: number } & (PayoutResult | { error: Bilingual });

const MAX_REFERENCE_LENGTH = 100;
const MAX_REASON_LENGTH = 200;

const toUnclearStatus = (en: string, pt: string): ReportedStatus => ({
  status: 'unclear',
  message: { en, pt },
});

const RECORD_LENGTH = 240;
const CTRL_Z = '\x1a';

/** The positions of fields in FEBRABAN's specification: both ends are included, and the first character is 1. */
const FIELDS = {
  recordType: [8, 8],
  segment: [14, 14],
  payoutNumber: [74, 93],
  amount: [120, 134],
  bankReference: [135, 154],
  direction: [143, 143],
  paidAmount: [163, 177],
  resultCodes: [231, RECORD_LENGTH],
} as const;
const RECORD_TYPES = { fileHeader: '0', detail: '3', fileTrailer: '9' } as const;
const DIRECTION_FROM_BANK = '2';

function readField(record: string, name: keyof typeof FIELDS): string {
  const [first, last] = FIELDS[name];
  return record.slice(first - 1, last).trim();
}

/**
 * Parses a return file of payments in FEBRABAN's CNAB 240 format. Yields one line for each segment A. Accepts records without trailing
 * blanks, which editors remove, and a Ctrl-Z at the end, which some banks add.
 */
export async function* parseCnab240(lines: AsyncIterable<string>): AsyncGenerator<ReturnLine> {
  let lineNumber = 0;
  let lastRecord = '';
  let paymentCount = 0;
  for await (const text of lines) {
    lineNumber++;
    const record = text.replaceAll(CTRL_Z, '').trimEnd();
    if (record === '') continue;
    checkRecord(record, { lineNumber, isFirst: lastRecord === '' });
    lastRecord = record;
    const isSegmentA =
      readField(record, 'recordType') === RECORD_TYPES.detail && readField(record, 'segment') === 'A';
    if (!isSegmentA) continue;
    paymentCount++;
    yield { lineNumber, ...parseSegmentA(record) };
  }
  if (readField(lastRecord, 'recordType') !== RECORD_TYPES.fileTrailer)
    throw new FileError({
      en: 'The file is incomplete: its last record is not the trailer (type 9). Download it from the bank again.',
      pt: 'O arquivo está cortado: o último registro não é o trailer (tipo 9). Baixe de novo no banco.',
    });
  if (paymentCount === 0)
    throw new FileError({
      en: 'The file has no payment (segment A).',
      pt: 'O arquivo não tem pagamento (segmento A).',
    });
}

function checkRecord(
  record: string,
  { lineNumber, isFirst }: { lineNumber: number; isFirst: boolean },
): void {
  // Bank, batch and record type, which is 0 to 5 or 9.
  if (record.length > RECORD_LENGTH || !/^\d{7}[0-59]/.test(record))
    throw new FileError({
      en: `Line ${lineNumber} is not a CNAB 240 record.`,
      pt: `A linha ${lineNumber} não é um registro CNAB 240.`,
    });
  if (!isFirst) return;
  if (readField(record, 'recordType') !== RECORD_TYPES.fileHeader)
    throw new FileError({
      en: 'The file does not start with the CNAB 240 header (type 0).',
      pt: 'O arquivo não começa com o cabeçalho CNAB 240 (tipo 0).',
    });
  if (readField(record, 'direction') !== DIRECTION_FROM_BANK)
    throw new FileError({
      en: 'The file is not a return file of the bank, according to its header (position 143).',
      pt: 'Pelo cabeçalho (posição 143), o arquivo não é um retorno do banco.',
    });
}

function parseSegmentA(record: string): PayoutResult {
  const payoutKey = readField(record, 'payoutNumber').toLowerCase();
  const amountCents = parseCents(readField(record, 'amount'));
  return { payoutKey, amountCents, report: parseReportedStatus(record, amountCents) };
}

function parseReportedStatus(record: string, amountCents: number | undefined): ReportedStatus {
  if (amountCents === undefined)
    return toUnclearStatus('The amount is not a number.', 'O valor não é um número.');
  const bankReference = readField(record, 'bankReference');
  // Banks fill the field with zeros if they have no reference.
  const reference = /^0*$/.test(bankReference) ? '' : bankReference;
  const report = parseResultCodes(readField(record, 'resultCodes'), reference);
  // The paid amount is zero if the bank does not report it.
  const paidCents = parseCents(readField(record, 'paidAmount')) || amountCents;
  if (report.status !== 'paid' || paidCents === amountCents) return report;
  return toUnclearStatus(
    `Of ${formatPlainReais(amountCents)}, ${formatPlainReais(paidCents)} was paid. Ask the bank and mark it manually.`,
    `De ${formatReais(amountCents)}, foram pagos ${formatReais(paidCents)}. Pergunte ao banco e marque à mão.`,
  );
}

const parseCents = (digits: string): number | undefined =>
  /^\d{1,15}$/.test(digits) ? Number(digits) : undefined;

// FEBRABAN's codes for the result of a payment (CNAB 240, field G059).

const PAID_CODES = ['00', '03'];

/** Codes of a payment that the bank has accepted, and whose result it will report later. */
const ACCEPTED_CODES = ['BD', 'BE'];

/** Codes that accompany a result code: paid to another account of the payee, or the payee's name differs. */
const REMARK_CODES = ['ZA', 'ZB'];

/** Codes of a payment that the bank refused. The text is recorded as the reason. */
const REFUSAL_REASONS: Readonly<Record<string, string>> = {
  '01': 'Insuficiência de fundos',
  '02': 'Cancelado pelo pagador',
  AB: 'Tipo de operação inválido',
  AC: 'Tipo de serviço inválido',
  AD: 'Forma de lançamento inválida',
  AE: 'Tipo ou número de inscrição inválido',
  AF: 'Código de convênio inválido',
  AG: 'Agência, conta ou dígito inválido',
  AH: 'Número sequencial do registro inválido',
  AI: 'Código de segmento inválido',
  AJ: 'Tipo de movimento inválido',
  AK: 'Câmara de compensação inválida',
  AL: 'Banco do favorecido inválido',
  AM: 'Agência do favorecido inválida',
  AN: 'Conta do favorecido inválida',
  AO: 'Nome do favorecido não informado',
  AP: 'Data do lançamento inválida',
  AQ: 'Tipo ou quantidade da moeda inválido',
  AR: 'Valor do lançamento inválido',
  AS: 'Aviso ao favorecido inválido',
  AT: 'Inscrição do favorecido inválida',
  AU: 'Logradouro do favorecido não informado',
  AV: 'Número do local do favorecido não informado',
  AW: 'Cidade do favorecido não informada',
  AX: 'CEP do favorecido inválido',
  AY: 'Estado do favorecido inválido',
  AZ: 'Banco depositário inválido',
  BA: 'Agência depositária não informada',
  BG: 'Agência ou conta impedida legalmente',
  HB: 'Inscrição da empresa inválida para o contrato',
  HC: 'Convênio inexistente ou inválido para o contrato',
  HD: 'Conta da empresa inválida para o contrato',
  HE: 'Tipo de serviço inválido para o contrato',
  HF: 'Conta da empresa com saldo insuficiente',
  H4: 'Crédito não pago',
  PA: 'Pix não efetivado',
  PB: 'Erro no PSP do recebedor',
  PC: 'Conta do recebedor encerrada',
  PD: 'Tipo incorreto para a conta do recebedor',
  PE: 'Transação não autorizada na conta do recebedor',
  PF: 'CPF ou CNPJ não é do titular da conta',
  PG: 'CPF ou CNPJ do recebedor incorreto',
  PH: 'Ordem rejeitada pelo PSP do recebedor',
  PI: 'ISPB do pagador inválido',
  PJ: 'Chave Pix não cadastrada no DICT',
  PK: 'QR Code inválido ou vencido',
  PL: 'Forma de iniciação inválida',
  PM: 'Chave Pix inválida',
  PN: 'Chave Pix não informada',
};

/**
 * Parses up to five result codes of two characters each. A failed payout is paid again, so only codes that certainly mean failure set the
 * status to failed. A person must check the codes BF (withdrawn by the company), AA, BB, HA and HG (perhaps sent twice), and codes that
 * banks define themselves.
 */
function parseResultCodes(field: string, reference: string): ReportedStatus {
  const codes = (field.match(/.{1,2}/g) ?? []).map((code) => code.trim()).filter((code) => code !== '');
  const resultCodes = codes.filter((code) => !REMARK_CODES.includes(code));
  const allCodes = codes.join(' ');
  if (resultCodes.length === 0)
    return toUnclearStatus(
      'The record has no code for the result. Ask the bank.',
      'O registro não tem código que diga o que houve. Pergunte ao banco.',
    );
  if (resultCodes.every((code) => PAID_CODES.includes(code)))
    return reference === ''
      ? toUnclearStatus(
          'Paid, but without a reference of the bank. Mark it manually, with the reference of the bank.',
          'Pago, mas sem o número do banco. Marque à mão, com o comprovante do banco.',
        )
      : { status: 'paid', reference };
  if (resultCodes.every((code) => ACCEPTED_CODES.includes(code)))
    return {
      status: 'pending',
      note: {
        en: `The bank has accepted it (${allCodes}), but not paid yet.`,
        pt: `O banco recebeu (${allCodes}) e ainda não pagou.`,
      },
    };
  if (resultCodes.every((code) => Object.hasOwn(REFUSAL_REASONS, code))) {
    const reason = resultCodes.map((code) => `${code} ${REFUSAL_REASONS[code]}`).join('; ');
    return { status: 'failed', reason: reason.slice(0, MAX_REASON_LENGTH) };
  }
  return toUnclearStatus(
    `The meaning of ${allCodes} is not certain. Ask the bank and mark it manually.`,
    `Não é certo o que ${allCodes} diz do pagamento. Pergunte ao banco e marque à mão.`,
  );
}

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

/** Parses the CSV list of payouts, with English or Portuguese headings, completed by the bank or by a person. Ignores other columns. */
export async function* parseCsvReturn(lines: AsyncIterable<string>): AsyncGenerator<ReturnLine> {
  for await (const numberedRecord of readTable(lines, { readHeading, hint: HINT }))
    yield parseRecord(numberedRecord);
}

function readHeading(cells: string[]): string[] {
  const headings = cells.map((cell) => cell.trim().toLowerCase());
  const columnNames = headings.map((heading) => PORTUGUESE_HEADINGS[heading] ?? heading);
  refuseDuplicateColumns(columnNames.filter((name) => COLUMNS.includes(name)));
  const missingColumns = [
    ...(columnNames.includes('id') || columnNames.includes('bank_number') ? [] : ['id']),
    ...(columnNames.includes('status') ? [] : ['status']),
  ];
  if (missingColumns.length === 0) return columnNames;
  throw new FileError({
    en: `The first line is missing ${quoteNames(missingColumns)}. ${HINT.en}`,
    pt: `Falta na primeira linha: ${quoteNames(missingColumns)}. ${HINT.pt}`,
  });
}

function parseRecord(numberedRecord: NumberedRecord): ReturnLine {
  const { line: lineNumber } = numberedRecord;
  if ('error' in numberedRecord) return { lineNumber, error: numberedRecord.error };
  const { record } = numberedRecord;
  const getCell = (name: string) => stripFormulaGuards(String(record[name] ?? '').trim());
  const payoutKey = (getCell('id') || getCell('bank_number')).toLowerCase();
  const amount = getCell('amount');
  const amountCents = parseReaisInput(amount) ?? undefined;
  const hasInvalidAmount = amount !== '' && amountCents === undefined;
  const report = hasInvalidAmount
    ? toUnclearStatus(`'${amount}' is not an amount.`, `'${amount}' não é um valor.`)
    : parseStatus(getCell);
  return { lineNumber, payoutKey, amountCents, report };
}

const STATUS_WORDS: Readonly<Record<'paid' | 'failed' | 'pending', readonly string[]>> = {
  paid: ['paid', 'pago', 'paga'],
  failed: ['failed', 'falhou', 'recusado', 'rejeitado'],
  pending: ['', 'pending', 'pendente', 'agendado', 'a pagar'],
};

function parseStatus(getCell: (name: string) => string): ReportedStatus {
  const status = getCell('status');
  const hasStatus = (word: keyof typeof STATUS_WORDS) => STATUS_WORDS[word].includes(status.toLowerCase());
  if (hasStatus('paid')) {
    const reference = getCell('reference');
    if (isText(reference) && reference.length <= MAX_REFERENCE_LENGTH) return { status: 'paid', reference };
    return toUnclearStatus(
      `Paid, but without a reference of the bank (1 to ${MAX_REFERENCE_LENGTH} characters).`,
      `Pago, mas sem um comprovante do banco (reference) de 1 a ${MAX_REFERENCE_LENGTH} caracteres.`,
    );
  }
  if (hasStatus('failed')) {
    const reason = getCell('reason');
    if (isText(reason) && reason.length <= MAX_REASON_LENGTH) return { status: 'failed', reason };
    return toUnclearStatus(
      `Failed, but without a reason (1 to ${MAX_REASON_LENGTH} characters).`,
      `Falhou, mas sem um motivo (reason) de 1 a ${MAX_REASON_LENGTH} caracteres.`,
    );
  }
  if (hasStatus('pending'))
    return {
      status: 'pending',
      note: { en: 'The file has no result yet.', pt: 'O arquivo ainda não diz o resultado.' },
    };
  return toUnclearStatus(
    `The status is '${status}'; it must be paid, failed or pending.`,
    `O status é '${status}'; deve ser pago, falhou ou pendente.`,
  );
}
