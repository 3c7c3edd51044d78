import { crc16 } from './crc16.ts';
import { type Cents, parseReaisText, toReaisText } from './money.ts';
import { readTlv, type Tlv, type TlvFault, writeTlv } from './tlv.ts';

/** Where the money goes: a Pix key, the address of a charge, or (first consent of a recurrence) nowhere yet. */
type PixTarget =
  | {
      readonly kind: 'static';
      readonly key: string;
      readonly info?: string;
      readonly withdrawalIspb?: string;
    }
  | { readonly kind: 'dynamic'; readonly location: string }
  | { readonly kind: 'recurrence' };

export type BrCode = {
  readonly target: PixTarget;
  /** Field 01: '12' can be paid once, '11' or absent again and again. */
  readonly initiation?: '11' | '12';
  /** Field 52, '0000' unless said. */
  readonly merchantCategory?: string;
  /** Field 54. Payers' banks ignore it in a dynamic code: the charge says how much. */
  readonly amount?: Cents;
  readonly merchantName: string;
  readonly merchantCity: string;
  readonly postalCode?: string;
  /** Field 62-05, '***' unless said: in a dynamic code the charge holds the real one. */
  readonly txid?: string;
  /** Field 80: the recurrence (Pix Automático) offered along with the payment. */
  readonly recurrenceLocation?: string;
};

export type BrCodeFault = {
  readonly ok: false;
  readonly reason: TlvFault['reason'] | 'not_ascii' | 'bad_crc' | 'not_pix' | 'missing_field' | 'bad_field';
  readonly detail: string;
};

/** `fields` is the code as written, without the CRC, so that encodeFields reproduces other people's codes unchanged. */
type DecodedBrCode = { readonly ok: true; readonly code: BrCode; readonly fields: readonly Tlv[] };

const PIX = 'br.gov.bcb.pix';

/** The code as text. Name and city are shortened to fit; any other value that does not fit is a bug and throws. */
export function encodeBrCode(code: BrCode): string {
  const { target, txid = '***' } = code;
  const optional = (id: string, value: string | undefined): Tlv[] =>
    value === undefined ? [] : [{ id, value }];
  const account: Tlv[] = [{ id: '00', value: PIX }];
  if (target.kind === 'static') {
    account.push({ id: '01', value: checked('key', target.key, /^[\x21-\x7e]{1,77}$/) });
    account.push(
      ...optional('02', target.info && toAscii(target.info)),
      ...optional('03', target.withdrawalIspb),
    );
  } else if (target.kind === 'dynamic') {
    account.push({ id: '25', value: bareLocation(target.location) });
  }
  const recurrence = code.recurrenceLocation;
  return encodeFields([
    { id: '00', value: '01' },
    ...optional('01', code.initiation),
    { id: '26', value: writeTlv(account) },
    { id: '52', value: checked('merchant category', code.merchantCategory ?? '0000', /^\d{4}$/) },
    { id: '53', value: '986' },
    ...optional('54', code.amount === undefined ? undefined : toReaisText(code.amount)),
    { id: '58', value: 'BR' },
    { id: '59', value: fitted('merchant name', code.merchantName, 25) },
    { id: '60', value: fitted('merchant city', code.merchantCity, 15) },
    ...optional('61', code.postalCode && checked('postal code', code.postalCode, /^[\x21-\x7e]{1,10}$/)),
    {
      id: '62',
      value: writeTlv([{ id: '05', value: checked('txid', txid, /^([a-zA-Z0-9]{1,25}|\*\*\*)$/) }]),
    },
    ...optional(
      '80',
      recurrence &&
        writeTlv([
          { id: '00', value: PIX },
          { id: '25', value: bareLocation(recurrence) },
        ]),
    ),
  ]);
}

/** Writes fields unchanged and adds the CRC, which covers everything up to and including its own "6304". */
export function encodeFields(fields: readonly Tlv[]): string {
  const body = `${writeTlv(fields)}6304`;
  return body + crc16(body);
}

/** Parses a code, or says what is wrong with it: first its shape, then its CRC, then the rules of Pix. */
export function decodeBrCode(text: string): DecodedBrCode | BrCodeFault {
  if (!/^[\x20-\x7e]*$/.test(text))
    return fault('not_ascii', 'a BR Code holds printable ASCII characters only');
  const all = readTlv(text);
  if (!Array.isArray(all)) return { ok: false, ...all };
  const crcAt = all.findIndex(({ id }) => id === '63');
  if (crcAt === -1) return fault('truncated', 'ends without a CRC (field 63)');
  if (crcAt !== all.length - 1) return fault('length_mismatch', 'text follows the CRC (field 63)');
  const expected = crc16(text.slice(0, -4));
  const crc = all[crcAt]?.value ?? '';
  if (crc.length !== 4) return fault('length_mismatch', `the CRC has ${crc.length} characters, not 4`);
  if (crc.toUpperCase() !== expected)
    return fault('bad_crc', `the CRC is ${crc}, the text gives ${expected}`);
  const fields = all.slice(0, -1);
  try {
    return { ok: true, code: interpret(fields), fields };
  } catch (error) {
    if (error instanceof Unreadable) return error.fault;
    throw error;
  }
}

function interpret(fields: readonly Tlv[]): BrCode {
  const top = byId(fields, '');
  const account = pixTemplate(top, 26, 51);
  if (!account) throw new Unreadable('not_pix', `no field 26 to 51 names ${PIX}`);
  expect(top, '00', /^01$/);
  const initiation = top.has('01') ? (expect(top, '01', /^1[12]$/) as '11' | '12') : undefined;
  expect(top, '53', /^986$/);
  expect(top, '58', /^BR$/);
  const additional = byId(nested('62', expect(top, '62', /./)), '62');
  const target = targetOf(account);
  const recurrenceLocation = pixTemplate(top, 80, 99)?.get('25');
  if (target.kind === 'recurrence' && recurrenceLocation === undefined) {
    throw new Unreadable('missing_field', 'neither a key (26-01) nor a location (26-25 or 80-25)');
  }
  const amount = top.has('54') ? parseReaisText(expect(top, '54', /^\d{1,10}\.\d{2}$/)) : null;
  const postalCode = top.get('61');
  return {
    target,
    ...(initiation && { initiation }),
    merchantCategory: expect(top, '52', /^\d{4}$/),
    ...(amount !== null && { amount }),
    merchantName: expect(top, '59', /./),
    merchantCity: expect(top, '60', /./),
    ...(postalCode !== undefined && { postalCode }),
    txid: expect(additional, '05', /./, '62-05'),
    ...(recurrenceLocation !== undefined && { recurrenceLocation }),
  };
}

function targetOf(account: ReadonlyMap<string, string>): PixTarget {
  const key = account.get('01');
  const location = account.get('25');
  if (key !== undefined && location !== undefined)
    throw new Unreadable('bad_field', 'both a key (26-01) and a location (26-25)');
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

/** The first template in that range of ids with the Pix identifier, in upper or lower case. */
function pixTemplate(
  top: ReadonlyMap<string, string>,
  from: number,
  to: number,
): Map<string, string> | undefined {
  for (const [id, value] of top) {
    if (Number(id) < from || Number(id) > to || !/^0014br\.gov\.bcb\.pix/i.test(value)) continue;
    return byId(nested(id, value), id);
  }
  return undefined;
}

function nested(id: string, value: string): Tlv[] {
  const inner = readTlv(value, id);
  if (!Array.isArray(inner)) throw new Unreadable(inner.reason, inner.detail);
  return inner;
}

function byId(fields: readonly Tlv[], where: string): Map<string, string> {
  const map = new Map<string, string>();
  for (const { id, value } of fields) {
    if (map.has(id))
      throw new Unreadable('bad_field', `field ${where === '' ? id : `${where}-${id}`} appears twice`);
    map.set(id, value);
  }
  return map;
}

function expect(fields: ReadonlyMap<string, string>, id: string, form: RegExp, name = id): string {
  const value = fields.get(id);
  if (value === undefined) throw new Unreadable('missing_field', `field ${name} is missing`);
  if (!form.test(value)) throw new Unreadable('bad_field', `field ${name} is "${value}"`);
  return value;
}

/** Unwinds interpret with a fault; never leaves this file. */
class Unreadable extends Error {
  readonly fault: BrCodeFault;
  constructor(reason: BrCodeFault['reason'], detail: string) {
    super(detail);
    this.fault = fault(reason, detail);
  }
}

function fault(reason: BrCodeFault['reason'], detail: string): BrCodeFault {
  return { ok: false, reason, detail };
}

/** Host and path without a scheme, as field 25 requires; some PSPs answer with one. */
function bareLocation(location: string): string {
  return checked('location', location.replace(/^https?:\/\//i, ''), /^[\x21-\x7e]{1,77}$/);
}

function checked(what: string, value: string, form: RegExp): string {
  if (!form.test(value)) throw new RangeError(`${what} does not fit into a BR Code: "${value}"`);
  return value;
}

function fitted(what: string, text: string, length: number): string {
  return checked(what, toAscii(text).slice(0, length).trimEnd(), /./);
}

/** "São João – Açaí" → "Sao Joao Acai": removes accents and characters without an ASCII form, and collapses spaces. */
function toAscii(text: string): string {
  const bare = text.normalize('NFKD').replace(/[^\x20-\x7e\s]/g, '');
  return bare.replace(/\s+/g, ' ').trim();
}
