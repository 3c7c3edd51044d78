import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type BrCode, type BrCodeError, crc16, decodeBrCode, encodeBrCode, encodeFields } from './br-code.ts';
import { cents } from './money.ts';

const EVP = '123e4567-e12b-12d1-a456-426655440000';
/** The fields that the examples of the manual share. */
const manualFields = {
  merchantCategory: '0000',
  merchantName: 'Fulano de Tal',
  merchantCity: 'BRASILIA',
  txid: '***',
};
const singleUseFields = { ...manualFields, initiation: '12' } as const;
const toDynamicTarget = (path: string) => ({ kind: 'dynamic', location: `pix.example.com/${path}` }) as const;

/** Published codes and codes of our own, with their decoded values. */
const VECTORS: ReadonlyArray<readonly [name: string, text: string, code: BrCode]> = [
  [
    'BCB manual, static',
    '00020126580014br.gov.bcb.pix0136123e4567-e12b-12d1-a456-4266554400005204000053039865802BR5913Fulano de Tal6008BRASILIA62070503***63041D3D',
    { ...manualFields, target: { kind: 'static', key: EVP } },
  ],
  [
    'BCB manual, dynamic',
    '00020101021226700014br.gov.bcb.pix2548pix.example.com/8b3da2f39a4140d1a91abd93113bd4415204000053039865802BR5913Fulano de Tal6008BRASILIA62070503***630464E4',
    { ...singleUseFields, target: toDynamicTarget('8b3da2f39a4140d1a91abd93113bd441') },
  ],
  [
    'API Pix 2.9.0, journey 3: cob and recurrence',
    '00020101021226760014br.gov.bcb.pix2554pix.example.com/qr/v2/8b3da2f39a4140d1a91abd93113bd4415204000053039865802BR5913Fulano de Tal6008BRASILIA62070503***80800014br.gov.bcb.pix2558pix.example.com/qr/v2/rec/94ed2badcbc04c15b0bb7fa35319489063047741',
    {
      ...singleUseFields,
      target: toDynamicTarget('qr/v2/8b3da2f39a4140d1a91abd93113bd441'),
      recurrenceLocation: 'pix.example.com/qr/v2/rec/94ed2badcbc04c15b0bb7fa353194890',
    },
  ],
  [
    'API Pix 2.9.0, journey 4: cobv and recurrence',
    '00020101021226810014br.gov.bcb.pix2559pix.example.com/qr/v2/cobv/1e6c54d3ec9449b7a7fc53b6b0f998e75204000053039865802BR5913Fulano de Tal6008BRASILIA62070503***80800014br.gov.bcb.pix2558pix.example.com/qr/v2/rec/3ffa640fa4f14080adccb949fa2dc0d06304A441',
    {
      ...singleUseFields,
      target: toDynamicTarget('qr/v2/cobv/1e6c54d3ec9449b7a7fc53b6b0f998e7'),
      recurrenceLocation: 'pix.example.com/qr/v2/rec/3ffa640fa4f14080adccb949fa2dc0d0',
    },
  ],
  [
    'API Pix 2.9.0, journey 2: recurrence alone',
    '00020126180014br.gov.bcb.pix5204000053039865802BR5913Fulano de Tal6008BRASILIA62070503***80800014br.gov.bcb.pix2558pix.example.com/qr/v2/rec/2353c790eefb11eaadc10242ac120002630462C9',
    {
      ...manualFields,
      target: { kind: 'recurrence' },
      recurrenceLocation: 'pix.example.com/qr/v2/rec/2353c790eefb11eaadc10242ac120002',
    },
  ],
  [
    'manual, composite static with an amount',
    '00020126580014br.gov.bcb.pix0136123e4567-e12b-12d1-a456-4266554400005204000053039865406100.505802BR5913Fulano de Tal6008BRASILIA62070503***80740014br.gov.bcb.pix2552pix.example.com/rec/2353c790eefb11eaadc10242ac12000263042875',
    {
      ...manualFields,
      target: { kind: 'static', key: EVP },
      amount: cents(10_050),
      recurrenceLocation: 'pix.example.com/rec/2353c790eefb11eaadc10242ac120002',
    },
  ],
  [
    'own, cobv',
    '00020101021226810014br.gov.bcb.pix2559pix.example.com/qr/v2/cobv/0a1b2c3d4e5f60718293a4b5c6d7e8f95204000053039865802BR5920CREDITO SEMANAL LTDA6009SAO PAULO62070503***6304A861',
    {
      ...singleUseFields,
      target: toDynamicTarget('qr/v2/cobv/0a1b2c3d4e5f60718293a4b5c6d7e8f9'),
      merchantName: 'CREDITO SEMANAL LTDA',
      merchantCity: 'SAO PAULO',
    },
  ],
  [
    'own, static CPF key with amount and txid',
    '00020126330014br.gov.bcb.pix011112345678909520400005303986540549.905802BR5913FULANO DE TAL6009SAO PAULO62130509INST3OF12630454FF',
    {
      ...manualFields,
      target: { kind: 'static', key: '12345678909' },
      amount: cents(4990),
      merchantName: 'FULANO DE TAL',
      merchantCity: 'SAO PAULO',
      txid: 'INST3OF12',
    },
  ],
  [
    'own, static phone key',
    '00020126360014br.gov.bcb.pix0114+551198765432152040000530398654040.015802BR5913FULANO DE TAL6009SAO PAULO62070503***63046A51',
    {
      ...manualFields,
      target: { kind: 'static', key: '+5511987654321' },
      amount: cents(1),
      merchantName: 'FULANO DE TAL',
      merchantCity: 'SAO PAULO',
    },
  ],
];

for (const [name, text, code] of VECTORS) {
  test(`${name}: decodes to its values and encodes to the same bytes`, () => {
    const decoded = decodeBrCode(text);
    assert.ok(decoded.ok);
    assert.deepEqual(decoded.code, code);
    assert.equal(encodeBrCode(code), text);
    assert.equal(encodeFields(decoded.fields), text);
  });
}

const [, STATIC_CODE] = VECTORS[0]!;
const addCrc = (body: string) => body + crc16(body);
/** Replaces a text in the static code of the BCB, and adds the CRC of the result. */
const replaceInStatic = (pattern: string | RegExp, replacement: string) =>
  addCrc(STATIC_CODE.slice(0, -4).replace(pattern, replacement));
/** Returns the error of a text that must not decode. */
const decodeError = (text: string): BrCodeError => {
  const decoded = decodeBrCode(text);
  assert.ok(!decoded.ok, `decodes: ${text}`);
  return decoded;
};

test('a decoding error explains the reason', () => {
  for (const [text, reason, detail] of [
    [STATIC_CODE.replace(/....$/, '1D3E'), 'bad_crc', 'the CRC is 1D3E, the text gives 1D3D'],
    [STATIC_CODE.replace('Fulano', 'Fulana'), 'bad_crc', /^the CRC is 1D3D, the text gives/],
    [STATIC_CODE.slice(0, 60), 'truncated', 'field 26 has a length of 58, but only 50 characters are left'],
    [STATIC_CODE.slice(0, -8), 'truncated', 'ends without a CRC (field 63)'],
    [STATIC_CODE.slice(0, -1), 'truncated', 'field 63 has a length of 4, but only 3 characters are left'],
    ['', 'truncated', 'ends without a CRC (field 63)'],
    [
      STATIC_CODE.replace('62070503***', '62060503***'),
      'length_mismatch',
      'expected an id and a length after field 62, found "*630"',
    ],
    [
      replaceInStatic('62070503', '62070504'),
      'length_mismatch',
      'field 05 inside field 62 has a length of 4, but only 3 characters are left',
    ],
    [`${STATIC_CODE}0000`, 'length_mismatch', 'text follows the CRC (field 63)'],
    ['https://example.com', 'length_mismatch', 'expected an id and a length at the start, found "http"'],
    [
      replaceInStatic('br.gov.bcb.pix', 'br.gov.bcb.xip'),
      'not_pix',
      'no field 26 to 51 names br.gov.bcb.pix',
    ],
    [replaceInStatic('5303986', '5303840'), 'bad_field', 'field 53 is "840"'],
    [replaceInStatic('5802BR', ''), 'missing_field', 'field 58 is missing'],
    [replaceInStatic('5802BR', '5802BR5802BR'), 'bad_field', 'field 58 appears twice'],
    [replaceInStatic('62070503', '62070203'), 'missing_field', 'field 62-05 is missing'],
    [replaceInStatic(/2658.*5204/, '26180014br.gov.bcb.pix5204'), 'missing_field', /neither a key/],
    [STATIC_CODE.replace('Fulano de Tal', 'Fulano de Tál'), 'not_ascii', /printable ASCII/],
  ] as const) {
    const error = decodeError(text);
    assert.equal(error.reason, reason, error.detail);
    if (typeof detail === 'string') assert.equal(error.detail, detail);
    else assert.match(error.detail, detail);
  }
});

test('the malformed example of a public gist (length 08 on field 62) is refused', () => {
  assert.equal(decodeBrCode(STATIC_CODE.replace('62070503***', '62080503***')).ok, false);
});

test('codes of other banks decode and survive a round trip: identifier in capitals, unknown fields, lower-case CRC', () => {
  const text = addCrc(
    '00020101021126370014BR.GOV.BCB.PIX0115fulano@mail.com52045812530398654041.005802BR5906Fulano6006Recife61085000000062110503***0700' +
      '99120008com.bank6304',
  );
  const decoded = decodeBrCode(text);
  assert.ok(decoded.ok, JSON.stringify(decoded));
  assert.equal(decoded.code.initiation, '11');
  assert.equal(decoded.code.merchantCategory, '5812');
  assert.equal(decoded.code.postalCode, '50000000');
  assert.deepEqual(decoded.code.target, { kind: 'static', key: 'fulano@mail.com' });
  assert.equal(encodeFields(decoded.fields), text);
  assert.ok(decodeBrCode(text.slice(0, -4) + text.slice(-4).toLowerCase()).ok);
});

test('names and cities lose their accents and are truncated to 25 and 15 characters', () => {
  const decoded = decodeBrCode(
    encodeBrCode({
      target: { kind: 'static', key: EVP, info: 'Parcela nº 3 – maçã' },
      merchantName: '  Crédito  Semanal São José – Comércio Ltda',
      merchantCity: 'São João da Boa Vista',
    }),
  );
  assert.ok(decoded.ok);
  assert.equal(decoded.code.merchantName, 'Credito Semanal Sao Jose');
  assert.equal(decoded.code.merchantCity, 'Sao Joao da Boa');
  assert.deepEqual(decoded.code.target, { kind: 'static', key: EVP, info: 'Parcela no 3 maca' });
});

test('a location is written without its scheme, also on a local host with a port', () => {
  const baseFields = { merchantName: 'A', merchantCity: 'B', initiation: '12' } as const;
  const code = { ...baseFields, target: { kind: 'dynamic', location: 'localhost:3001/qr/v2/abc' } } as const;
  assert.equal(
    encodeBrCode({
      ...baseFields,
      target: { kind: 'dynamic', location: 'https://localhost:3001/qr/v2/abc' },
    }),
    encodeBrCode(code),
  );
});

test('a value that does not fit into a code is a bug', () => {
  const baseFields = { merchantName: 'A', merchantCity: 'B' };
  const key = { kind: 'static', key: EVP } as const;
  for (const code of [
    { ...baseFields, target: { kind: 'dynamic', location: 'x'.repeat(78) } },
    { ...baseFields, target: { kind: 'static', key: '' } },
    { ...baseFields, target: { ...key, info: 'x'.repeat(60) } },
    { ...baseFields, target: key, txid: 'not-alphanumeric' },
    { ...baseFields, target: key, txid: 'x'.repeat(26) },
    { ...baseFields, target: key, merchantName: '漢字' },
    { ...baseFields, target: key, amount: cents(-1) },
  ] as const) {
    assert.throws(() => encodeBrCode(code), RangeError);
  }
});
