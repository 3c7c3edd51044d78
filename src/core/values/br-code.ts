import { type Cents, parseReaisText, toReaisText } from './money.ts';
import { readTlv, type Tlv, type TlvError, writeTlv } from './tlv.ts';

/** The payment target: a Pix key, the location of a charge, or none yet for the first consent of a recurrence. */
type PixTarget =
  | {
      readonly kind: 'static';
      readonly key: string;
      readonly info?: string;
      /** The bank that hands out the cash of a Pix Saque. */
      readonly withdrawalIspb?: string;
    }
  | { readonly kind: 'dynamic'; readonly location: string }
  | { readonly kind: 'recurrence' };

export type BrCode = {
  readonly target: PixTarget;
  /** Field 01: a code with '12' can be paid once; with '11' or without the field, repeatedly. */
  readonly initiation?: '11' | '12';
  /** Field 52; the default is '0000'. */
  readonly merchantCategory?: string;
  /** Field 54. Payers' banks ignore it in a dynamic code, whose charge has the amount. */
  readonly amount?: Cents;
  readonly merchantName: string;
  readonly merchantCity: string;
  readonly postalCode?: string;
  /** Field 62-05; the default is '***'. In a dynamic code the charge has the real txid. */
  readonly txid?: string;
  /** Field 80: the recurrence (Pix Automático) offered along with the payment. */
  readonly recurrenceLocation?: string;
};

export type BrCodeError = {
  readonly ok: false;
  readonly reason: TlvError['reason'] | 'not_ascii' | 'bad_crc' | 'not_pix' | 'missing_field' | 'bad_field';
  readonly detail: string;
};

/** `fields`: the fields as written, without the CRC. `encodeFields` reproduces even codes of other issuers from them unchanged. */
type DecodedBrCode = { readonly ok: true; readonly code: BrCode; readonly fields: readonly Tlv[] };

const PIX_IDENTIFIER = 'br.gov.bcb.pix';

/** Encodes the code as text. Name and city are truncated to fit; any other value that does not fit is a bug and throws. */
export function encodeBrCode(code: BrCode): string {
  const { target, txid = '***', recurrenceLocation } = code;
  const toOptionalField = (id: string, value: string | undefined): Tlv[] =>
    value === undefined ? [] : [{ id, value }];
  const account: Tlv[] = [{ id: '00', value: PIX_IDENTIFIER }];
  if (target.kind === 'static') {
    account.push({ id: '01', value: requireMatch('key', target.key, /^[\x21-\x7e]{1,77}$/) });
    account.push(
      ...toOptionalField('02', target.info && toAscii(target.info)),
      ...toOptionalField('03', target.withdrawalIspb),
    );
  } else if (target.kind === 'dynamic') {
    account.push({ id: '25', value: removeScheme(target.location) });
  }
  return encodeFields([
    { id: '00', value: '01' }, // the version of the format
    ...toOptionalField('01', code.initiation),
    { id: '26', value: writeTlv(account) },
    { id: '52', value: requireMatch('merchant category', code.merchantCategory ?? '0000', /^\d{4}$/) },
    { id: '53', value: '986' }, // the currency: BRL
    ...toOptionalField('54', code.amount === undefined ? undefined : toReaisText(code.amount)),
    { id: '58', value: 'BR' },
    { id: '59', value: truncate('merchant name', code.merchantName, 25) },
    { id: '60', value: truncate('merchant city', code.merchantCity, 15) },
    ...toOptionalField(
      '61',
      code.postalCode && requireMatch('postal code', code.postalCode, /^[\x21-\x7e]{1,10}$/),
    ),
    {
      id: '62',
      value: writeTlv([{ id: '05', value: requireMatch('txid', txid, /^([a-zA-Z0-9]{1,25}|\*\*\*)$/) }]),
    },
    ...toOptionalField(
      '80',
      recurrenceLocation &&
        writeTlv([
          { id: '00', value: PIX_IDENTIFIER },
          { id: '25', value: removeScheme(recurrenceLocation) },
        ]),
    ),
  ]);
}

/** Writes fields unchanged and adds the CRC, which covers everything up to and including its own "6304". */
export function encodeFields(fields: readonly Tlv[]): string {
  const codeWithoutCrc = `${writeTlv(fields)}6304`;
  return codeWithoutCrc + crc16(codeWithoutCrc);
}

/** Parses a code, or returns an error. Checks its structure first, then its CRC, then the rules of Pix. */
export function decodeBrCode(text: string): DecodedBrCode | BrCodeError {
  if (!/^[\x20-\x7e]*$/.test(text))
    return toError('not_ascii', 'a BR Code holds printable ASCII characters only');
  const allFields = readTlv(text);
  if (!Array.isArray(allFields)) return { ok: false, ...allFields };
  const crcIndex = allFields.findIndex(({ id }) => id === '63');
  if (crcIndex === -1) return toError('truncated', 'ends without a CRC (field 63)');
  if (crcIndex !== allFields.length - 1) return toError('length_mismatch', 'text follows the CRC (field 63)');
  const expectedCrc = crc16(text.slice(0, -4));
  const crc = allFields[crcIndex]?.value ?? '';
  if (crc.length !== 4) return toError('length_mismatch', `the CRC has ${crc.length} characters, not 4`);
  if (crc.toUpperCase() !== expectedCrc)
    return toError('bad_crc', `the CRC is ${crc}, the text gives ${expectedCrc}`);
  const fields = allFields.slice(0, -1);
  try {
    return { ok: true, code: interpretFields(fields), fields };
  } catch (error) {
    if (error instanceof DecodingAbort) return error.result;
    throw error;
  }
}

function interpretFields(fields: readonly Tlv[]): BrCode {
  const root = indexById(fields);
  const account = findPixTemplate(root, 26, 51);
  if (!account) throw new DecodingAbort('not_pix', `no field 26 to 51 names ${PIX_IDENTIFIER}`);
  requireField(root, '00', /^01$/);
  const initiation = root.has('01') ? (requireField(root, '01', /^1[12]$/) as '11' | '12') : undefined;
  requireField(root, '53', /^986$/);
  requireField(root, '58', /^BR$/);
  const additionalFields = indexById(readNested('62', requireField(root, '62', /./)), '62');
  const target = parseTarget(account);
  const recurrenceLocation = findPixTemplate(root, 80, 99)?.get('25');
  if (target.kind === 'recurrence' && recurrenceLocation === undefined) {
    throw new DecodingAbort('missing_field', 'neither a key (26-01) nor a location (26-25 or 80-25)');
  }
  const amount = root.has('54') ? parseReaisText(requireField(root, '54', /^\d{1,10}\.\d{2}$/)) : null;
  const postalCode = root.get('61');
  return {
    target,
    ...(initiation && { initiation }),
    merchantCategory: requireField(root, '52', /^\d{4}$/),
    ...(amount !== null && { amount }),
    merchantName: requireField(root, '59', /./),
    merchantCity: requireField(root, '60', /./),
    ...(postalCode !== undefined && { postalCode }),
    txid: requireField(additionalFields, '05', /./, '62-05'),
    ...(recurrenceLocation !== undefined && { recurrenceLocation }),
  };
}

function parseTarget(account: ReadonlyMap<string, string>): PixTarget {
  const key = account.get('01');
  const location = account.get('25');
  if (key !== undefined && location !== undefined)
    throw new DecodingAbort('bad_field', 'both a key (26-01) and a location (26-25)');
  if (location !== undefined) return { kind: 'dynamic', location };
  if (key === undefined) return { kind: 'recurrence' };
  const info = account.get('02');
  const withdrawalIspb = account.get('03');
  return {
    kind: 'static',
    key,
    ...(info !== undefined && { info }),
    ...(withdrawalIspb !== undefined && { withdrawalIspb }),
  };
}

/** Finds the first template (a field that contains fields) with the Pix identifier, in any case, whose id is in the range. */
function findPixTemplate(
  root: ReadonlyMap<string, string>,
  from: number,
  to: number,
): Map<string, string> | undefined {
  for (const [id, value] of root) {
    if (Number(id) < from || Number(id) > to || !/^0014br\.gov\.bcb\.pix/i.test(value)) continue;
    return indexById(readNested(id, value), id);
  }
  return undefined;
}

function readNested(id: string, value: string): Tlv[] {
  const nestedFields = readTlv(value, id);
  if (!Array.isArray(nestedFields)) throw new DecodingAbort(nestedFields.reason, nestedFields.detail);
  return nestedFields;
}

function indexById(fields: readonly Tlv[], parent?: string): Map<string, string> {
  const valuesById = new Map<string, string>();
  for (const { id, value } of fields) {
    if (valuesById.has(id))
      throw new DecodingAbort('bad_field', `field ${parent ? `${parent}-${id}` : id} appears twice`);
    valuesById.set(id, value);
  }
  return valuesById;
}

function requireField(fields: ReadonlyMap<string, string>, id: string, pattern: RegExp, name = id): string {
  const value = fields.get(id);
  if (value === undefined) throw new DecodingAbort('missing_field', `field ${name} is missing`);
  if (!pattern.test(value)) throw new DecodingAbort('bad_field', `field ${name} is "${value}"`);
  return value;
}

/** Aborts `interpretFields`; `decodeBrCode` catches it and returns its `result`. */
class DecodingAbort extends Error {
  readonly result: BrCodeError;
  constructor(reason: BrCodeError['reason'], detail: string) {
    super(detail);
    this.result = toError(reason, detail);
  }
}

function toError(reason: BrCodeError['reason'], detail: string): BrCodeError {
  return { ok: false, reason, detail };
}

/** Removes the scheme of a location, as field 25 requires, because some PSPs return one. Throws if the location does not fit. */
function removeScheme(location: string): string {
  return requireMatch('location', location.replace(/^https?:\/\//i, ''), /^[\x21-\x7e]{1,77}$/);
}

function requireMatch(label: string, value: string, pattern: RegExp): string {
  if (!pattern.test(value)) throw new RangeError(`${label} does not fit into a BR Code: "${value}"`);
  return value;
}

function truncate(label: string, text: string, length: number): string {
  return requireMatch(label, toAscii(text).slice(0, length).trimEnd(), /./);
}

/** "São João – Açaí" → "Sao Joao Acai": removes accents and characters without an ASCII form, and collapses spaces. */
function toAscii(text: string): string {
  const asciiText = text.normalize('NFKD').replace(/[^\x20-\x7e\s]/g, '');
  return asciiText.replace(/\s+/g, ' ').trim();
}

/** Computes the CRC-16/CCITT-FALSE of ASCII text as four upper-case hexadecimal digits: polynomial 0x1021, start 0xFFFF. */
export function crc16(text: string): string {
  let crc = 0xffff;
  for (let i = 0; i < text.length; i++) {
    crc ^= text.charCodeAt(i) << 8;
    for (let bit = 0; bit < 8; bit++) crc = (crc & 0x8000 ? (crc << 1) ^ 0x1021 : crc << 1) & 0xffff;
  }
  return crc.toString(16).toUpperCase().padStart(4, '0');
}
